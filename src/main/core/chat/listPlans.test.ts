import { expect, test } from 'vitest';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { withPlans } from '../../../../test/helpers/plans.ts';
import type { CallParsed } from '../../../shared/contract/contract.ts';
import { sql } from '../store/index.ts';
import { listConversations } from './conversations.ts';

const startEngine = engineHarnesses();

test.each<[CallParsed<'chat.list'>, string[]]>([
  [{ limit: 50 }, ['chat.conversations', 'chat.count']],
  [{ limit: 50, projectId: 'p1' }, ['chat.conversations', 'chat.count']],
  [{ limit: 50, text: 'a' }, ['chat.found']],
  [{ limit: 50, text: 'a', projectId: 'p1', cursor: '[5,"conv"]' }, ['chat.found']],
  [{ limit: 50, text: 'a', upTo: 7 }, ['chat.hitsUpTo', 'chat.found']],
])('the list of chats reads an index in its order: %j', (filter, names) => {
  const db = withPlans(startEngine().store.read);
  listConversations(db, filter);
  expect(db.plans.map(({ name }) => name)).toEqual(names);
  for (const { name, plan } of db.plans) {
    // What was found is scanned by the name of the table.
    expect(plan.split('SCAN found;')[0]).not.toMatch(/SCAN (c|m|j)(;|$)/);
    if (filter.text !== undefined) expect(plan).toMatch(/VIRTUAL TABLE INDEX \d+:M/);
    if (name !== 'chat.hitsUpTo') expect(plan).toMatch(/(SCAN|SEARCH) c USING COVERING INDEX conversations_listed/);
  }
});

test('no more than the newest hits are looked up while a word is typed, each in the index of its number', () => {
  const { store } = startEngine();
  store.transaction((write) => {
    for (const id of ['c1', 'c2'])
      write.run(
        sql('test.chat', `INSERT INTO conversations (id, title, created_at, updated_at) VALUES ($id, 'amber', 0, 0)`),
        { id },
      );
  });
  const db = withPlans(store.read);
  expect(listConversations(db, { limit: 50, text: 'a', upTo: 1 })).toMatchObject({ total: 1, isMore: true });
  expect(db.plans.map(({ name }) => name)).toEqual(['chat.hitsUpTo', 'chat.found', 'chat.conversationsByIds']);
  const [, found, byIds] = db.plans.map(({ plan }) => plan);
  expect(found).not.toContain('conversations_listed');
  expect(found).toMatch(/SEARCH m USING INTEGER PRIMARY KEY \(rowid=\?\)/);
  expect(found).toMatch(/SEARCH k USING INDEX conversations_by_number \(seq=\?\)/);
  expect(found).toMatch(/SEARCH c USING INDEX sqlite_autoindex_conversations_1 \(id=\?\)/);
  expect(byIds).toMatch(/SEARCH c USING INDEX sqlite_autoindex_conversations_1 \(id=\?\)/);
});
