import { Pencil } from 'lucide-react';
import { memo, type RefObject, startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Conversation, Message } from '../../../shared/chat/conversation.ts';
import { joinedAnswers } from '../../../shared/chat/modelMessages.ts';
import { t } from '../../../shared/text/texts.ts';
import {
  announce,
  focusOnArrival,
  showRefusal,
  usePlace,
  useProjectId,
  useRoute,
  useShortcut,
} from '../../app/index.ts';
import { call, onEvent, onLink } from '../../client/index.ts';
import { ExportNote } from '../../media/ExportNote.tsx';
import { dropHandlers, usePastedFiles } from '../../media/givenFiles.ts';
import { ImportNotes } from '../../media/ImportNotes.tsx';
import { Button, DrawerTab, EmptyState, Icon, IconButton, plural, Reading, TextInput, Toggle } from '../../ui/index.ts';
import { goBeside, startAsking } from './branching.ts';
import { ExportChat } from './ChatFiles.tsx';
import { Composer } from './Composer.tsx';
import { CHATS_PANEL, ConversationList } from './ConversationList.tsx';
import styles from './chat.module.css';
import { useDraftedRead } from './drafted.ts';
import { Inspector } from './Inspector.tsx';
import { MessageView } from './MessageView.tsx';
import { AskedLink } from './OutsideLink.tsx';
import { takePictures } from './Pictures.tsx';
import { threadNow, useOfThread, useThread } from './sending.ts';
import {
  draftOf,
  NEW,
  patchThreads,
  readThread,
  reloadThread,
  selectConversation,
  setDraft,
  useChat,
} from './state.ts';
import { useRecalled } from './useRecalled.ts';

export function ChatPage() {
  useRouteSelection();
  useRecalled();
  const selectedId = useChat((state) => state.selectedId);
  const conversation = useOfThread((thread) => thread?.conversation);
  const drawer = useDrawer(selectedId);
  usePlace('chat');
  useBranchKeys();
  useDraftedRead();
  usePastedFiles(takePictures);
  useEffect(() => onEvent(patchThreads), []);
  useEffect(() => {
    if (selectedId === undefined) return;
    void reloadThread(selectedId);
    return onLink((link) => {
      if (link === 'up') void reloadThread(selectedId);
    });
  }, [selectedId]);
  return (
    <main data-page="chat" className={`page drawers ${styles.chat} ${drawer.isOpen ? 'drawer' : ''}`}>
      <ConversationList />
      <section className="col" aria-label={t`Conversation`} data-panel tabIndex={-1} {...dropHandlers(takePictures)}>
        <div className="bar">
          <DrawerTab panelId={CHATS_PANEL} isOpen={drawer.isOpen} onToggle={drawer.toggle}>
            {t`Chats`}
          </DrawerTab>
          {selectedId === undefined ? (
            <h1 className="cut">{t`New chat`}</h1>
          ) : (
            <ChatTitle key={selectedId} conversation={conversation} />
          )}
          <Length />
          <span className="grow" />
          <DirectorSwitch />
          {selectedId !== undefined && <ExportChat conversationId={selectedId} />}
        </div>
        <Messages />
        <ExportNote />
        <ImportNotes />
        <Composer />
      </section>
      <Inspector />
      <AskedLink />
    </main>
  );
}

function Length() {
  const count = useOfThread((thread) => thread?.messages.length);
  const branches = useOfThread((thread) => thread?.branches) ?? [];
  const branch = useOfThread((thread) => thread?.branch);
  if (count === undefined) return null;
  const at = branches.findIndex(({ id }) => id === branch);
  const words = plural(count, 'message');
  return <span className="t3">{branches.length > 1 && at !== -1 ? t`${words}, branch ${at + 1}` : words}</span>;
}

/** Switches to the neighbouring branch at the focused message, or at the newest message that has branches. */
function useBranchKeys(): void {
  const isRead = useOfThread((thread) => thread !== undefined);
  const go = (step: 'previous' | 'next') => () => {
    const near = document.activeElement?.closest<HTMLElement>('[data-message]')?.dataset.message;
    const thread = threadNow();
    if (thread) goBeside(thread, step, near);
  };
  useShortcut('chat.previousBranch', go('previous'), isRead);
  useShortcut('chat.nextBranch', go('next'), isRead);
}

/** The list of chats as a drawer. Picking a chat closes it. */
function useDrawer(selectedId: string | undefined): { isOpen: boolean; toggle: () => void } {
  const [isOpen, setOpen] = useState(false);
  useShortcut('page.leave', () => setOpen(false), isOpen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chat is opened to be read.
  useEffect(() => setOpen(false), [selectedId]);
  return { isOpen, toggle: () => setOpen(!isOpen) };
}

function useRouteSelection(): void {
  const { params } = useRoute();
  const conversation = params.get('conversation');
  useEffect(() => {
    if (conversation) selectConversation(conversation);
  }, [conversation]);
}

function Messages() {
  const selectedId = useChat((state) => state.selectedId);
  const thread = useThread();
  if (selectedId === undefined) {
    return (
      <div className="scroll">
        <EmptyState title={t`New chat`}>{t`Write a message. The price is shown before you send it.`}</EmptyState>
      </div>
    );
  }
  if (!thread || (thread.error && thread.messages.length === 0)) {
    const reload = () => void readThread(selectedId);
    return (
      <div className="scroll">
        <Reading of={{ error: thread?.error, reload }} rows={6} />
      </div>
    );
  }
  return <Thread key={selectedId} messages={thread.messages} />;
}

/** The chat's title, editable in place: Enter saves it, Escape discards. */
function ChatTitle({ conversation }: { conversation: Conversation | undefined }) {
  const [title, setTitle] = useState<string>();
  if (!conversation) return <h1 className="cut">{t`Chat`}</h1>;
  if (title === undefined) {
    return (
      <>
        <h1 className="cut">{conversation.title}</h1>
        <IconButton label={t`Rename chat`} onClick={() => setTitle(conversation.title)}>
          <Icon of={Pencil} />
        </IconButton>
      </>
    );
  }
  const keep = async () => {
    const wanted = title.trim();
    setTitle(undefined);
    if (wanted === '' || wanted === conversation.title) return;
    const answer = await call('chat.set', { conversationId: conversation.id, title: wanted });
    if (answer.ok) announce(t`Renamed to ${wanted}`);
    else showRefusal(answer.error);
  };
  return (
    <h1 className="grow" aria-label={conversation.title}>
      <TextInput
        aria-label={t`Chat name`}
        autoFocus
        maxLength={200}
        value={title}
        onValue={setTitle}
        onBlur={() => void keep()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void keep();
          if (event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          setTitle(undefined);
        }}
      />
    </h1>
  );
}

/** Whether the model of this chat may draft. Shown only in a project, since drafts are for its board. */
function DirectorSwitch() {
  const selectedId = useChat((state) => state.selectedId);
  const own = useChat((state) => draftOf(state, NEW).director);
  const conversation = useOfThread((thread) => thread?.conversation);
  const active = useProjectId();
  const projectId = selectedId === undefined ? active : conversation?.projectId;
  if (!projectId) return null;
  const isOn = selectedId === undefined ? (own ?? false) : (conversation?.director ?? true);
  const change = (director: boolean) => {
    if (selectedId === undefined) setDraft(NEW, { director });
    else void setDirector(selectedId, director);
  };
  return (
    <Toggle checked={isOn} onChecked={change}>
      {t`Director can draft`}
    </Toggle>
  );
}

async function setDirector(conversationId: string, director: boolean): Promise<void> {
  const answer = await call('chat.set', { conversationId, director });
  const words = director ? t`The model can draft shots and pictures` : t`The model cannot draft here`;
  if (answer.ok) announce(words);
  else showRefusal(answer.error);
}

/** About one window full. These messages are drawn first; the rest of {@link SHOWN} follows without blocking the page. */
const FIRST = 8;
const SHOWN = 40;

/** The messages, newest at the bottom. The scroller is laid out from its end, so that a growing answer stays in view without scripts. */
const Thread = memo(function Thread({ messages }: { messages: readonly Message[] }) {
  const [shown, setShown] = useState(FIRST);
  useEffect(() => startTransition(() => setShown(SHOWN)), []);
  const latest = useRef(messages);
  latest.current = messages;
  // Stable while an answer grows, so that only that one message is drawn again.
  const again = useCallback((message: Message) => {
    const { current } = latest;
    const asked = questionOf(current, current.indexOf(message));
    // Opened for editing in its place: sent from the message box, the same question would be appended after itself.
    if (asked) startAsking(asked.id, 'edit');
  }, []);
  const answered = useMemo(() => joinedAnswers(messages), [messages]);
  const scroller = useRef<HTMLElement>(null);
  const wanted = useChat((state) => state.jumpTo);
  const at = wanted === undefined ? -1 : answered.findIndex(({ parts }) => parts.some(({ id }) => id === wanted));
  useJump(scroller, at === -1 ? undefined : answered[at]?.message.id);
  const hidden = Math.max(0, Math.min(answered.length - shown, at === -1 ? Number.MAX_SAFE_INTEGER : at));
  const visible = answered.slice(hidden);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller without a control in it must be reachable by keyboard.
    <section className={styles.thread} ref={scroller} tabIndex={0} aria-label={t`Messages`}>
      <div className={styles.msgs} role="log" aria-live="off">
        {hidden > 0 && shown > FIRST && (
          <div className={`row ${styles.fold}`}>
            <i />
            <Button variant="ghost" onClick={() => setShown(answered.length - hidden + SHOWN)}>
              {plural(hidden, 'earlier message')}
            </Button>
            <i />
          </div>
        )}
        {visible.map(({ message, parts }) => (
          <MessageView key={message.id} message={message} parts={parts} onAgain={again} />
        ))}
      </div>
    </section>
  );
});

function useJump(scroller: RefObject<HTMLElement | null>, id: string | undefined): void {
  useEffect(() => {
    if (id === undefined) return;
    const shown = scroller.current?.querySelectorAll<HTMLElement>('[data-message]') ?? [];
    const found = [...shown].find(({ dataset }) => dataset.message === id);
    if (!found) return;
    found.scrollIntoView?.({ block: 'center' });
    focusOnArrival(found);
    useChat.setState({ jumpTo: undefined });
  }, [scroller, id]);
}

const questionOf = (messages: readonly Message[], index: number): Message | undefined =>
  messages.slice(0, index).findLast(({ role }) => role === 'user');
