import { field, isObject, type JsonObject, listOf, textOf } from '../json/index.ts';

/** The codes, the numbers and the statuses that one object of an error names. */

/** A field may begin with what it is about: `JobErrorMsg` and `JobErrorCode` (Tencent Cloud). */
export const aboutWork = (names: readonly string[]): string[] =>
  ['job', 'task'].flatMap((subject) => names.map((name) => subject + name));

const CODES_OF_WORK = aboutWork(['ErrorCode', 'ErrCode', 'FailCode', 'FailureCode']);

export const CODE_FIELDS = [
  'failureCode',
  'failCode',
  'code',
  'type',
  'status',
  'reason',
  'errorCode',
  'errCode',
  'errorType',
  'error',
  ...CODES_OF_WORK,
];
/** Beside an error of its own, the state and the reason of an object may be about its work. */
export const OUTER_CODE_FIELDS = [
  'failureCode',
  'failCode',
  'code',
  'type',
  'errorCode',
  'errCode',
  'errorType',
  ...CODES_OF_WORK,
];

/** Of a list in an error: each of its codes is compared with all rules. */
export const MAX_ENTRIES = 20;

export function codesIn(body: JsonObject, names: readonly string[]): string[] {
  const own = names.flatMap((name) => {
    const value = field(body, name);
    if (typeof value !== 'string') return [];
    const code = withoutNamespace(value);
    return /^[\w .:/-]{2,80}$/.test(code) ? [code] : [];
  });
  const details = detailsOf(body);
  // google.rpc.QuotaFailure names each quota that is used up, and in its name the time after which it is whole again.
  const violations = details.flatMap((entry) =>
    listOf(field(entry, 'violations')).slice(0, MAX_ENTRIES).filter(isObject),
  );
  const quotas = violations.flatMap((entry) => codesIn(entry, ['quotaId']));
  return [...reasonsIn(body), ...own, ...codeInside(body, 'detail', 'errorCode'), ...quotas];
}

const detailsOf = (body: JsonObject): JsonObject[] => {
  const given = field(body, 'details');
  return isObject(given) ? [given] : listOf(given).slice(0, MAX_ENTRIES).filter(isObject);
};

/** What the details of an error give as its reason. */
export const reasonsIn = (body: JsonObject): string[] =>
  detailsOf(body).flatMap((entry) => codesIn(entry, ['reason', 'errorCode']));

/** A code in an object of its own: Apigee has it in `detail.errorcode`. */
function codeInside(body: JsonObject, name: string, code: string): string[] {
  const inside = field(body, name);
  return isObject(inside) ? codesIn(inside, [code]) : [];
}

/** `com.amazon.coral.service#ThrottlingException` is how AWS writes a type; behind the # of an address stands no code. */
const withoutNamespace = (code: string): string => /^\w{1,80}\.[\w.]{1,80}#(\w{2,80})$/.exec(code)?.[1] ?? code;

/** AWS may name the type of an error in a header alone, with an address behind it. */
export function codesInHeaders(headers: Readonly<Record<string, string>>): string[] {
  const [type = ''] = (headers['x-amzn-errortype'] ?? '').split(/[:,]/, 1);
  const code = withoutNamespace(type.trim());
  return /^\w{2,80}$/.test(code) ? [code] : [];
}

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
