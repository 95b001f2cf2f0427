import { create } from 'zustand';
import type { ThreadPage } from '../../../shared/chat/chatCalls.ts';
import type { Branch, Conversation, Message, Variant } from '../../../shared/chat/conversation.ts';
import type { Draft as ModelDraft } from '../../../shared/chat/director/draft.ts';
import { newerOf, parseRoute, replaceParams, useStudio } from '../../app/index.ts';
import { call, type StudioError, type StudioEvent } from '../../client/index.ts';
import { MessageAssembler } from './messageAssembler.ts';

export interface Thread {
  conversation?: Conversation;
  messages: readonly Message[];
  branch?: string;
  branches?: readonly Branch[];
  variants?: readonly Variant[];
  /** The number of the studio connection in which the thread was read. */
  connection?: number;
  /** Streamed messages that are not in this thread; each is searched for in other branches once. */
  asked?: ReadonlySet<string> | undefined;
  error?: StudioError;
}

/** The user's settings and text for the next message of a conversation. */
export interface Draft {
  text: string;
  pictures?: readonly string[];
  model?: string;
  system?: string;
  /** The drafting switch of a chat that does not exist yet. */
  director?: boolean;
  /** Offers again to restore the draft that this one replaced. */
  offer?: (() => void) | undefined;
}

interface ChatView {
  selectedId?: string;
  /** Counts each selection of a chat, or of none. */
  picks: number;
  threads: ReadonlyMap<string, Thread>;
  drafts: ReadonlyMap<string, Draft>;
  /** Edited texts of user messages, by message; written but not sent. */
  edits: ReadonlyMap<string, string>;
  /** The remaining pictures of an edited message, if some were removed. */
  leftPictures: ReadonlyMap<string, readonly string[]>;
  /** Drafts that are excluded when their answer's drafts are approved together. */
  leftOut: ReadonlySet<string>;
  search: string;
  /** The message that is being edited, answered again or continued. */
  asking?: { messageId: string; ask: 'edit' | 'regenerate' | 'continue' } | undefined;
  drafted: Drafted;
  jumpTo?: string | undefined;
}

export const NEW = 'new';

export interface Drafted {
  drafts: readonly ModelDraft[];
  /** Newer drafts are on their way: nothing can be approved until they arrive. */
  isOld: boolean;
  /** Drafts that changed or were added while the list was shown, and have not been seen yet. */
  fresh: ReadonlySet<string>;
}

export const NONE_DRAFTED: Drafted = { drafts: [], isOld: false, fresh: new Set() };

export const useChat = create<ChatView>()(() => ({
  picks: 0,
  threads: new Map(),
  drafts: new Map(),
  edits: new Map(),
  leftPictures: new Map(),
  leftOut: new Set(),
  search: '',
  drafted: NONE_DRAFTED,
}));

const set = useChat.setState;

function patchThread(id: string, change: (thread: Thread) => Thread): void {
  set(({ threads }) => ({ threads: new Map(threads).set(id, change(threads.get(id) ?? { messages: [] })) }));
}

const assembler = new MessageAssembler();

interface Reading {
  /** Another read follows when the current one ends. */
  again: boolean;
  /** Messages that events brought meanwhile; the answer may not include them yet. */
  heard: Set<string>;
}

const reading = new Map<string, Reading>();

/** The message to show. An older revision never replaces a newer one. */
const merged = (known: Message | undefined, message: Message, since?: ReadonlySet<string>): Message =>
  known !== undefined && message.revision < known.revision ? known : assembler.merge(message, since);

/** Reads a conversation. The previous state stays visible until the answer arrives. */
export async function readThread(conversationId: string): Promise<void> {
  const under = reading.get(conversationId);
  if (under) {
    under.again = true;
    return;
  }
  const own: Reading = { again: false, heard: new Set() };
  reading.set(conversationId, own);
  const since = assembler.idsWithDeltas();
  const answer = await readPages(conversationId);
  reading.delete(conversationId);
  patchThread(conversationId, (thread) =>
    answer.ok ? readOver(thread, answer.data, own.heard, since) : { ...thread, error: answer.error },
  );
  if (own.again) await readThread(conversationId);
}

/** The thread as read, merged over its known state. */
function readOver(thread: Thread, read: ThreadPage, heard: ReadonlySet<string>, since: ReadonlySet<string>): Thread {
  const { connection: life } = useStudio.getState();
  const known = new Map(thread.connection === life ? thread.messages.map((message) => [message.id, message]) : []);
  const ids = new Set(read.messages.map(({ id }) => id));
  return {
    connection: life,
    asked: thread.asked,
    branch: read.branch,
    branches: read.branches,
    variants: read.variants,
    conversation: thread.connection === life ? newerOf(thread.conversation, read.conversation) : read.conversation,
    messages: [
      ...read.messages.map((message) => merged(known.get(message.id), message, since)),
      ...thread.messages.filter(({ id, branch }) => heard.has(id) && !ids.has(id) && branch === read.branch),
    ],
  };
}

/** A long conversation is read in pages, newest first. Earlier messages that are already known are not read again. */
async function readPages(conversationId: string): ReturnType<typeof call<'chat.get'>> {
  const newest = await call('chat.get', { conversationId });
  let page = newest;
  let messages: readonly Message[] = [];
  let variants: readonly Variant[] = [];
  while (page.ok) {
    messages = [...page.data.messages, ...messages];
    variants = [...page.data.variants, ...variants];
    const before = page.data.earlier;
    if (before === undefined) break;
    const known = useChat.getState().threads.get(conversationId)?.messages ?? [];
    const at = known.findIndex(({ id }) => id === before);
    if (at > 0) {
      const ids = new Set(known.slice(0, at).map(({ id }) => id));
      const beside = useChat.getState().threads.get(conversationId)?.variants ?? [];
      messages = [...known.slice(0, at), ...messages];
      variants = [...beside.filter(({ messageId }) => ids.has(messageId)), ...variants];
      break;
    }
    page = await call('chat.get', { conversationId, before });
  }
  if (!newest.ok || !page.ok) return page;
  return { ok: true, data: { ...newest.data, messages: [...messages], variants: [...variants] } };
}

/** Reads a conversation again after events may have been missed. */
export async function reloadThread(conversationId: string): Promise<void> {
  assembler.reset();
  await readThread(conversationId);
}

export function selectConversation(selectedId: string | undefined): void {
  // Selecting the open chat again changes nothing in it.
  set((state) => ({
    picks: state.picks + 1,
    ...(selectedId !== state.selectedId && { selectedId, asking: undefined, drafted: NONE_DRAFTED }),
  }));
}

/** Selects the chat and updates the address, unless another page is open by then. */
export function pick(id: string | undefined): void {
  selectConversation(id);
  if (parseRoute(window.location.hash).page !== 'chat') return;
  replaceParams('chat', id === undefined ? {} : { conversation: id });
}

/** Selects the chat of an answer, unless another one was picked while waiting (`since`). */
export function pickSince(since: number, id: string): void {
  if (since === useChat.getState().picks) pick(id);
}

const NO_DRAFT: Draft = { text: '' };
export const draftOf = (state: ChatView, id: string): Draft => state.drafts.get(id) ?? NO_DRAFT;

export function setDraft(id: string, change: Partial<Draft>): void {
  set((state) => ({ drafts: new Map(state.drafts).set(id, { ...draftOf(state, id), ...change }) }));
}

export const putDraft = (id: string, draft: Draft): void =>
  set(({ drafts }) => ({ drafts: new Map(drafts).set(id, draft) }));

export const editOf = ({ edits }: Pick<ChatView, 'edits'>, { id, text }: Message): string => edits.get(id) ?? text;

export const setEdit = (messageId: string, text: string): void =>
  set(({ edits }) => ({ edits: new Map(edits).set(messageId, text) }));

export const leavePictures = (messageId: string, pictures: readonly string[]): void =>
  set(({ leftPictures }) => ({ leftPictures: new Map(leftPictures).set(messageId, pictures) }));

export const forgetEdit = (messageId: string): void =>
  set(({ edits, leftPictures }) => ({
    edits: new Map([...edits].filter(([id]) => id !== messageId)),
    leftPictures: new Map([...leftPictures].filter(([id]) => id !== messageId)),
  }));

export const leaveOut = (draftId: string, isLeft: boolean): void =>
  set(({ leftOut }) => {
    const others = [...leftOut].filter((id) => id !== draftId);
    return { leftOut: new Set(isLeft ? [...others, draftId] : others) };
  });

/** Clears the text and pictures of a sent message; the other settings stay. */
export const emptyDraft = (id: string): void => setDraft(id, { text: '', pictures: [] });

export function isDrafted(id: string, { text, pictures = [] }: Draft): boolean {
  const now = draftOf(useChat.getState(), id);
  const { pictures: shown = [] } = now;
  return now.text === text && shown.length === pictures.length && shown.every((one, at) => one === pictures[at]);
}

/** Pieces of an answer arrive faster than frames; they are shown once a frame. */
const touched = new Map<string, Set<string>>();

function flush(): void {
  const heard = [...touched];
  touched.clear();
  for (const [id, messageIds] of heard) {
    const thread = useChat.getState().threads.get(id);
    if (!thread) continue;
    const known = new Set(thread.messages.map((message) => message.id));
    const isNew = (messageId: string) => !known.has(messageId) && !thread.asked?.has(messageId);
    const isLoose = [...messageIds].some(
      (messageId) => isNew(messageId) || (known.has(messageId) && assembler.isIncomplete(messageId)),
    );
    if (isLoose && !reading.has(id)) void readThread(id);
    patchThread(id, (old) => ({
      ...old,
      asked: new Set([...(old.asked ?? []), ...messageIds]),
      messages: old.messages.map((message) =>
        messageIds.has(message.id) && !ENDED.includes(message.state) ? assembler.shown(message) : message,
      ),
    }));
  }
}

const ENDED: readonly Message['state'][] = ['done', 'partial', 'failed'];

/** The thread has been read or is being read for the first time: an answer on its way may be older than an event. */
const isKnown = (id: string): boolean => useChat.getState().threads.has(id) || reading.has(id);

/** Patches the threads that have been read while the page is open; threads are read again when the page opens. */
export function patchThreads(event: StudioEvent): void {
  if (event.type === 'chat.delta') {
    assembler.addDelta(event);
    if (touched.size === 0) requestAnimationFrame(flush);
    touched.set(event.conversationId, (touched.get(event.conversationId) ?? new Set()).add(event.messageId));
  }
  if (event.type === 'message.changed') {
    const { message } = event;
    if (!isKnown(message.conversationId)) return;
    reading.get(message.conversationId)?.heard.add(message.id);
    // An event shows the studio's current state, even if the thread has not been read from it yet.
    patchThread(message.conversationId, (thread) => ({
      ...thread,
      connection: thread.connection ?? useStudio.getState().connection,
      messages: withMessage(thread, message),
    }));
  }
  if (event.type === 'conversation.changed' && isKnown(event.conversationId)) void readThread(event.conversationId);
}

function withMessage({ messages, branch }: Thread, message: Message): readonly Message[] {
  const known = messages.find(({ id }) => id === message.id);
  const next = merged(known, message);
  if (known) return messages.map((old) => (old === known ? next : old));
  return branch === undefined || branch === message.branch ? [...messages, next] : messages;
}
