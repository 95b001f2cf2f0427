import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ChatDelta } from '../gateway/index.ts';
import { deltaTeller } from './sending/persist.ts';

test('letters that arrive in one turn are told as one piece, in their order', async () => {
  const told: ChatDelta[] = [];
  const teller = deltaTeller((delta) => told.push(delta));
  for (let at = 0; at < 10_000; at += 1) teller.add({ channel: at < 4_000 ? 'reasoning' : 'text', text: 'x' });
  expect(told).toEqual([]);
  await nextTurn();
  expect(told.map(({ channel, text }) => [channel, text.length])).toEqual([
    ['reasoning', 4_000],
    ['text', 6_000],
  ]);
  teller.add({ channel: 'text', text: 'y' });
  teller.flush();
  await nextTurn();
  expect(told.slice(2)).toEqual([{ channel: 'text', text: 'y' }]);
});
