import { vi } from 'vitest';
import type { ThreadPage } from '../../shared/chat/chatCalls.ts';
import type { Conversation, Message } from '../../shared/chat/conversation.ts';
import type { ProfileView } from '../../shared/gateway/profile.ts';
import { useStudio } from '../app/index.ts';
import { ChatPage } from '../features/chat/ChatPage.tsx';
import { useChat } from '../features/chat/state.ts';
import { useSends } from '../spending/index.ts';
import { aProfile } from './aProfile.ts';
import { type Answers, byText, click, type FakeStudio, showOver } from './page.tsx';

/** Chats for tests of pages; what a test looks at is given. */

export const aConversation = (more: Partial<Conversation> = {}): Conversation => ({
  ...{ id: 'c', revision: 1, title: 'Night', createdAt: 1, updatedAt: 1, messageCount: 2 },
  ...{ chargedNano: 0, uncertainNano: 0, unpriced: 0, director: true },
  ...more,
});

/** An answer that is whole. */
export const aMessage = (more: Partial<Message> = {}): Message => ({
  ...{ id: 'm', revision: 1, conversationId: 'c', branch: 'b', role: 'assistant', text: '', state: 'done' },
  ...{ jobId: 'j', createdAt: 1 },
  ...more,
});

export const aThread = (messages: Message[], more: Partial<ThreadPage> = {}): ThreadPage => ({
  ...{ conversation: aConversation(), messages, branches: [], branch: 'b', variants: [] },
  ...more,
});

/** What a studio answers that has one chat, of these messages. */
export const chatOf = (messages: Message[], conversation = aConversation()): Answers => ({
  'chat.list': () => ({ conversations: [conversation], total: 1 }),
  'chat.get': () => aThread(messages, { conversation }),
  'ledger.estimate': () => ({ items: [], estimateNano: 4_400_000, lowNano: 1_500_000, settled: false, unpriced: 0 }),
  'prices.list': () => ({ prices: [] }),
});

/** The page of chats as at the first start, or with this chat chosen. */
export function freshChat(profile: ProfileView = aProfile(), selectedId?: string): void {
  vi.stubGlobal('requestAnimationFrame', (work: () => void) => setTimeout(work, 0));
  window.location.hash = '';
  useStudio.setState({ profiles: [profile], activeProfileId: 'p' });
  useChat.setState({ threads: new Map(), drafts: new Map(), edits: new Map(), leftOut: new Set() });
  useChat.setState({ selectedId, asking: undefined, search: '' });
  useSends.setState({ last: {} });
}

/** The page over a studio that answers so, with its chat open. */
export async function openChat(answers: Answers): Promise<FakeStudio> {
  const studio = await showOver(<ChatPage />, answers);
  await click(byText('Night', '.conv'));
  return studio;
}
