import { chatPrice } from '../bill.ts';
import { type Gateway, type RequestContext, scaledLatency } from '../context.ts';
import type { IdempotencyGuard } from '../idempotency.ts';
import { promptOf } from '../parseRequest.ts';
import type { ChatRecord } from '../state/records.ts';
import { answerChat } from './chatAnswer.ts';
import { type ParsedChatRequest, parseChatRequest } from './chatRequest.ts';
import { completionBody, completionChunks } from './chatWire.ts';

const FIRST_TOKEN_MS = 350;
const CHUNK_MS = 28;

/**
 * Answers as a language model. The answer is composed, stored and billed before the first byte is sent: a client that disconnects midway
 * has still requested all of it.
 */
export async function chatCompletion(
  gateway: Gateway,
  idempotency: IdempotencyGuard,
  c: RequestContext,
  body: Record<string, unknown>,
) {
  const request = parseChatRequest(body, gateway);
  const id = await idempotency.runOnce(c, async (keysFor) => {
    const answer = answerChat(request, gateway.clock.now());
    const { createdAt: at, model, usage } = answer;
    gateway.state.commit({
      chats: [answer],
      bill: [{ at, id: answer.id, kind: 'chat', model, prompt: promptOf(body), nano: chatPrice(usage) }],
      keys: keysFor(answer.id),
    });
    return answer.id;
  });
  const answer = gateway.state.chats.get(id);
  if (!answer) throw new Error(`chat ${id} was committed and is not there`);
  await gateway.clock.delay(scaledLatency(gateway.settings, FIRST_TOKEN_MS), gateway.closing);
  return request.stream ? streamed(gateway, answer, request) : c.json(completionBody(answer));
}

function streamed(gateway: Gateway, answer: ChatRecord, request: ParsedChatRequest): Response {
  const chunks = completionChunks(answer, request.includeUsage);
  const encoder = new TextEncoder();
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = chunks[next];
      if (next > 0) await gateway.clock.delay(scaledLatency(gateway.settings, CHUNK_MS), gateway.closing);
      next += 1;
      controller.enqueue(encoder.encode(`data: ${chunk ? JSON.stringify(chunk) : '[DONE]'}\n\n`));
      if (!chunk) controller.close();
    },
  });
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    },
  });
}
