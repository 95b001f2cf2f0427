import { beforeEach, expect, it, vi } from 'vitest';
import type { Conversation, Message } from '../../../shared/conversation.ts';
import { useStudio } from '../../app/index.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { fakeStudio, show, until } from '../../testing/page.tsx';
import { ChatPage } from './ChatPage.tsx';
import { useChat } from './state.ts';

/** What cannot be drawn takes nothing of the conversation with it: each message and each of its blocks falls by itself. */

const conversation: Conversation = {
  id: 'c',
  revision: 1,
  title: 'Night',
  createdAt: 1,
  updatedAt: 1,
  messageCount: 3,
  chargedNano: 0,
  uncertainNano: 0,
  unpriced: 0,
  director: true,
};
const message = (id: string, text: string, more: Partial<Message> = {}): Message => ({
  ...{ id, revision: 1, conversationId: 'c', branch: 'b', role: 'assistant', state: 'done', jobId: 'j', createdAt: 1 },
  text,
  ...more,
});

async function open(...messages: Message[]) {
  useStudio.setState({ profiles: [aProfile()], activeProfileId: 'p' });
  useChat.setState({ threads: new Map(), drafts: new Map(), selectedId: 'c' });
  fakeStudio({
    'chat.list': () => ({ conversations: [conversation], total: 1 }),
    'chat.get': () => ({ conversation, messages, branches: [], branch: 'b', variants: [] }),
    'ledger.estimate': () => ({ items: [], estimateNano: 1, lowNano: 1, settled: true, unpriced: 0 }),
    'prices.list': () => ({ prices: [] }),
  });
  await show(<ChatPage />);
  await until(() => expect(document.querySelectorAll('.msg')).toHaveLength(messages.length));
}

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (work: () => void) => setTimeout(work, 0));
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  window.location.hash = '';
  return () => void vi.restoreAllMocks();
});

const textsOf = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);

it('a block that throws stands as it was written, between those before and behind it', async () => {
  const { canParse } = URL;
  vi.spyOn(URL, 'canParse').mockImplementation((href, base) => {
    if (String(href).includes('broken.example')) throw new Error('cannot be drawn');
    return canParse(href, base);
  });
  const block = 'See [this](https://broken.example/a).';
  await open(message('m1', `# Before\n\n${block}\n\n**behind**`), message('m2', 'Another'));
  expect(textsOf('.msg .body')).toEqual([`Before${block}behind`, 'Another']);
  expect(textsOf('.msg .plain')).toEqual([block]);
  expect(textsOf('.msg .body strong')).toEqual(['behind']);
  expect(document.body.textContent).not.toContain('could not be drawn');
});

it('a message that throws is told by its words, between those before and behind it', async () => {
  await open(message('m1', 'Before'), message('m2', '**Said**', { createdAt: Number.NaN }), message('m3', 'Behind'));
  expect(textsOf('.msg .body')).toEqual(['Before', '**Said**', 'Behind']);
  expect(textsOf('.msg > .t2')).toEqual(['This message could not be drawn; these are its words.']);
  expect(document.querySelector('textarea[aria-label="Message"]')).not.toBeNull();
});
