import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExchangePlayer, exchangePlayer, exchanges } from './testing/exchanges.ts';

/** Complete exchanges as services of this family document them: the answer to the submit and those to the polls after it. */
let player: ExchangePlayer;
beforeAll(async () => {
  player = await exchangePlayer();
});
afterAll(() => player.server.close());

test.each(exchanges().map((exchange, index) => [`${exchange.kind}: ${exchange.name}`, exchange, index] as const))(
  '%s',
  async (_name, exchange, index) => {
    const outcomes = await player.outcomesOf(exchange, index);
    expect(outcomes).toMatchObject(exchange.answers.map((answer) => answer.expect));
  },
);
