import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnswerPlayer, answerPlayer } from '../../testing/answers.ts';
import { casesOf } from '../../testing/cases.ts';

/** Answers of video services to a submit, each played with one of the deliveries. Nothing is sent twice. */
let player: AnswerPlayer;
beforeAll(async () => {
  player = await answerPlayer();
});
afterAll(() => player.server.close());

test.each(casesOf('video-submits').map((one, index) => [one.name, one, index] as const))(
  'video submit: %s',
  async (_name, one, index) => {
    const before = player.server.requests.length;
    const outcome = await player.outcomeOf('video-submits', one, index);
    expect(outcome).toMatchObject(one.expect);
    if (one.expect.type === 'accepted') expect(outcome.pollPath).toBe(one.expect.pollPath);
    expect(player.server.requests.length - before).toBe(1);
  },
);
