import { expect, test } from 'vitest';
import { CALLS_PER_TURN, TurnGate } from './timeSlicing.ts';

/** A loop whose turns the test runs, and a clock that calls move. */
function loop() {
  let now = 0;
  let due: (() => void)[] = [];
  let isAnswered = false;
  const done: string[] = [];
  const gate = new TurnGate({ now: () => now, later: (run) => void due.push(run) });
  const call = async (name: string, ms: number): Promise<void> => {
    const turn = gate.enter();
    if (turn) await turn;
    done.push(name);
    now += ms;
    if (isAnswered) gate.leave();
  };
  const nextTurn = async (): Promise<void> => {
    const runs = due;
    due = [];
    for (const run of runs) run();
    for (let n = 0; n < 5; n++) await undefined;
  };
  const answerAtOnce = (): void => {
    isAnswered = true;
  };
  return { call, done, nextTurn, answerAtOnce, idle: () => due.length === 0 };
}

test('calls that come together share a turn while it is short, and the others follow a few a turn, in their order', async () => {
  const { call, done, nextTurn, idle } = loop();
  const names = Array.from({ length: 2 * CALLS_PER_TURN + 1 }, (_, at) => `call ${at}`);
  const calls = names.map((name) => call(name, 4));
  expect(done).toEqual(names.slice(0, CALLS_PER_TURN));
  await nextTurn();
  expect(done).toEqual(names.slice(0, 2 * CALLS_PER_TURN));
  calls.push(call('the last', 4));
  await nextTurn();
  await Promise.all(calls);
  expect(done).toEqual([...names, 'the last']);
  await nextTurn();
  expect(idle()).toBe(true);
});

test('a few that come together are not parted, however long their turn has been going on', () => {
  const { call, done } = loop();
  void call('what takes long', 50);
  void call('one window', 1);
  void call('the other', 1);
  expect(done).toEqual(['what takes long', 'one window', 'the other']);
});

test('one that comes once the others are answered is not held up', async () => {
  const { call, done, answerAtOnce } = loop();
  answerAtOnce();
  const names = Array.from({ length: 3 * CALLS_PER_TURN }, (_, at) => `call ${at}`);
  for (const name of names) await call(name, 10);
  expect(done).toEqual(names);
});

test('short calls are not held up, however many there are', () => {
  const { call, done } = loop();
  for (let n = 0; n < 100; n++) void call(String(n), 0);
  expect(done).toHaveLength(100);
});
