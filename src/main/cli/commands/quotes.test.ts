import { expect, test } from 'vitest';
import { ok } from '../../../shared/contract/result.ts';
import { quotes } from './quotes.ts';

const terminal = { isInteractive: false, say: () => undefined, ask: async () => '' };

test('what was asked for is named by the beginning of its words', async () => {
  const request = { kind: 'imagine', prompt: 'The last ferry over to the island, before the bridge, was built' };
  const quote = { id: 'quote_0123456789', state: 'waiting', request, estimateNano: 0, lowNano: 0 };
  const link = async () => ok({ dataDir: '', call: (async () => ok({ quotes: [quote] })) as never });
  const { lines } = await quotes.run({ args: [], flags: {}, terminal, link });
  expect(lines).toEqual([expect.stringMatching(/ {2}The last ferry over to the island, before the bridge, was…$/)]);
});
