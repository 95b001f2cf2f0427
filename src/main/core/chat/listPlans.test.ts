import { expect, test } from 'vitest';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { withPlans } from '../../../../test/helpers/plans.ts';
import type { CallParsed } from '../../../shared/contract.ts';
import { listConversations } from './conversations.ts';

const startEngine = engineHarnesses();

/** Bug: with 100,000 jobs, a letter in the list of chats held everything else up for 221 ms: the words of each title were made anew. */
test.each<CallParsed<'chat.list'>>([
  { limit: 50 },
  { limit: 50, projectId: 'p1' },
  { limit: 50, text: 'a' },
  { limit: 50, text: 'a', projectId: 'p1', cursor: '5.conv' },
])('the list of chats reads an index in its order: %j', (filter) => {
  const db = withPlans(startEngine().store.read);
  listConversations(db, filter);
  expect(db.plans.map(({ name }) => name)).toEqual(['chat.conversations', 'chat.count']);
  for (const { plan } of db.plans) {
    expect(plan).toMatch(/(SCAN|SEARCH) c USING COVERING INDEX conversations_listed/);
    expect(plan).not.toMatch(/SCAN (c|m|j)(;|$)/);
    if (filter.text !== undefined) expect(plan).toMatch(/SCAN conversations_fts VIRTUAL TABLE INDEX \d+:M/);
  }
});
