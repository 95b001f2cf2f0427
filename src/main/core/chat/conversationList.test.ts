import fc from 'fast-check';
import { expect, test } from 'vitest';
import { silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { chatListSchema } from '../../../shared/jobs/lists.ts';
import { openStore, type Store, sql } from '../store/index.ts';
import { listConversations } from './conversations.ts';

const insertChat = sql(
  'test.chat',
  `INSERT INTO conversations (id, title, project_id, removed, created_at, updated_at) VALUES ($id, $title, $project, $removed, 0, $at)`,
);
const insertMessage = sql(
  'test.message',
  `INSERT INTO messages (id, conversation_id, role, text, created_at) VALUES ($id, $chat, 'user', $text, 0)`,
);

const text = fc.constantFrom('amber', 'alder boat', 'boat', 'cloud', '');
const chats = fc.array(
  fc.record({
    title: text,
    project: fc.constantFrom(null, 'p1'),
    removed: fc.constantFrom(0, 0, 0, 1),
    at: fc.nat(5),
    messages: fc.array(text, { maxLength: 3 }),
  }),
  { maxLength: 15 },
);
type Chat = typeof chats extends fc.Arbitrary<(infer One)[]> ? One & { id: string } : never;

function filled(given: readonly Omit<Chat, 'id'>[]): { store: Store; all: Chat[] } {
  const opened = openStore({ dataDir: tempDir('chat-list'), clock: new TestClock(), log: silentLog });
  if (!opened.ok) throw new Error(opened.error.message);
  const store = opened.data;
  const all = given.map((one, index) => ({ ...one, id: `c${String(index).padStart(2, '0')}` }));
  store.transaction((db) => {
    for (const { messages: _, ...chat } of all) db.run(insertChat, chat);
    for (const { id, messages } of all)
      for (const [index, said] of messages.entries())
        db.run(insertMessage, { id: `${id}m${index}`, chat: id, text: said });
  });
  return { store, all };
}

const has = (said: string, typed: string): boolean => said.split(' ').some((word) => word.startsWith(typed));

test('what is found by a text is every chat that has it, each once, page by page; no further than asked, the newest messages', () => {
  const asked = fc.record({
    typed: fc.constantFrom('a', 'boat', 'cl', 'zzz'),
    project: fc.constantFrom(undefined, 'p1'),
    limit: fc.integer({ min: 1, max: 4 }),
    offset: fc.nat(4),
    upTo: fc.integer({ min: 1, max: 6 }),
  });
  fc.assert(
    fc.property(chats, fc.array(asked, { minLength: 4, maxLength: 4 }), (given, questions) => {
      const { store, all } = filled(given);
      for (const { typed, project, limit, offset, upTo } of questions) {
        const list = (more: object) =>
          listConversations(
            store.read,
            chatListSchema.parse({
              text: typed,
              limit,
              ...(project === undefined ? {} : { projectId: project }),
              ...more,
            }),
          );
        const isListed = (chat: Chat) => chat.removed === 0 && (project === undefined || chat.project === project);
        const newestFirst = (some: Chat[]) =>
          some
            .filter(isListed)
            .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
            .map(({ id }) => id);
        const whole = newestFirst(
          all.filter((chat) => [chat.title, ...chat.messages].some((said) => has(said, typed))),
        );
        const page = list({ offset });
        expect(page.conversations.map(({ id }) => id)).toEqual(whole.slice(offset, offset + limit));
        expect(page).toMatchObject({ total: whole.length });
        if (page.nextCursor !== undefined)
          expect(list({ cursor: page.nextCursor }).conversations.map(({ id }) => id)).toEqual(
            whole.slice(offset + limit, offset + 2 * limit),
          );
        const titles = all.filter(({ title }) => has(title, typed));
        const messages = all.flatMap((chat) => chat.messages.filter((said) => has(said, typed)).map(() => chat));
        const isMore = titles.length > upTo || messages.length > upTo;
        const soFar = new Set([...titles.slice(-upTo), ...messages.slice(-upTo)]);
        const found = isMore ? newestFirst([...soFar]) : whole;
        const bounded = list({ offset, upTo });
        expect(bounded.conversations.map(({ id }) => id)).toEqual(found.slice(offset, offset + limit));
        expect([bounded.total, bounded.isMore ?? false]).toEqual([found.length, isMore]);
      }
      store.close();
    }),
    { numRuns: 15 },
  );
});
