import type { ChatResult } from '../../../../shared/job.ts';
import { approximateTokens, type ChatRequest, readOf } from '../../../../shared/kinds/chat.ts';
import { ok } from '../../../../shared/result.ts';
import { billableTokens } from '../../ledger/index.ts';
import type { StreamDriver } from './driver.ts';

const calledIn = ({ toolCalls = [] }: ChatResult): string =>
  toolCalls.map((call) => `${call.name} ${call.arguments}`).join('\n');

export const chatDriver: StreamDriver<ChatRequest> = {
  protocol: 'stream',
  hasCostRecord: true,
  prepareStream(_deps, { request }) {
    const { model, messages, stream = true, tools } = request;
    const submitRequest = { model, messages, stream, ...(tools ? { tools } : {}) };
    return ok((gateway, send, onDelta) => gateway.chat(submitRequest, send, onDelta));
  },
  countUsage(request, result, limits) {
    const { usage } = result;
    if (usage) return billableTokens(request, { ...result, usage }, limits);
    const quantity = {
      inputTokens: approximateTokens(request.messages.map(readOf).join('\n')),
      outputTokens:
        approximateTokens(result.text) +
        approximateTokens(result.reasoning ?? '') +
        approximateTokens(calledIn(result)),
    };
    return { quantity, note: 'tokens estimated: the service sent no usage' };
  },
};
