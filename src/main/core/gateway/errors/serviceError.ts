import { STATUS_CODES } from 'node:http';
import { field, firstOf, fold, isObject, layersOf, listOf, textOf } from '../json/fields.ts';
import { type Json, type JsonObject, unwrapText } from '../json/parse.ts';
import {
  CODE_FIELDS,
  codesIn,
  joinedReasons,
  jsonInMessage,
  MAX_ENTRIES,
  numericCodesIn,
  OUTER_CODE_FIELDS,
  reasonsIn,
  statusesIn,
  withPlace,
  withReasons,
} from './errorFields.ts';
import { kindBySentence, normalizeText } from './rules/sentences.ts';

/** An error as the service sent it, before it is classified. */
export interface ServiceError {
  /** Empty where there is no readable message. */
  message: string;
  /** Codes, types and reasons, as they came: `insufficient_quota`, `INVALID_ARGUMENT`. */
  codes: string[];
  /** An HTTP status that the body names. */
  httpStatus?: number;
  /** The status of the service behind the gateway, if a field names it. */
  upstreamStatus?: number;
  /** Numeric codes with their place: `base_resp.status_code=1008`. */
  numericCodes?: string[];
  /** A code that is only the short word for an error with a sentence beside it. An error of a poll may have such a word too. */
  label?: string;
}

const MESSAGE_FIELDS = (
  'message msg errorMessage errorMessages errorMsg errMsg errorReason faultString err detail details ' +
  'failReason failedReason statusReason failMsg failMessage failureReason failureMessage failure description ' +
  'statusMsg taskStatusMsg statusDetails errorDescription reason comment title moderationReasons'
).split(' ');
/** `fault` comes from the gateways Apigee, WSO2 and SAP. */
const ERROR_FIELDS = ['error', 'errors', 'err', 'fault', 'header', 'baseResp'];
/** Volcengine's own gateway puts its error into `ResponseMetadata`, tRPC with a transformer into `json`. */
const WRAPPERS = ['data', 'detail', 'result', 'output', 'response', 'task', 'job', 'responseMetadata', 'json'];
/** Every answer of some services has these; only their code means an error. */
const STATUS_BLOCKS = new Set(['header', 'baseResp']);

/** The error of an answer that is known to be an error (by its status or its state), wherever its message is. */
export function serviceErrorOf(body: Json | undefined, depth = 0, place = ''): ServiceError {
  if (typeof body === 'string') return errorOfText(body, depth);
  if (Array.isArray(body)) return serviceErrorOf(body[0], depth, place);
  if (!isObject(body)) return { message: '', codes: [] };
  const inner = depth < 4 ? errorWithin(body, depth) : undefined;
  const own = {
    message: withReasons(
      withUpstreamMessage(messageIn(body, depth), textOf(field(body, 'rawMessage')) ?? rawTextIn(body)),
      body,
    ),
    codes: codesIn(body, inner ? OUTER_CODE_FIELDS : CODE_FIELDS),
    ...statusesIn(body),
    numericCodes: numericCodesIn(body, place),
  };
  if (inner) return merged(inner, own);
  // The wrapper comes before its content: `data` may hold a title that is no error.
  const wrapped = depth < 4 ? innerError(body, WRAPPERS, depth) : undefined;
  return withInnerError(wrapped ? merged(own, wrapped) : own, depth);
}

function errorWithin(body: JsonObject, depth: number): ServiceError | undefined {
  const operation = field(body, 'operation');
  return (
    innerError(body, ERROR_FIELDS, depth) ??
    upstreamError(body, depth) ??
    // In an operation of Google, only the error field is an error; name and state describe the work.
    (isObject(operation) ? innerError(operation, ['error'], depth + 1) : undefined)
  );
}

function merged(first: ServiceError, second: ServiceError): ServiceError {
  const upstreamStatus = first.upstreamStatus ?? second.upstreamStatus;
  const label = first.label ?? second.label;
  return {
    message: first.message || second.message,
    codes: [...first.codes, ...second.codes],
    httpStatus: first.httpStatus ?? second.httpStatus,
    ...(upstreamStatus === undefined ? {} : { upstreamStatus }),
    ...(label === undefined ? {} : { label }),
    numericCodes: [...(first.numericCodes ?? []), ...(second.numericCodes ?? [])],
  };
}

/** The error of an answer that reports one in its body, whatever its HTTP status; `error: { code: 0 }` is none. */
export function explicitError(body: Json | undefined): ServiceError | undefined {
  if (!isObject(body) || !mayBeError(body)) return undefined;
  const isError =
    ERROR_FIELDS.some((name) => isErrorValue(field(body, name), STATUS_BLOCKS.has(name))) ||
    field(body, 'object') === 'error' ||
    field(body, 'type') === 'error' ||
    field(body, 'success') === false ||
    field(body, 'ok') === false ||
    statusSaysError(body) ||
    codeAloneSaysError(body);
  return isError ? serviceErrorOf(body) : undefined;
}

/** An error inside an answer, beside its results. Only an error field proves it. */
export function nestedError(body: Json): ServiceError | undefined {
  const metadata = field(body, 'responseMetadata');
  const layer = [...layersOf(body), ...(isObject(metadata) ? [metadata] : [])].find((one) =>
    ERROR_FIELDS.some((name) => isErrorValue(field(one, name), STATUS_BLOCKS.has(name))),
  );
  return layer && serviceErrorOf(layer);
}

const ERROR_SIGNS = new Set(
  [...ERROR_FIELDS, 'success', 'ok', 'status', 'code', 'errcode', 'errorCode', 'statusCode'].map(fold),
);

/** A cheap test of the field names: most chunks of a stream have none of these fields. */
function mayBeError(body: JsonObject): boolean {
  for (const name in body) {
    const value = body[name];
    if (value === 'error' || (value !== null && ERROR_SIGNS.has(fold(name)))) return true;
  }
  return false;
}

/** Whether the value of an error field is an error. `byCodeOnly`: a message alone does not count. */
export function isErrorValue(value: Json | undefined, byCodeOnly: boolean): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (value === true) return true;
  if (typeof value === 'string') return !meansOk(value);
  if (typeof value === 'number') return value !== 0 && value !== 200;
  if (Array.isArray(value)) return value.length > 0;
  const code = textOf(field(value, 'code', 'statusCode', 'errcode'));
  if (code !== undefined && meansOk(code)) return false;
  if (code !== undefined || byCodeOnly) return code !== undefined;
  return textOf(field(value, ...MESSAGE_FIELDS, 'type')) !== undefined;
}

export const meansOk = (text: string): boolean =>
  /^(|0+|200|ok|succe(ss|ed|eded|ssful)|request succeeded|done|none|null|false|no[ _]error|成功)$/i.test(text.trim());

/** `{ status: "error", message }`, unless the answer has a result too. */
function statusSaysError(body: JsonObject): boolean {
  const status = field(body, 'status');
  return typeof status === 'string' && SAYS_FAILED.test(status) && field(body, 'choices') === undefined;
}

const SAYS_FAILED = /^(error|fail|failed|failure)$/i;

/** `{ code: 401, message }` with no other content is an error too. */
function codeAloneSaysError(body: JsonObject): boolean {
  const code = textOf(field(body, 'code', 'errcode', 'errorCode', 'statusCode'));
  if (code === undefined || meansOk(code) || /^(1|20\d|succe(ss|ed|eded))$/i.test(code)) return false;
  const hasContent = ['data', 'result', 'choices', 'output', 'response'].some((name) => isNonEmpty(field(body, name)));
  const message = textOf(field(body, ...MESSAGE_FIELDS));
  return !hasContent && message !== undefined && !meansOk(message);
}

function isNonEmpty(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : textOf(value) !== undefined;
}

/** The error inside one of these fields. */
const innerError = (body: JsonObject, names: readonly string[], depth: number): ServiceError | undefined =>
  firstOf(names, (name) => errorInField(body, name, depth));

function errorInField(body: JsonObject, name: string, depth: number): ServiceError | undefined {
  const value = unwrapText(field(body, name));
  const node = Array.isArray(value) ? value[0] : value;
  const isError = ERROR_FIELDS.includes(name);
  if (!isError) return isObject(node) ? ifSaid(serviceErrorOf(node, depth + 1), false) : undefined;
  if (isObject(node)) {
    const first = serviceErrorOf(node, depth + 1, name);
    return ifSaid(Array.isArray(value) ? withRest(first, value, depth) : first, true);
  }
  if (typeof node !== 'string' || meansOk(node)) return undefined;
  const texts = listOf(value).filter((entry) => typeof entry === 'string');
  if (texts.length > 1) return withInnerError({ message: joinedReasons(texts), ...codeOfWord(node) }, depth + 1);
  return explained(body, node.trim(), depth) ?? errorOfText(node, depth + 1);
}

/** An object of an error says one with a code alone, too. */
function ifSaid(found: ServiceError, byCode: boolean): ServiceError | undefined {
  const hasCode = found.codes.length > 0 || (found.numericCodes ?? []).length > 0;
  return found.message !== '' || (byCode && hasCode) ? found : undefined;
}

/** Adds the messages of further entries to the first error of a list. Only the first entry gives codes. */
function withRest(first: ServiceError, [, ...more]: readonly Json[], depth: number): ServiceError {
  if (more.length === 0) return first;
  const message = joinedReasons([
    first.message,
    ...more.slice(0, MAX_ENTRIES).map((one) => serviceErrorOf(one, Math.max(depth + 1, 3)).message),
  ]);
  const { codes, label } = codeOfWord(first.message);
  return { ...first, message, codes: [...first.codes, ...codes], ...(label === undefined ? {} : { label }) };
}

/**
 * A word beside another text is still a code. The name of a status is not. A word with a dot is left out, because its beginning alone would
 * match.
 */
const codeOfWord = (word: string): Pick<ServiceError, 'codes' | 'label'> =>
  IS_WORD.test(word) && !word.includes('.') && !STATUS_BY_NAME.has(lettersOf(word))
    ? { codes: [word], label: word }
    : { codes: [] };

const IS_WORD = /^[\w.:-]{2,80}$/;

/** The reason of an error that is a word. Other fields may be about the work: a title, a description. */
const REASON_FIELDS = ['message', 'msg', 'errorMessage', 'errorMsg', 'errMsg', 'detail', 'errorDescription'];

/**
 * `{ error: "Bad Request", message }`, as Fastify, NestJS, hapi, Spring and OAuth 2.0 answer: the sentence is the reason, and the word is
 * its code. The name of a status stands for that status, so that "Forbidden" does not turn an empty account into a refused key.
 */
function explained(body: JsonObject, word: string, depth: number): ServiceError | undefined {
  const named = STATUS_BY_NAME.get(lettersOf(word));
  if (named === undefined && !IS_WORD.test(word)) return undefined;
  const message = messageIn(body, depth, REASON_FIELDS);
  // A timeout stays uncertain, whatever the sentence beside it says.
  if (message === '' || saysDone(message) || kindBySentence(normalizeText(word), 'timeout')) return undefined;
  const httpStatus = named === undefined ? undefined : (statusesIn(body).httpStatus ?? named);
  return withInnerError({ message, ...codeOfWord(word), httpStatus }, depth + 1);
}

/** Whether the message is only about the call: "Request processed", "Task fetched successfully". */
const saysDone = (message: string): boolean => SAYS_DONE.test(message) && !/\bnot\b/i.test(message);

const SAYS_DONE = /^[\w ]{1,40}\b(?:success|successful|successfully|processed)[.!]?$/i;

const lettersOf = (text: string): string =>
  text
    .slice(0, MAX_NAME_LENGTH)
    .replace(/[\s_-]/g, '')
    .toLowerCase();

/** No name of a status is longer. */
const MAX_NAME_LENGTH = 80;

/** RFC 9110 has new names for two of them. */
const NAMES: readonly [string, string][] = [
  ['413', 'Content Too Large'],
  ['422', 'Unprocessable Content'],
];

const STATUS_BY_NAME: ReadonlyMap<string, number> = new Map(
  [...Object.entries(STATUS_CODES), ...NAMES].flatMap(([status, name]) =>
    Number(status) < 400 || name === undefined ? [] : [[lettersOf(name), Number(status)]],
  ),
);

/** A gateway whose message is only "provider returned error" may keep the provider's error beside it. */
function upstreamError(body: JsonObject, depth: number): ServiceError | undefined {
  const raw = unwrapText(field(field(body, 'metadata'), 'raw'));
  const found = isObject(raw) ? serviceErrorOf(raw, depth + 1) : undefined;
  return found && found.message !== '' ? found : undefined;
}

/** OpenRouter keeps what the provider said as plain text there too (Aculeasis/openrouter-proxy#1, continuedev/continue#10442). */
function rawTextIn(body: JsonObject): string | undefined {
  const metadata = field(body, 'metadata');
  const raw = field(metadata, 'raw');
  const isOfProvider =
    textOf(field(metadata, 'providerName')) !== undefined && textOf(field(body, 'message')) !== undefined;
  return isOfProvider && typeof raw === 'string' && !IS_MARKUP.test(raw) ? firstLineOf(raw) : undefined;
}

/** Only the first line, because a stack trace may follow. */
const firstLineOf = (text: string): string => text.trim().slice(0, MAX_RAW_LENGTH).split('\n', 1)[0] ?? '';

const IS_MARKUP = /^\s*[<{[]/;
const MAX_RAW_LENGTH = 2_000;

function messageIn(body: JsonObject, depth: number, names: readonly string[] = MESSAGE_FIELDS): string {
  for (const name of names) {
    const value = field(body, name);
    const list = Array.isArray(value) ? value : isObject(value) ? [value] : undefined;
    const text = list ? joinedMessages(list, depth) : typeof value === 'string' ? value.trim() : '';
    if (text !== '' && !meansOk(text)) return withReason(text, body);
  }
  return '';
}

/** Google's sentences for many kinds of error; the reason in the details shows which one it is. */
const STOCK_SENTENCES = new Set([
  'Request contains an invalid argument.',
  'Resource has been exhausted (e.g. check quota).',
]);

function withReason(text: string, body: JsonObject): string {
  if (!STOCK_SENTENCES.has(text)) return text;
  const [reason] = reasonsIn(body);
  return reason === undefined ? text : `${text} (${reason})`;
}

/** A gateway whose message is only "task failed" may keep the message of the service behind it. A message that is a code stays as it is. */
function withUpstreamMessage(message: string, raw = ''): string {
  const upstreamMessage = raw.trim();
  if (upstreamMessage === '' || message.includes(upstreamMessage)) return message;
  if (upstreamMessage.includes(message)) return upstreamMessage;
  return /\s/.test(message) ? `${message} (${upstreamMessage})` : message;
}

function joinedMessages(list: Json[], depth: number): string {
  const texts = list.map((entry) => {
    const text = typeof entry === 'string' ? entry : depth < 4 ? serviceErrorOf(entry, depth + 1).message : '';
    return withPlace(textOf(listOf(field(entry, 'loc')).at(-1)), text);
  });
  return texts.filter((text) => text !== '').join('; ');
}

function errorOfText(text: string, depth: number): ServiceError {
  return withInnerError({ message: text.trim(), codes: [] }, depth);
}

/** A gateway often passes on the error behind it as JSON inside a message. */
function withInnerError(serviceError: ServiceError, depth: number): ServiceError {
  const inner = depth < 4 ? jsonInMessage(serviceError.message) : undefined;
  if (inner === undefined) return serviceError;
  const found = serviceErrorOf(inner, depth + 1);
  if (found.message === '') return serviceError;
  const inside = { ...found, numericCodes: found.numericCodes ?? [] };
  return merged(inside, { ...serviceError, message: '' });
}
