import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnswerPlayer, answerPlayer } from '../../testing/answers.ts';
import { casesOf } from '../../testing/cases.ts';

/** What image services of this family answer to an order and to a fetch, each played in one of the manners of the wire. */
let player: AnswerPlayer;
beforeAll(async () => {
  player = await answerPlayer();
});
afterAll(() => player.server.close());

const numbered = (file: string) => casesOf(file).map((one, index) => [one.name, one, index] as const);

test.each(numbered('image-submits'))('image submit: %s', async (_name, one, index) => {
  const before = player.server.requests.length;
  const outcome = await player.outcomeOf('image-submits', one, index);
  expect(outcome).toMatchObject(one.expect);
  if (one.expect.type === 'accepted') expect(outcome.pollPath).toBe(one.expect.pollPath);
  // Another spelling of the key header is tried on a 403 only, and then the order was definitely not taken.
  if (one.status !== 403) expect(player.server.requests.length - before).toBe(1);
});

test.each(numbered('image-polls'))('image poll: %s', async (_name, one, index) => {
  const outcome = await player.outcomeOf('image-polls', one, index);
  expect(outcome).toMatchObject(one.expect);
  expect(outcome.progress).toBe(one.expect.progress);
});
