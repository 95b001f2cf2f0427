import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnswerPlayer, answerPlayer } from '../../testing/answers.ts';
import { casesOf } from '../../testing/cases.ts';

/** Answers of image services to a submit and to a fetch, each played with one of the deliveries. */
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
  // Another spelling of the key header is tried only after a 403, and then the request was definitely not accepted.
  if (one.status !== 403) expect(player.server.requests.length - before).toBe(1);
});

test.each(numbered('image-polls'))('image poll: %s', async (_name, one, index) => {
  const outcome = await player.outcomeOf('image-polls', one, index);
  expect(outcome).toMatchObject(one.expect);
  expect(outcome.progress).toBe(one.expect.progress);
});
