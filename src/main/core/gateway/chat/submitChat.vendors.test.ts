import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnswerPlayer, answerPlayer } from '../testing/answers.ts';
import { type Case, casesOf } from '../testing/cases.ts';
import { deliveryOf } from '../testing/delivery.ts';

/** Chat answers of services of this kind, each with four deliveries and to both kinds of request: the result must be the same. */
const FILES = ['chat-streams', 'chat-calls', 'chat-bodies', 'chat-cached', 'chat-unreadable', 'chat-errors'];

let player: AnswerPlayer;
beforeAll(async () => {
  player = await answerPlayer();
});
afterAll(() => player.server.close());

test.each(FILES.flatMap((file) => casesOf(file).map((one): [string, Case] => [`${file}: ${one.name}`, one])))(
  '%s',
  async (name, one) => {
    for (const round of [0, 1, 2, 3]) {
      const before = player.server.requests.length;
      const outcome = await player.outcomeOf(name, one, round);
      expect({ manner: deliveryOf(round), ...outcome }).toMatchObject(wanted(one));
      expect(player.server.requests.length - before).toBe(1);
    }
  },
);

/** A case without reasoning or calls expects none. */
function wanted({ expect: given }: Case): Case['expect'] {
  return given.type === 'answered' ? { reasoning: '', calls: [], ...given } : given;
}
