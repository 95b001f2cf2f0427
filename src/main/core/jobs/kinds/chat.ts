import { approximateTokens, type ChatRequest } from '../../../../shared/kinds/chat.ts';
import { ok } from '../../../../shared/result.ts';
import { billableTokens } from '../../ledger/index.ts';
import type { StreamDriver } from './driver.ts';

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
      inputTokens: approximateTokens(request.messages.map((message) => message.content).join('\n')),
      outputTokens: approximateTokens(result.text) + approximateTokens(result.reasoning ?? ''),
    };
    return { quantity, note: 'tokens estimated: the service sent no usage' };
  },
};
