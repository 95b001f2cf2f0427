import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnswerPlayer, answerPlayer } from '../../testing/answers.ts';
import { casesOf } from '../../testing/cases.ts';

/** Answers of video services to a poll, each played with one of the deliveries. */
let player: AnswerPlayer;
beforeAll(async () => {
  player = await answerPlayer();
});
afterAll(() => player.server.close());

test.each(casesOf('video-polls').map((one, index) => [one.name, one, index] as const))(
  'video poll: %s',
  async (_name, one, index) => {
    const outcome = await player.outcomeOf('video-polls', one, index);
    expect(outcome).toMatchObject(one.expect);
    expect(outcome.progress).toBe(one.expect.progress);
  },
);
