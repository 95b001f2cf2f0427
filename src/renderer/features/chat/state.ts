import { create } from 'zustand';
import type { Conversation, Message } from '../../../shared/conversation.ts';
import { call, type StudioError, type StudioEvent } from '../../client/index.ts';

export interface Thread {
  conversation?: Conversation;
  messages: readonly Message[];
  error?: StudioError;
}

/** What the user has set for the next message of a conversation, and what stands in its box. */
export interface Draft {
  text: string;
  model?: string;
  system?: string;
}

interface ChatView {
  selectedId?: string;
  threads: ReadonlyMap<string, Thread>;
  drafts: ReadonlyMap<string, Draft>;
  search: string;
}

/** The key of the draft of a conversation that does not exist yet. */
export const NEW = 'new';

export const useChat = create<ChatView>()(() => ({ threads: new Map(), drafts: new Map(), search: '' }));

const set = useChat.setState;

function patchThread(id: string, change: (thread: Thread) => Thread): void {
  set(({ threads }) => ({ threads: new Map(threads).set(id, change(threads.get(id) ?? { messages: [] })) }));
}

/** Reads a conversation; what is shown of it stays until the answer is there. */
export async function readThread(conversationId: string): Promise<void> {
  const answer = await call('chat.get', { conversationId });
  patchThread(conversationId, (thread) =>
    answer.ok
      ? { conversation: answer.data.conversation, messages: answer.data.messages }
      : { ...thread, error: answer.error },
  );
}

export const selectConversation = (selectedId: string | undefined): void => set({ selectedId });

const NO_DRAFT: Draft = { text: '' };
export const draftOf = (state: ChatView, id: string): Draft => state.drafts.get(id) ?? NO_DRAFT;

export function setDraft(id: string, change: Partial<Draft>): void {
  set((state) => ({ drafts: new Map(state.drafts).set(id, { ...draftOf(state, id), ...change }) }));
}

/** Pieces of an answer come faster than a screen is drawn; they are joined once a frame. */
let pending: Extract<StudioEvent, { type: 'chat.delta' }>[] = [];

function flush(): void {
  const deltas = pending;
  pending = [];
  for (const [id, own] of Map.groupBy(deltas, (delta) => delta.conversationId)) {
    const thread = useChat.getState().threads.get(id);
    if (!thread) continue;
    if (!own.every((delta) => thread.messages.some((message) => message.id === delta.messageId))) void readThread(id);
    patchThread(id, (old) => ({ ...old, messages: old.messages.map((message) => grown(message, own)) }));
  }
}

function grown(message: Message, deltas: typeof pending): Message {
  const own = deltas.filter(({ messageId }) => messageId === message.id);
  if (own.length === 0 || ['done', 'partial', 'failed'].includes(message.state)) return message;
  const joined = (channel: 'reasoning' | undefined) =>
    own
      .filter((delta) => delta.channel === channel)
      .map(({ text }) => text)
      .join('');
  const reasoning = `${message.reasoning ?? ''}${joined('reasoning')}`;
  return {
    ...message,
    state: 'streaming',
    text: message.text + joined(undefined),
    ...(reasoning === '' ? {} : { reasoning }),
  };
}

/** Patches the threads that have been read, while the page is open; it reads them again when it opens. */
export function patchThreads(event: StudioEvent): void {
  if (event.type === 'chat.delta') {
    if (pending.length === 0) requestAnimationFrame(flush);
    pending.push(event);
  }
  if (event.type === 'message.changed') {
    const { message } = event;
    if (!useChat.getState().threads.has(message.conversationId)) return;
    pending = pending.filter(({ messageId }) => messageId !== message.id);
    patchThread(message.conversationId, (thread) => ({ ...thread, messages: withMessage(thread.messages, message) }));
  }
  if (event.type === 'conversation.changed' && useChat.getState().threads.has(event.conversationId)) {
    void readThread(event.conversationId);
  }
}

/** The studio's own text replaces what was joined here, unless that is further on already. */
function withMessage(messages: readonly Message[], message: Message): Message[] {
  const known = messages.some(({ id }) => id === message.id);
  if (!known) return [...messages, message];
  return messages.map((old) => {
    if (old.id !== message.id) return old;
    const behind = message.state === 'streaming' && message.text.length < old.text.length;
    return behind ? { ...message, text: old.text, reasoning: old.reasoning } : message;
  });
}
