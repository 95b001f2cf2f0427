import { Plus, Search, Trash2 } from 'lucide-react';
import { memo, useCallback, useEffect, useRef, useState } from 'react';
import type { Conversation } from '../../../shared/chat/conversation.ts';
import type { SearchHit } from '../../../shared/library/search/searchCall.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import {
  type Listing,
  showRefusal,
  useCall,
  useConversationList,
  useEntities,
  useLongList,
  useNow,
  useShortcut,
  useStudio,
} from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Confirm, EmptyState, formatWhen, Icon, IconButton, Panel, Reading, TextInput } from '../../ui/index.ts';
import { chatCost } from './BranchMap.tsx';
import { activate } from './branching.ts';
import { ImportChat } from './ChatFiles.tsx';
import styles from './chat.module.css';
import { pick, useChat } from './state.ts';

export const CHATS_PANEL = 'chats';

const AHEAD = 40;
const ROW_PX = 50;
const NOTHING = { chargedNano: 0, uncertainNano: 0, unpriced: 0 };

/** All chats of every project, newest first, each with its cost so far. The open project hides nothing. */
export function ConversationList() {
  const search = useChat((state) => state.search);
  const words = search.trim();
  const list = useConversationList(words === '' ? {} : { text: words });
  const hint = useShortcut('chat.new', () => pick(undefined));
  return (
    <Panel label={t`Chats`} side="left" id={CHATS_PANEL}>
      <div className="bar">
        <h2>{t`Chats`}</h2>
        <span className="grow" />
        <ImportChat />
        <IconButton label={t`New chat`} tip={hint} onClick={() => pick(undefined)}>
          <Icon of={Plus} />
        </IconButton>
      </div>
      {(list.total > 0 || search !== '') && (
        <div className="pad bottom-line">
          <TextInput
            aria-label={t`Search chats`}
            placeholder={t`Search chats`}
            value={search}
            onValue={(next) => useChat.setState({ search: next })}
            before={<Icon of={Search} />}
          />
        </div>
      )}
      <Reading of={list} rows={5} />
      {words !== '' && <Hits words={words} />}
      {list.state.isRead && list.total > 0 && <Conversations list={list} />}
      {list.state.isRead && list.total === 0 && !list.isMore && (
        <EmptyState title={search !== '' ? t`Nothing found` : t`No chats yet`}>
          {search === '' && t`Send a message to start.`}
        </EmptyState>
      )}
    </Panel>
  );
}

/** Virtual: as tall as the whole list, but only the rows in view are rendered and read. */
function Conversations({ list }: { list: Listing }) {
  const [removing, setRemoving] = useState<Conversation>();
  const scroller = useRef<HTMLDivElement>(null);
  const { at, state } = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another function the virtualizer measures every row of the list again.
  const getItemKey = useCallback((index: number) => at(index)?.id ?? index, [state]);
  const { items, height } = useLongList({
    count: list.total,
    scroller,
    rowPx: ROW_PX,
    estimateSize: () => ROW_PX,
    getItemKey,
    rest: { overscan: 8, initialRect: { width: 260, height: 800 } },
  });
  const [from, to] = [items[0]?.index ?? 0, (items.at(-1)?.index ?? 0) + 1];
  const { see } = list;
  useEffect(() => see(Math.max(0, from - AHEAD), to + AHEAD), [see, from, to]);
  const remove = async () => {
    if (!removing) return;
    setRemoving(undefined);
    const answer = await call('chat.remove', { conversationId: removing.id });
    if (!answer.ok) return showRefusal(answer.error);
    if (useChat.getState().selectedId === removing.id) pick(undefined);
  };
  return (
    <>
      <div className="scroll" ref={scroller}>
        <ol className={`qspace ${styles.convs}`} style={{ height: height }}>
          {items.map(({ key, index, start, size }) => (
            <ConversationRow
              key={key}
              id={list.at(index)?.id}
              place={index + 1}
              of={list.total}
              top={start}
              height={size}
              onRemove={setRemoving}
            />
          ))}
        </ol>
      </div>
      <Confirm
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={t`Delete ${removing?.title || t`New chat`}?`}
        actionLabel={t`Delete chat`}
        onConfirm={() => void remove()}
      >
        {t`Deletes ${counted(removing?.messageCount ?? 0, 'message')} and cancels an answer that is still coming. The cost, ${chatCost(removing ?? NOTHING)}, stays in the ledger.`}
      </Confirm>
    </>
  );
}

interface RowProps {
  id: string | undefined;
  /** Position in the list, counted from 1. */
  place: number;
  of: number;
  top: number;
  height: number;
  onRemove: (conversation: Conversation) => void;
}

/** Memoized: while the list is scrolled, a row in view is not drawn again. */
const ConversationRow = memo(function ConversationRow({ id, place, of, top, height, onRemove }: RowProps) {
  const conversation = useEntities((state) => (id === undefined ? undefined : state.conversations.get(id)));
  const selected = useChat((state) => id !== undefined && state.selectedId === id);
  const projectId = conversation?.projectId;
  const project = useStudio((state) => state.projects.find((candidate) => candidate.id === projectId)?.name);
  const now = useNow(60_000);
  const style = { transform: `translateY(${top}px)`, height };
  if (!conversation) return <li className="qitem" style={style} aria-hidden="true" />;
  const { title, updatedAt } = conversation;
  return (
    <li
      className={selected ? 'qitem hovers is-picked' : 'qitem hovers'}
      style={style}
      aria-posinset={place}
      aria-setsize={of}
    >
      <button type="button" className={styles.conv} aria-current={selected || undefined} onClick={() => pick(id)}>
        <span className="row">
          <span className="cut grow">{title || t`New chat`}</span>
          <span className="t3">{formatWhen(updatedAt, now)}</span>
        </span>
        <span className="row t3">
          <span className="cut grow">{project ?? t`No project`}</span>
          <span className="nums">{chatCost(conversation)}</span>
        </span>
      </button>
      <IconButton
        label={t`Delete ${title || t`New chat`}`}
        className={styles.convX}
        onClick={() => onRemove(conversation)}
      >
        <Icon of={Trash2} />
      </IconButton>
    </li>
  );
});

const MOST = 60;
const REST_MS = 200;

/** Search results from all chats and all branches. */
function Hits({ words }: { words: string }) {
  const { data } = useCall('search.all', { text: words, types: ['message'], limit: MOST }, { debounceMs: REST_MS });
  const hits = data?.hits ?? [];
  if (hits.length === 0) return null;
  const chats = Map.groupBy(hits, ({ conversationId = '' }) => conversationId);
  const count = data?.nextCursor
    ? t`Newest ${counted(hits.length, 'hit')} in ${counted(chats.size, 'chat')}`
    : t`${counted(hits.length, 'hit')} in ${counted(chats.size, 'chat')}`;
  return (
    <section className={`${styles.hits} scroll`} aria-label={t`Messages found`}>
      <p className="t3 pad" role="status">
        {count}
      </p>
      {[...chats].map(([id, found]) => (
        <div key={id} className={styles.hitsOf}>
          <h3 className="cut">{found[0]?.title}</h3>
          {found.map((hit) => (
            <button key={hit.id} type="button" className={`hovers ${styles.hl}`} onClick={() => void jumpTo(hit)}>
              <span className="t3">{hit.role === 'user' ? t`You` : t`Model`}</span>
              <Snippet hit={hit} />
            </button>
          ))}
        </div>
      ))}
    </section>
  );
}

function Snippet({ hit: { snippet, found } }: { hit: SearchHit }) {
  if (!found) return <span>{snippet}</span>;
  return (
    <span>
      {snippet.slice(0, found.start)}
      <mark className={styles.hit}>{snippet.slice(found.start, found.end)}</mark>
      {snippet.slice(found.end)}
    </span>
  );
}

/** Opens the branch of a search result, at the message. */
async function jumpTo({ conversationId, branch, id }: SearchHit): Promise<void> {
  if (conversationId === undefined) return;
  useChat.setState({ jumpTo: id });
  pick(conversationId);
  if (branch) await activate(conversationId, branch);
}
