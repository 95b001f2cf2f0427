import { expect, test } from 'vitest';
import { TurnGate } from './turnGate.ts';

/** A loop whose turns the test runs, and a clock that calls move. */
function loop() {
  let now = 0;
  let due: (() => void)[] = [];
  const done: string[] = [];
  const gate = new TurnGate({ now: () => now, later: (run) => void due.push(run) });
  const call = async (name: string, ms: number): Promise<void> => {
    const turn = gate.enter();
    if (turn) await turn;
    done.push(name);
    now += ms;
  };
  const nextTurn = async (): Promise<void> => {
    const runs = due;
    due = [];
    for (const run of runs) run();
    for (let n = 0; n < 5; n++) await undefined;
  };
  return { call, done, nextTurn, idle: () => due.length === 0 };
}

test('calls that come together share a turn while it is short, and the others follow one a turn, in their order', async () => {
  const { call, done, nextTurn, idle } = loop();
  const calls = ['a', 'b', 'c', 'd', 'e'].map((name) => call(name, 4));
  expect(done).toEqual(['a', 'b']);
  await nextTurn();
  expect(done).toEqual(['a', 'b', 'c']);
  calls.push(call('f', 4));
  await nextTurn();
  await nextTurn();
  expect(done).toEqual(['a', 'b', 'c', 'd', 'e']);
  await nextTurn();
  await Promise.all(calls);
  expect(done.at(-1)).toBe('f');
  await nextTurn();
  expect(idle()).toBe(true);
});

test('short calls are not held up, however many there are', () => {
  const { call, done } = loop();
  for (let n = 0; n < 100; n++) void call(String(n), 0);
  expect(done).toHaveLength(100);
});
