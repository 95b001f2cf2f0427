import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnswerPlayer, answerPlayer } from '../../testing/answers.ts';
import { casesOf } from '../../testing/cases.ts';

/** What services of this family answer when they are asked how a video is doing, each played in one of the manners of the wire. */
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
