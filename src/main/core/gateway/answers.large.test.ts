import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Exchange, recorded } from '../../../../test/helpers/gateway/cases.ts';
import { DELIVERIES } from '../../../../test/helpers/gateway/delivery.ts';
import { type Player, playerOf } from '../../../../test/helpers/gateway/player.ts';

/** Answers as services of this family send and document them, and the client's outcome for each. */
const all = recorded();

describe('read from memory', () => {
  const player = playerOf();
  test.each([...all.keys()])('%s', async (name) => readsAsRecorded(await player, name));
});

/** Their bytes, lines and lengths depend most on how they arrive. */
const DELIVERED = [
  'chat-streams: anthropic',
  'chat-streams: CRLF',
  'chat-streams: CR alone',
  'chat-streams: a byte order mark',
  'chat-streams: lines of generated text',
  'chat-calls: one id at two indexes, in pieces',
  'chat-bodies: behind a byte order mark',
  'chat-unreadable: half a document',
  'chat-unreadable: white space',
  'chat-unreadable: nothing',
  'chat-errors: one-api sensitive',
  'chat-errors: a wait told twice',
  'statuses: 408',
  'video-submits: a long log with status pages',
  'video-submits: a stream with a log',
  'video-submits: see other: it was taken',
  'image-submits: 503 page of Varnish with its Retry-After',
  'image-polls: code 4, unknown',
  'video: fal to its end',
  'ended-links: expired',
];

describe.each(DELIVERIES)('delivered %s', (delivery) => {
  let player: Player;
  beforeAll(async () => {
    player = await playerOf(delivery);
  });
  afterAll(() => player.close());
  test.each(DELIVERED)('%s', (name) => readsAsRecorded(player, name));
});

/** No request is sent more often than it says, and a chat's outcome is the same whether or not a stream was asked for. */
async function readsAsRecorded(player: Player, name: string): Promise<void> {
  const exchange = all.get(name) as Exchange;
  for (const stream of exchange.kind === 'chat' ? [true, false] : [true]) {
    const before = player.sent();
    const outcomes = await player.outcomesOf(exchange, stream);
    expect(outcomes).toMatchObject(exchange.answers.map((one) => one.expect));
    // A chat that is not streamed has no second spelling here.
    if (isSubmit(exchange)) expect(player.sent() - before).toBe(stream ? (exchange.requests ?? 1) : 1);
  }
}

const isSubmit = ({ kind, answers }: Exchange): boolean =>
  ['chat', 'video', 'image'].includes(kind) && answers.length === 1;
