import { setImmediate } from 'node:timers/promises';

/** What a bundle has thousands of is read and written a few in each turn of the event loop. */
export const turns = { next: (): Promise<unknown> => setImmediate() };

/** Read or judged in one turn. */
export const READ_PER_TURN = 50;

/** The items with their numbers, so many in a turn. */
export async function* inTurns<T>(items: Iterable<T>, perTurn = READ_PER_TURN): AsyncGenerator<[number, T]> {
  let at = 0;
  for (const item of items) {
    if (at > 0 && at % perTurn === 0) await turns.next();
    yield [at, item];
    at += 1;
  }
}
