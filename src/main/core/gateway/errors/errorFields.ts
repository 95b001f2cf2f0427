import { field, isObject, listOf, textOf } from '../json/fields.ts';
import { type Json, type JsonObject, parseJson } from '../json/parse.ts';

/** The codes, the numbers and the statuses that one object of an error names. */

/** In their sequence: of several codes the first that is known gives the kind. */
export const CODE_FIELDS = 'failureCode failCode code type status reason errorCode errCode errorType error'.split(' ');
/** If an object contains an error of its own, the state and the reason of the object may describe its work instead. */
export const OUTER_CODE_FIELDS = CODE_FIELDS.filter((name) => !['status', 'reason', 'error'].includes(name));

/** The most entries of a list in an error, because each code is compared with all rules. */
export const MAX_ENTRIES = 20;

export function codesIn(body: JsonObject, names: readonly string[]): string[] {
  const own = names.flatMap((name) => {
    const value = field(body, name);
    if (typeof value !== 'string') return [];
    const code = withoutNamespace(value);
    return /^[\w .:/-]{2,80}$/.test(code) ? [code] : [];
  });
  const details = detailsOf(body);
  // google.rpc.QuotaFailure names each exhausted quota; the name contains the period after which the quota refills.
  const violations = details.flatMap((entry) =>
    listOf(field(entry, 'violations')).slice(0, MAX_ENTRIES).filter(isObject),
  );
  const quotas = violations.flatMap((entry) => codesIn(entry, ['quotaId']));
  return [...reasonsIn(body), ...own, ...quotas];
}

const detailsOf = (body: JsonObject): JsonObject[] => {
  const given = field(body, 'details');
  return isObject(given) ? [given] : listOf(given).slice(0, MAX_ENTRIES).filter(isObject);
};

/** The reasons that the details of an error give. */
export const reasonsIn = (body: JsonObject): string[] =>
  detailsOf(body).flatMap((entry) => codesIn(entry, ['reason', 'errorCode']));

/** AWS writes a type as `com.amazon.coral.service#ThrottlingException`. In an address, no code follows the #. */
const withoutNamespace = (code: string): string => /^\w{1,80}\.[\w.]{1,80}#(\w{2,80})$/.exec(code)?.[1] ?? code;

const NUMERIC_CODE_FIELDS = ['code', 'statusCode', 'errorCode', 'errCode'];
/** Codes of image proxies that mean the same in any status; 4 is left out because they set it on anything they pass on. */
const IMAGE_PROXY_CODES = new Set([3, 23, 24, 30]);

/**
 * A numeric code has a meaning within one family of services only. The place of the number, or the shape of the answer, shows the family.
 */
export function numericCodesIn(body: JsonObject, place: string): string[] {
  // google.rpc puts its numbers in an error, or beside the error's details.
  const context = place === '' && Array.isArray(field(body, 'details')) ? 'error' : place;
  const prefix = context === '' ? '' : `${context}.`;
  const numbers = NUMERIC_CODE_FIELDS.flatMap((name) => {
    const number = textOf(field(body, name));
    return number !== undefined && /^-?\d{1,9}$/.test(number) && Number(number) !== 0
      ? [`${prefix}${name}=${Number(number)}`]
      : [];
  });
  const code = Number(textOf(field(body, 'code')) ?? Number.NaN);
  const imageProxyCodes =
    IMAGE_PROXY_CODES.has(code) && field(body, 'description') !== undefined ? [`midjourney.code=${code}`] : [];
  return [...imageProxyCodes, ...numbers, ...miniMaxCodeIn(textOf(field(body, 'message')) ?? '')];
}

/** In the forms of OpenAI and Anthropic MiniMax has its number at the end of its sentence (MiniMax-AI/MiniMax-M2#62, MiniMax-M2.7#36). */
function miniMaxCodeIn(message: string): string[] {
  const [, balance, plan] = MINIMAX.exec(message) ?? [];
  const code = balance ?? plan;
  return code === undefined ? [] : [`base_resp.status_code=${code}`];
}

const MINIMAX = /^(?:insufficient balance \((1008)\)|usage limit exceeded\b.{0,300}\((2056)\))$/i;

const UPSTREAM_STATUS_FIELDS = ['upstreamStatus', 'upstreamStatusCode'];
const HTTP_STATUS_FIELDS = [...UPSTREAM_STATUS_FIELDS, 'code', 'statusCode', 'status', 'errorCode', 'errCode'];

export function statusesIn(body: JsonObject): { httpStatus: number | undefined; upstreamStatus?: number } {
  const upstreamStatus = httpStatusIn(body, UPSTREAM_STATUS_FIELDS);
  return {
    httpStatus: httpStatusIn(body, HTTP_STATUS_FIELDS),
    ...(upstreamStatus === undefined ? {} : { upstreamStatus }),
  };
}

function httpStatusIn(body: JsonObject, names: readonly string[]): number | undefined {
  const codes = names.map((name) => Number(textOf(field(body, name)) ?? Number.NaN));
  return codes.find((code) => Number.isInteger(code) && code >= 400 && code < 600);
}

/** Reasons that a validator gives for single fields, beside the message of an error or in place of it. */

/** Nobody reads more. */
const MAX_REASONS = 20;

/** Several reasons as one text, each once. */
export const joinedReasons = (reasons: readonly string[]): string =>
  [...new Set(reasons.slice(0, MAX_REASONS))].filter((reason) => reason !== '').join('; ');

/** `issues` comes from zod, `violations` from Spring, `fieldViolations` from google.rpc.BadRequest. */
const LISTS = ['issues', 'violations', 'fieldViolations'];

/** The reasons beside a message, each with the name of its field. */
function reasonsBeside(body: JsonObject): string {
  const places = [body, ...listOf(field(body, 'details'))];
  const entries = places.flatMap((place) => LISTS.flatMap((name) => listOf(field(place, name))));
  const listed = entries.slice(0, MAX_REASONS).map((entry) => withPlace(placeOf(entry), reasonOf(entry)));
  return joinedReasons(listed);
}

const reasonOf = (entry: Json): string => textOf(field(entry, 'message', 'description', 'msg')) ?? '';

/** The field that an entry of a list is about; a path is named by its end. */
function placeOf(entry: Json): string | undefined {
  const place = field(entry, 'loc', 'path', 'field');
  return textOf(Array.isArray(place) ? place.at(-1) : place);
}

export const withPlace = (place: string | undefined, reason: string): string =>
  place === undefined || reason === '' ? reason : `${place}: ${reason}`;

/** Adds the reasons to a general message such as "The given data was invalid." */
export function withReasons(message: string, body: JsonObject): string {
  const reasons = reasonsBeside(body);
  if (reasons === '' || message.includes(reasons)) return message;
  return message === '' ? reasons : `${message} (${reasons})`;
}

/**
 * The JSON inside a message. It may have several lines, be part of a list, or be followed by an addition of the gateway. With any other
 * text behind it the message stays as it is: that text may mention a second attempt whose connection broke, or be the reason itself (the
 * JSON is the prompt).
 */
export function jsonInMessage(message: string): Json | undefined {
  const start = message.search(/\{\s*"/);
  const end = message.lastIndexOf('}') + 1;
  const behind = message.slice(end, end + MAX_BEHIND);
  if (start < 0 || message.length > end + MAX_BEHIND || !BEHIND.test(behind)) return undefined;
  return parseJson(message.slice(start, end));
}

const MAX_BEHIND = 600;
/** The end of a quotation, the gateway's request id (new-api), or the groups of LiteLLM's router. */
const BEHIND =
  /^[\s\]"'`).,;:]{0,50}(?:[(（[]?\s{0,9}(?:request|trace)[ _-]?id\b[^{}\n]{0,120})?$|^[\s.'"\]]{0,50}Received Model Group=[^\n]{0,200}\n?[\s.]{0,50}Available Model Group Fallbacks=[^\n]{0,300}$/i;
