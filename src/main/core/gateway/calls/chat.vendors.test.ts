import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Case, casesOf } from '../testing/cases.ts';
import { clientOf, SEND } from '../testing/client.ts';
import { type Manner, mannerOf, play, type Script } from '../testing/played.ts';
import { type RawServer, rawServer } from '../testing/rawServer.ts';
import type { ChatOutcome } from '../types.ts';

/**
 * Chat answers as services of this kind write them, each put on the wire in four manners and to both ways of asking: what is read must
 * be the same.
 */
const FILES = ['chat-streams', 'chat-calls', 'chat-bodies', 'chat-unreadable', 'chat-errors'];

let server: RawServer;
let script: Script;
let manner: Manner;
beforeAll(async () => {
  server = await rawServer((_request, socket) => play(socket, manner, script));
});
afterAll(() => server.close());

test.each(FILES.flatMap((file) => casesOf(file).map((one): [string, Case] => [`${file}: ${one.name}`, one])))(
  '%s',
  async (_name, one) => {
    script = one;
    for (const round of [0, 1, 2, 3]) {
      manner = mannerOf(round);
      const before = server.got.length;
      expect({ manner, ...(await played(round % 2 === 0)) }).toMatchObject(wanted(one));
      expect(server.got.length - before).toBe(1);
    }
  },
);

/** A case that does not speak of reasoning or calls has none. */
function wanted({ expect: given }: Case): Case['expect'] {
  return given.type === 'answered' ? { reasoning: '', calls: [], ...given } : given;
}

const PROMPT = 'Explain "rate limit reached", an insufficient quota and https://x.example/a.mp4 to me.';

async function played(stream: boolean): Promise<Record<string, unknown>> {
  const { gateway } = clientOf(server.url);
  const streamed = { text: '', reasoning: '' };
  const messages = [{ role: 'user' as const, content: PROMPT }];
  const outcome = await gateway.chat({ model: 'm', messages, stream }, SEND, ({ channel, text }) => {
    streamed[channel] += text;
  });
  await gateway.close();
  return { ...told(outcome, streamed) };
}

/** An outcome as the cases write it. What was handed out on the way must join to what is kept. */
function told(outcome: ChatOutcome, streamed: { text: string; reasoning: string }): Record<string, unknown> {
  const { kind, message, accepted, retryable, retryAfterMs: waitMs, requestId } = { ...outcome.error };
  const error = outcome.error ? { kind, message, accepted, retryable, waitMs, requestId } : {};
  if (outcome.type !== 'answered') return { type: outcome.type, ...error };
  const { text, reasoning = '', finishReason, toolCalls = [], usage } = outcome.result;
  expect(streamed).toEqual({ text, reasoning });
  return {
    type: outcome.complete ? 'answered' : 'cut',
    text,
    reasoning,
    finish: finishReason,
    calls: toolCalls.map((call) => [call.id, call.name, call.arguments]),
    id: outcome.remoteId,
    ...(usage ? { usage: [usage.promptTokens, usage.completionTokens, usage.totalTokens] } : {}),
    ...error,
  };
}
