import { t } from '../../../../shared/text/texts.ts';
import { meansOk, type ServiceError, serviceErrorOf } from '../errors/serviceError.ts';
import { field, isObject, listOf, textOf } from '../json/fields.ts';
import type { Json, JsonObject } from '../json/parse.ts';
import { type ChatChunk, countOf, countsOf, finishOf, messageContent, type Parts, partsOf } from './chunk.ts';

/**
 * Answers that a gateway passes on in the form of the service behind it, without `choices`: typed blocks and their events, responses with
 * an output list, candidates, and plain texts. Each is recognized by its structure.
 */
export function parseVendorShape(body: JsonObject): ChatChunk | undefined {
  return typedBlocks(body) ?? outputList(body) ?? candidates(body) ?? plainAnswer(body);
}

const NOTHING: Parts & Pick<ChatChunk, 'cumulative'> = { ...partsOf(undefined), cumulative: false };

/** `{type: "message", content: [...]}`, and its stream from `message_start` to `message_stop`. */
function typedBlocks(body: JsonObject): ChatChunk | undefined {
  const type = body.type;
  const delta = field(body, 'delta');
  switch (type) {
    case 'message':
      return Array.isArray(field(body, 'content')) ? cumulativeMessage(body) : undefined;
    case 'message_start': {
      const message = field(body, 'message');
      return isObject(message) ? { ...cumulativeMessage(message), cumulative: false } : NOTHING;
    }
    case 'content_block_start':
      return { ...NOTHING, ...numbered(field(body, 'index'), field(body, 'contentBlock')) };
    case 'content_block_delta':
      return blockDelta(body, delta);
    case 'message_delta':
      return { ...NOTHING, finish: finishOf(field(delta, 'stopReason')), counts: countsOf(field(body, 'usage')) };
    case 'message_stop':
      return { ...NOTHING, finish: 'stop' };
    case 'content_block_stop':
    case 'ping':
      return NOTHING;
    default:
      return undefined;
  }
}

function cumulativeMessage(message: JsonObject): ChatChunk {
  return {
    ...messageContent(message),
    cumulative: true,
    id: textOf(field(message, 'id')),
    finish: finishOf(field(message, 'stopReason', 'finishReason')),
    counts: countsOf(field(message, 'usage')),
  };
}

function blockDelta(body: JsonObject, delta: Json | undefined): ChatChunk {
  const piece = field(delta, 'partialJson');
  if (typeof piece === 'string') return moreArguments(field(body, 'index'), piece);
  const { text, reasoning } = partsOf(delta);
  return { ...NOTHING, text, reasoning };
}

/** One of several parts: its calls have its number. At the start of a call its arguments may be an empty object; the text follows. */
function numbered(index: Json = 0, part: Json | undefined): Parts {
  const parts = partsOf(part);
  return { ...parts, calls: parts.calls.map((call) => ({ index, ...(isObject(call) ? call : {}) })) };
}

const moreArguments = (index: Json = 0, piece: string): ChatChunk => ({
  ...NOTHING,
  calls: [{ index, function: { arguments: piece } }],
});

/** `{object: "response", output: [...]}`, and its stream of `response.…` events. */
function outputList(body: JsonObject): ChatChunk | undefined {
  const type = typeof body.type === 'string' && body.type.startsWith('response.') ? body.type : undefined;
  if (type === undefined) return body.object === 'response' ? cumulativeResponse(body) : undefined;
  const response = field(body, 'response');
  if (isObject(response)) return responseEvent(type, response);
  const piece = field(body, 'delta');
  const index = field(body, 'outputIndex');
  if (typeof piece === 'string') {
    if (/arguments/.test(type)) return moreArguments(index, piece);
    return { ...NOTHING, ...(/reason/.test(type) ? { reasoning: piece } : { text: piece }) };
  }
  if (type !== 'response.output_item.added') return NOTHING;
  return { ...NOTHING, calls: numbered(index, field(body, 'item')).calls };
}

/** An event with the current state of the response. */
function responseEvent(type: string, response: JsonObject): ChatChunk {
  if (/\.(completed|incomplete|done)$/.test(type)) return cumulativeResponse(response);
  const error = field(response, 'error');
  const serviceError = isObject(error) ? serviceErrorOf({ error }) : undefined;
  return { ...NOTHING, id: textOf(field(response, 'id')), serviceError };
}

function cumulativeResponse(response: JsonObject): ChatChunk {
  const status = textOf(field(response, 'status')) ?? '';
  const cutBy = textOf(field(field(response, 'incompleteDetails'), 'reason'));
  const finish = status === 'completed' ? 'stop' : (cutBy?.replace('max_output_tokens', 'length') ?? finishOf(status));
  return {
    ...partsOf(field(response, 'output')),
    cumulative: true,
    id: textOf(field(response, 'id')),
    finish: /^(in_progress|queued)$/.test(finish ?? '') ? undefined : finish,
    counts: countsOf(field(response, 'usage')),
  };
}

/** `{candidates: [{content: {parts}}]}`, whole or one piece at a time; without candidates, the reason why the prompt was blocked. */
function candidates(body: JsonObject): ChatChunk | undefined {
  const list = field(body, 'candidates');
  if (list === undefined && field(body, 'response') !== undefined) {
    const inner = field(body, 'response');
    if (isObject(inner) && Array.isArray(field(inner, 'candidates'))) return candidates(inner);
  }
  const usage = field(body, 'usageMetadata');
  const blocked = blockedPrompt(body);
  if (!Array.isArray(list) && usage === undefined && blocked === undefined) return undefined;
  const first = listOf(list)[0];
  const counts = countsOf(usage);
  const thoughts = countOf(field(usage, 'thoughtsTokenCount')) ?? 0;
  return {
    ...NOTHING,
    ...partsOf(field(field(first, 'content'), 'parts')),
    id: textOf(field(body, 'responseId')),
    finish: finishOf(field(first, 'finishReason')),
    counts: counts && { ...counts, completion: (counts.completion ?? 0) + thoughts },
    serviceError: blocked,
  };
}

/** Gemini blocks a prompt before any work (ai.google.dev/api/generate-content: PromptFeedback). */
export function blockedPrompt(body: JsonObject): ServiceError | undefined {
  const blocked = textOf(field(field(body, 'promptFeedback'), 'blockReason'));
  if (blocked === undefined) return undefined;
  return { message: t`The prompt was blocked: ${blocked}.`, codes: ['content_filter', blocked] };
}

const TEXT_FIELDS = ['response', 'generatedText', 'reply', 'answer', 'completion', 'outputText', 'text'];

/** A message or a text without a wrapper, with its finish reason and its counts beside it. */
function plainAnswer(body: JsonObject): ChatChunk | undefined {
  const code = textOf(field(body, 'code', 'errorCode'));
  if (code !== undefined && !meansOk(code)) return undefined;
  const inner = field(body, 'output');
  const holder = isObject(inner) ? inner : body;
  const message = field(holder, 'message');
  const text = [holder, body].flatMap((node) => TEXT_FIELDS.map((name) => field(node, name))).find(isText);
  if (!isObject(message) && text === undefined) return undefined;
  const content = isObject(message) ? messageContent(message) : { ...NOTHING, text: text ?? '' };
  return {
    ...content,
    cumulative: true,
    id: textOf(field(body, 'id', 'requestId')),
    finish:
      finishOf(field(holder, 'finishReason', 'stopReason', 'doneReason') ?? field(body, 'doneReason')) ??
      (field(body, 'done', 'finished') === true ? 'stop' : undefined),
    counts: countsOf(field(body, 'usage')) ?? evalCounts(body),
  };
}

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';

function evalCounts(body: JsonObject): ChatChunk['counts'] {
  const completion = countOf(field(body, 'evalCount'));
  return completion === undefined ? undefined : { prompt: countOf(field(body, 'promptEvalCount')), completion };
}
