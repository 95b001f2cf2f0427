import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import type { ChatResult, Usage } from '../../../../shared/jobs/job.ts';
import {
  approximateTokens,
  type ChatRequest,
  contextOf,
  MAX_PICTURE_BYTES,
  tooManyBytes,
} from '../../../../shared/kinds/chat.ts';
import type { Quantity } from '../../../../shared/money/quantity.ts';
import { t } from '../../../../shared/text/texts.ts';
import type { ChatMessageWith } from '../../../../shared/wire/chat.ts';
import type { ChatSubmitRequest, WireMedia } from '../../gateway/index.ts';
import { billableTokens } from '../../ledger/index.ts';
import { assetOfRef, wireMedia } from '../references.ts';
import type { ClaimedJob, StreamDriver, SubmitDeps } from './driver.ts';

const calledIn = ({ toolCalls = [] }: ChatResult): string =>
  toolCalls.map((call) => `${call.name} ${call.arguments}`).join('\n');

/** No text has fewer tokens than this says: it tells a count of all from one of the beginning, in every language. */
const MOST_CHARACTERS_A_TOKEN = 16;
const lengthOf = (result: ChatResult): number =>
  result.text.length + (result.reasoning ?? '').length + calledIn(result).length;

/** Gemini's for a picture of up to 1024 by 1024 pixels (ai.google.dev/gemini-api/docs/pricing). */
const PICTURE_TOKENS = 1_290;

/** The approximate number of tokens in the answer. */
const tokensThatCame = (result: ChatResult): number =>
  approximateTokens(result.text) +
  approximateTokens(result.reasoning ?? '') +
  approximateTokens(calledIn(result)) +
  PICTURE_TOKENS * (result.pictures ?? 0);

/** Some price books have a separate price for cached tokens. Without them, the stated cost could not be explained. */
const cacheCountsIn = ({ cachedTokens, cacheWriteTokens }: Usage): Quantity => ({
  ...(cachedTokens === undefined ? {} : { cachedTokens }),
  ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
});

export const chatDriver: StreamDriver<ChatRequest> = {
  protocol: 'stream',
  hasCostRecord: true,
  prepareStream(deps, claimed) {
    const submitRequest = submitRequestOf(deps, claimed);
    return submitRequest.ok ? ok((gateway, ...send) => gateway.chat(submitRequest.data, ...send)) : submitRequest;
  },
  countUsage(request, result, limits) {
    const { usage } = result;
    if (!usage) {
      const quantity = { inputTokens: contextOf(request), outputTokens: tokensThatCame(result) };
      return { quantity, hasCounted: false, note: t`Tokens estimated` };
    }
    const counted = billableTokens(request, { ...result, usage }, limits);
    if (counted.rejectedBecause !== undefined) return { ...counted, hasCounted: true };
    // An answer has input and output tokens, so a zero is the default of an unfilled field.
    const came = tokensThatCame(result);
    const inputTokens = usage.promptTokens || (came > 0 ? contextOf(request) : 0);
    const outputTokens = usage.completionTokens || came;
    const isFilled = inputTokens === usage.promptTokens && outputTokens === usage.completionTokens;
    return {
      quantity: { inputTokens, outputTokens, ...cacheCountsIn(usage) },
      // Anthropic counts one token at the beginning (`message_start`) and the rest at the end, which is missing if the answer is cut.
      hasCounted: isFilled && usage.completionTokens * MOST_CHARACTERS_A_TOKEN >= lengthOf(result),
      ...(isFilled ? {} : { note: t`Tokens estimated` }),
    };
  },
};

/** Resolves every picture to an address or a file. */
function submitRequestOf(deps: SubmitDeps, { request, profile }: ClaimedJob<ChatRequest>): Result<ChatSubmitRequest> {
  const { model, stream = true, tools } = request;
  const messages: ChatMessageWith<WireMedia>[] = [];
  let bytes = 0;
  for (const [at, { pictures, ...message }] of request.messages.entries()) {
    const media: WireMedia[] = [];
    for (const [index, ref] of (pictures ?? []).entries()) {
      const picture = wireMedia(deps, `messages.${at}.pictures.${index}`, ref, profile);
      if (!picture.ok) return picture;
      media.push(picture.data);
      bytes += assetOfRef(deps.store.read, ref)?.bytes ?? 0;
    }
    messages.push(media.length > 0 ? { ...message, pictures: media } : message);
  }
  // Pictures may have arrived since the job was enqueued.
  if (bytes > MAX_PICTURE_BYTES) return fail('invalid_input', `messages: ${tooManyBytes(bytes).message}`);
  return ok({ model, messages, stream, ...(tools ? { tools } : {}) });
}
