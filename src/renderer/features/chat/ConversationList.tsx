import { Plus, Search, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Conversation } from '../../../shared/conversation.ts';
import { formatNano } from '../../../shared/money.ts';
import { replaceParams, useCall, useKeyHint, useNow, useShortcut, useStudio } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import {
  CallError,
  Confirm,
  EmptyState,
  formatWhen,
  Icon,
  IconButton,
  LoadingBars,
  Panel,
  plural,
  TextInput,
} from '../../ui/index.ts';
import { selectConversation, useChat } from './state.ts';

/** The id of the panel. */
export const CHATS_PANEL = 'chats';

export function pick(id: string | undefined): void {
  selectConversation(id);
  replaceParams('chat', id === undefined ? {} : { conversation: id });
}

/** All chats, of every project, newest first, with what each has cost so far: nothing that was said is hidden by what is open. */
export function ConversationList() {
  const { data, error, loading, reload } = useCall('chat.list', {}, { on: ['conversation.changed'] });
  const search = useChat((state) => state.search);
  const hint = useKeyHint('chat.new');
  useShortcut('chat.new', () => pick(undefined));
  const found = useMemo(
    () => data?.conversations.filter(({ title }) => title.toLowerCase().includes(search.trim().toLowerCase())),
    [data, search],
  );
  return (
    <Panel label="Chats" side="left" id={CHATS_PANEL}>
      <div className="bar">
        <h2>Chats</h2>
        <span className="grow" />
        <IconButton label="New chat" tip={hint} onClick={() => pick(undefined)}>
          <Icon of={Plus} />
        </IconButton>
      </div>
      {(data?.conversations.length ?? 0) > 0 && (
        <div className="conv-find">
          <TextInput
            aria-label="Search chats"
            placeholder="Search chats"
            value={search}
            onValue={(next) => useChat.setState({ search: next })}
            before={<Icon of={Search} />}
          />
        </div>
      )}
      {loading && (
        <div className="pad">
          <LoadingBars rows={5} media={false} label="Reading the chats" />
        </div>
      )}
      {error && !data && (
        <div className="pad">
          <CallError error={error} onRetry={reload} />
        </div>
      )}
      {found && <Conversations conversations={found} searched={search !== ''} />}
    </Panel>
  );
}

function Conversations({ conversations, searched }: { conversations: readonly Conversation[]; searched: boolean }) {
  const [removing, setRemoving] = useState<Conversation>();
  if (conversations.length === 0) {
    return (
      <EmptyState title={searched ? 'No such chat' : 'No chats yet'}>
        {searched ? 'No title has these words.' : 'The first message starts one.'}
      </EmptyState>
    );
  }
  const remove = async () => {
    if (!removing) return;
    await call('chat.remove', { conversationId: removing.id });
    if (useChat.getState().selectedId === removing.id) pick(undefined);
    setRemoving(undefined);
  };
  return (
    <>
      <ol className="convs scroll">
        {conversations.map((conversation) => (
          <ConversationRow
            key={conversation.id}
            conversation={conversation}
            onRemove={() => setRemoving(conversation)}
          />
        ))}
      </ol>
      <Confirm
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={`Delete ${removing?.title || 'this chat'}?`}
        deed="Delete the chat"
        onDeed={() => void remove()}
      >
        Its {plural(removing?.messageCount ?? 0, 'message')} {removing?.messageCount === 1 ? 'goes' : 'go'}. What it
        cost, {formatNano(removing?.chargedNano ?? 0)}, stays in the ledger.
      </Confirm>
    </>
  );
}

function ConversationRow({ conversation, onRemove }: { conversation: Conversation; onRemove: () => void }) {
  const { id, title, projectId, updatedAt, chargedNano } = conversation;
  const selected = useChat((state) => state.selectedId === id);
  const project = useStudio((state) => state.projects.find((candidate) => candidate.id === projectId)?.name);
  const now = useNow(60_000);
  return (
    <li className={selected ? 'on' : undefined}>
      <button type="button" className="conv" aria-current={selected || undefined} onClick={() => pick(id)}>
        <span className="row">
          <span className="cut grow">{title || 'New chat'}</span>
          <span className="t3">{formatWhen(updatedAt, now)}</span>
        </span>
        <span className="row t3">
          <span className="cut grow">{project ?? 'No project'}</span>
          <span className="nums">{formatNano(chargedNano)}</span>
        </span>
      </button>
      <IconButton label={`Delete ${title || 'this chat'}`} className="conv-x" onClick={onRemove}>
        <Icon of={Trash2} />
      </IconButton>
    </li>
  );
}
