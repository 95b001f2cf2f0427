import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { aConversation, aMessage, aThread, chatOf, freshChat, openChat } from '../../testing/chatPage.tsx';
import { labelled, says, textOf } from '../../testing/find.ts';
import { aJob, byText, click, showOver, type, until } from '../../testing/page.tsx';
import { ChatPage } from './ChatPage.tsx';
import { useChat } from './state.ts';

const conversation = aConversation();
const answers = chatOf([]);

beforeEach(() => freshChat());

describe('the list of chats', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ ...conversation, id: `c${n}`, title: `Chat ${n}`, revision: 1 }));

  it('reads and draws only what is in view of thousands, and has the length of the whole', async () => {
    const all = many(6_000);
    const studio = await showOver(<ChatPage />, {
      ...answers,
      'chat.list': ({ offset = 0, limit = 100 }) => ({
        conversations: all.slice(offset, offset + limit),
        total: 6_000,
      }),
    });
    await until(() => expect(document.querySelectorAll('.convs li').length).toBeGreaterThan(5));
    expect(document.querySelectorAll('.convs li').length).toBeLessThan(60);
    expect(document.querySelector('.convs li')?.getAttribute('aria-setsize')).toBe('6000');
    expect((document.querySelector('.convs') as HTMLElement).style.height).toBe('300000px');
    expect(studio.callsOf('chat.list').length).toBeLessThan(3);
  });

  it('looks through the newest messages while a word is typed, and through all once typing rests', async () => {
    const older = { ...conversation, id: 'older', title: 'Wharf at dawn' };
    const studio = await showOver(<ChatPage />, {
      ...answers,
      'chat.list': ({ text, upTo }) =>
        text && upTo
          ? { conversations: [conversation], total: 1, isMore: true as const }
          : { conversations: text ? [conversation, older] : [conversation], total: text ? 2 : 1 },
    });
    await type(byText(labels.searchChats, 'input') as HTMLInputElement, 'w');
    await until(() => byText('Wharf at dawn'));
    const asked = studio.callsOf('chat.list').filter((one) => (one as { text?: string }).text === 'w');
    expect(asked.map((one) => (one as { upTo?: number }).upTo)).toEqual([1_000, undefined]);
    useChat.setState({ search: '' });
  });
});

it('what is in doubt stands beside what was charged: in the list, beside the chat, before it is deleted, at the answer', async () => {
  const stopped = aMessage({ text: 'Half', state: 'partial', jobId: 'doubted' });
  const doubtful = { ...conversation, uncertainNano: 90_000_000 };
  const money = { chargedNano: 0, uncertainNano: 90_000_000 };
  const job = aJob({ id: 'doubted', state: 'canceled', money: { ...aJob().money, ...money } });
  await openChat({
    ...answers,
    'chat.list': () => ({ conversations: [doubtful], total: 1 }),
    'chat.get': () => ({ ...aThread([]), conversation: doubtful, messages: [stopped] }),
    'chat.branches': () => ({
      branches: [],
      way: { messageCount: 2, chargedNano: 0, uncertainNano: 90e6, unpriced: 0 },
    }),
    'jobs.get': () => job,
  });
  expect(byText('Night', '.conv').textContent).toContain('$0.00, $0.09 unconfirmed');
  await until(() =>
    expect(byText(labels.costSoFar, '.sec').textContent).toContain('2 messages$0.00, $0.09 unconfirmed'),
  );
  await until(() => expect(textOf('.ended')).toBe('Stopped by you. The text so far is kept. $0.09 is unconfirmed.'));
  await click(labelled('Delete Night'));
  await says('The cost, $0.00, $0.09 unconfirmed, stays in the ledger.');
});
