import { STATUS_CODES } from 'node:http';
import type { ErrorKind } from '../../../../../shared/jobs/job.ts';
import type { ServiceError } from '../serviceError.ts';

/** The meaning of a status alone, for a request whose body has been sent. */
interface HttpStatus {
  kind: ErrorKind;
  /** `no`: not accepted. `lost`: nobody knows whether it was accepted. `open`: the request failed, but its cost is not known. */
  accepted: 'no' | 'lost' | 'open';
  /** In `statuses.jsonl`. */
  fixture: string;
  /** The status decides the kind, unless the answer has a code or sentence with one meaning. */
  specific?: boolean;
}

type StatusGroup = readonly [
  kind: ErrorKind,
  accepted: HttpStatus['accepted'],
  statuses: string,
  specific?: 'specific',
];

/** RFC 9110 and its relatives (4918, 6585, 7725, 8470); those from 520 on are of Cloudflare, and 529 of Anthropic. */
const STATUS_GROUPS: readonly StatusGroup[] = [
  // The request belongs at another address, so nothing was done at this one. Other redirects may come after the request was accepted.
  ['invalid', 'no', '301 307 308'],
  ['invalid', 'no', '400 404 405 406 410 411 412 413 414 415 417 421 422 423 426 428 431'],
  ['auth', 'no', '401 407', 'specific'],
  ['auth', 'no', '403'],
  ['quota', 'no', '402', 'specific'],
  ['rate_limit', 'no', '429', 'specific'],
  ['moderation', 'no', '451', 'specific'],
  // 425: not processed, and worth sending again (RFC 8470 5.2).
  ['server', 'no', '425 501 505 521 523 525 526 529 530'],
  // 409: the same request may be running, or done.
  ['invalid', 'lost', '409'],
  ['timeout', 'lost', '408'],
  ['timeout', 'lost', '504 524', 'specific'],
  ['server', 'lost', '520 522'],
];

export const HTTP_STATUSES = new Map<number, HttpStatus>(
  STATUS_GROUPS.flatMap(([kind, accepted, statuses, specific]) =>
    statuses
      .split(' ')
      .map(
        (fixture) => [Number(fixture), { kind, accepted, fixture, ...(specific ? { specific: true } : {}) }] as const,
      ),
  ),
);

/** Whether a status refuses for lack of a permission, of the key or of a link. */
export const isDenied = (status: number | undefined): boolean => status === 401 || status === 403;

/**
 * The codes that services answer when they do not accept a request, each with the service that documents it and with the case of `test/fixtures/answers`
 * that needs it. Only these rows and {@link HTTP_STATUSES} decide whether money may have been spent; sentences only choose a kind.
 */
export interface CodeRule {
  /**
   * A code as it comes in `code`, `type` or `reason`, or as the whole message: letters and digits count, case and separators do not.
   * `SAFETY.*` is a prefix. `error_code=17` is a number with its place.
   */
  token: string;
  kind: ErrorKind;
  /** `no`: no work began. `open`: work may have begun. */
  accepted: 'no' | 'open';
  /** `file: name`; a name alone is in `codes.jsonl`. */
  fixture: string;
  /** Counts only with this status. */
  onlyStatus?: number;
  /** Services use the code for several things, so a sentence may be more specific. */
  weak?: boolean;
}

type Group = readonly [kind: ErrorKind, accepted: CodeRule['accepted'], service: string, tokens: string];

/** Each token of a group has a case of the same name. `~` before a token: weak. `@503` behind it: only with this status. */
const GROUPS: readonly Group[] = [
  [
    'quota',
    'no',
    'openai',
    'insufficient_quota billing_hard_limit_reached billing_not_active credit_balance_exhausted',
  ],
  ['quota', 'no', 'anthropic', 'billing_error'],
  ['quota', 'no', 'anthropic', 'enforced_spend_limit_reached'],
  ['quota', 'no', 'newApi', 'insufficient_user_quota pre_consume_token_quota_failed quota_not_enough'],
  ['quota', 'no', 'newApi', 'entitlement_daily_limit_exceeded entitlement_total_limit_exceeded entitlement_required'],
  ['quota', 'no', 'litellm', 'budget_exceeded'],
  ['quota', 'no', 'deepseek', 'insufficient_balance'],
  ['quota', 'no', 'ark', 'AccountOverdueError AccountOverdue SetLimitExceeded OperationDenied.ServiceOverdue'],
  ['quota', 'no', 'aliyun', 'Arrearage'],
  ['quota', 'no', 'aliyun', 'AllocationQuota.FreeTierOnly'],
  ['quota', 'no', 'aliyun', 'CommodityNotPurchased PrepaidBillOverdue PostpaidBillOverdue'],
  ['quota', 'no', 'google', 'BILLING_DISABLED'],
  ['quota', 'no', 'openrouter', 'payment_required'],
  ['quota', 'no', 'minimax', 'base_resp.status_code=1008 base_resp.status_code=2056'],
  ['quota', 'no', 'kling', 'code=1101 code=1102'],
  ['quota', 'no', 'relays', 'insufficient_credits quota_exceeded'],

  ['rate_limit', 'no', 'openai', 'rate_limit_exceeded slow_down'],
  ['rate_limit', 'no', 'anthropic', 'rate_limit_error'],
  ['rate_limit', 'no', 'google', '~RESOURCE_EXHAUSTED ~error.code=8'],
  ['rate_limit', 'no', 'newApi', 'token_concurrency_limit_reached'],
  ['rate_limit', 'no', 'aliyun', 'Throttling'],
  ['rate_limit', 'no', 'aliyun', 'ModelServingError@503'],
  ['rate_limit', 'no', 'minimax', 'base_resp.status_code=1002 base_resp.status_code=1039 base_resp.status_code=1041'],
  ['rate_limit', 'no', 'minimax', 'base_resp.status_code=2045'],
  ['rate_limit', 'no', 'kling', 'code=1302 code=1303'],
  ['rate_limit', 'no', 'midjourney', 'midjourney.code=23'],
  ['rate_limit', 'no', 'newApi', 'midjourney.code=30'],
  ['rate_limit', 'no', 'volcengine', 'FlowLimitExceeded'],
  ['rate_limit', 'no', 'volcengine', 'code=50429 code=50430'],
  ['rate_limit', 'no', 'relays', 'too_many_requests queue_full'],

  ['auth', 'no', 'openai', 'invalid_api_key unsupported_country_region_territory'],
  ['auth', 'no', 'anthropic', 'authentication_error permission_error'],
  ['auth', 'no', 'google', 'UNAUTHENTICATED PERMISSION_DENIED API_KEY_INVALID error.code=7 error.code=16'],
  ['auth', 'no', 'newApi', 'access_denied'],
  ['auth', 'no', 'litellm', 'auth_error PermissionDeniedError'],
  ['auth', 'no', 'openrouter', 'no_auth_credentials_found'],
  ['auth', 'no', 'minimax', 'base_resp.status_code=1004 base_resp.status_code=2049'],
  ['auth', 'no', 'kling', 'code=1103 code=1304'],
  ['auth', 'no', 'relays', 'invalid_token token_expired unauthorized forbidden'],

  ['moderation', 'no', 'openai', 'content_policy_violation moderation_blocked'],
  ['moderation', 'no', 'azure', 'content_filter ResponsibleAIPolicyViolation'],
  ['moderation', 'no', 'newApi', 'sensitive_words_detected prompt_blocked'],
  ['moderation', 'no', 'litellm', 'ContentPolicyViolationError'],
  ['moderation', 'no', 'ark', 'InputTextSensitiveContentDetected InputImageSensitiveContentDetected'],
  ['moderation', 'no', 'ark', 'InputTextRiskDetection InputImageRiskDetection'],
  ['moderation', 'open', 'aliyun', 'DataInspectionFailed'],
  ['moderation', 'open', 'aliyun', 'IPInfringementSuspect'],
  ['moderation', 'open', 'azure', 'input_moderation output_moderation'],
  ['moderation', 'open', 'runway', 'SAFETY.* INPUT_PREPROCESSING.SAFETY.*'],
  ['moderation', 'no', 'minimax', 'base_resp.status_code=1026'],
  ['moderation', 'open', 'minimax', 'base_resp.status_code=1027'],
  ['moderation', 'no', 'kling', 'code=1301'],
  ['moderation', 'no', 'midjourney', 'midjourney.code=24'],
  ['moderation', 'no', 'volcengine', 'code=50411 code=50412 code=50413 code=50518'],
  ['moderation', 'open', 'volcengine', 'code=50511 code=50512 code=50519'],
  ['moderation', 'open', 'google', 'PUBLIC_ERROR_MINOR PUBLIC_ERROR_AUDIO_FILTERED'],
  ['moderation', 'open', 'google', 'PUBLIC_ERROR_*_FILTER PUBLIC_ERROR_*_FILTER_FAILED'],
  ['moderation', 'open', 'google', 'PUBLIC_ERROR_*_UPLOAD PUBLIC_ERROR_*_INPUT_IMAGE PUBLIC_ERROR_*_FACE_DETECTED'],
  ['moderation', 'open', 'xai', 'imagine:content-moderated'],

  ['invalid', 'no', 'openai', 'invalid_request_error model_not_found context_length_exceeded invalid_prompt'],
  ['invalid', 'no', 'openai', 'unknown_parameter unsupported_parameter missing_required_parameter invalid_value'],
  ['invalid', 'no', 'anthropic', 'not_found_error request_too_large'],
  ['invalid', 'no', 'google', 'INVALID_ARGUMENT FAILED_PRECONDITION OUT_OF_RANGE NOT_FOUND UNIMPLEMENTED'],
  ['invalid', 'no', 'google', 'error.code=3 error.code=5 error.code=9 error.code=11 error.code=12'],
  ['invalid', 'no', 'newApi', 'invalid_request bad_request_body read_request_body_failed convert_request_failed'],
  ['invalid', 'no', 'litellm', 'BadRequestError UnprocessableEntityError ContextWindowExceededError'],
  ['invalid', 'no', 'ark', 'MissingParameter InvalidParameter ModelNotOpen InvalidEndpointOrModel.*'],
  ['invalid', 'no', 'runway', 'ASSET.INVALID'],
  ['invalid', 'no', 'fal', 'file_download_error'],
  ['invalid', 'no', 'newApi', 'model_price_error'],
  ['invalid', 'no', 'minimax', 'base_resp.status_code=2013 base_resp.status_code=2061'],
  ['invalid', 'no', 'kling', 'code=1201 code=1203'],
  ['invalid', 'no', 'midjourney', '~midjourney.code=4'],
  ['invalid', 'no', 'relays', 'invalid_parameters bad_request'],
  // The service may know this very request already, or be working on it.
  ['invalid', 'open', 'google', 'ALREADY_EXISTS error.code=6'],

  ['server', 'no', 'openai', 'server_is_overloaded service_unavailable_error'],
  ['server', 'no', 'openai', 'the_engine_is_currently_overloaded_please_try_again_later'],
  ['server', 'no', 'anthropic', 'overloaded_error'],
  ['server', 'no', 'google', 'UNAVAILABLE error.code=14 the_model_is_overloaded_please_try_again_later'],
  ['server', 'no', 'newApi', 'model_not_found@503 get_channel_failed channel:no_available_key channel:invalid_key'],
  ['server', 'no', 'newApi', 'no_available_channel_for_model_*'],
  ['server', 'no', 'newApi', '分组_*_下模型_*_无可用渠道*'],
  ['server', 'no', 'oneApi', '当前分组_*_下对于模型_*_无可用渠道'],
  ['server', 'no', 'ark', 'ServerOverloaded'],
  ['server', 'no', 'aliyun', 'ServiceUnavailable ModelUnavailable'],
  ['server', 'no', 'fal', 'runner_scheduling_failure runner_connection_refused'],
  ['server', 'no', 'kling', 'code=5001'],
  ['server', 'no', 'midjourney', 'midjourney.code=3'],
  ['server', 'no', 'relays', 'no_available_channel overloaded model_is_overloaded service_overloaded'],
  ['server', 'no', 'relays', 'SERVICE_NOT_AVAILABLE MAINTENANCE system_is_currently_undergoing_maintenance'],

  // A service behind the model failed in the middle of the work.
  ['server', 'open', 'fal', 'downstream_service_error'],

  ['timeout', 'open', 'google', 'error.code=4'],
  ['timeout', 'open', 'newApi', 'channel:response_time_exceeded'],
  ['timeout', 'open', 'minimax', 'base_resp.status_code=1001'],
  ['timeout', 'open', 'kling', 'code=5002'],
];

/** Codes whose case has another name: answers to an image submit or to a video poll. */
const FIXTURES: Readonly<Record<string, string>> = {
  'midjourney.code=3': 'image-submits: code 3',
  'midjourney.code=4': 'image-submits: code 4, invalid',
  'midjourney.code=23': 'image-submits: code 23',
  'midjourney.code=24': 'image-submits: code 24',
  'midjourney.code=30': 'image-submits: code 30',
};

export const CODE_RULES: readonly CodeRule[] = GROUPS.flatMap(([kind, accepted, _service, tokens]) =>
  tokens.split(' ').map((written) => {
    const [token = '', at] = written.replace(/^~/, '').split('@');
    const own = { token, kind, accepted, fixture: FIXTURES[token] ?? written.replace(/^~/, '') };
    return {
      ...own,
      ...(at === undefined ? {} : { onlyStatus: Number(at) }),
      ...(written.startsWith('~') ? { weak: true } : {}),
    };
  }),
);

/** Longer texts are sentences, not codes. */
const MAX_CODE_LENGTH = 200;
/** The length of one word; longer prefixes are several words. */
const MAX_WORD_LENGTH = 12;

const CAPACITY_KINDS: ReadonlySet<ErrorKind> = new Set(['server', 'rate_limit']);

/** The rules that match the codes of an error, in the sequence in which the error names them: innermost error first, codes before types. */
export function codeRulesIn(serviceError: ServiceError, status: number): CodeRule[] {
  const codes = [
    ...(serviceError.numericCodes ?? []).map((number) => [numberToken(number)]),
    ...serviceError.codes.map(withPrefix),
  ];
  const messageCode = messageAsCode(serviceError.message);
  // A proxy may send the name of a status as the message, in a 5xx also the name of an upstream status. Such a name only repeats a number
  // and is not a code.
  const isName = status >= 500 ? STATUS_NAMES.has(messageCode) : messageCode === plainToken(STATUS_CODES[status] ?? '');
  const message = isName ? '' : messageCode;
  const isSentence = /\s/.test(serviceError.message.trim());
  const messageRule = ruleFor(message, status, (rule) => {
    // A code may have a known code as its prefix. A sentence with that prefix is still a sentence, unless the prefix is longer than one
    // word.
    if (rule.token.indexOf('*') === rule.token.length - 1 && plainToken(rule.token).length <= MAX_WORD_LENGTH)
      return false;
    // The sentence of a 5xx may repeat an upstream error. It counts only for missing capacity, which concerns the service itself, or if the
    // rule is for this very status.
    return !isSentence || status < 500 || CAPACITY_KINDS.has(rule.kind) || rule.onlyStatus !== undefined;
  });
  const codeRules = codes.flatMap(
    ([code = '', head = '']) => ruleFor(code, status, always) ?? ruleFor(head, status, always) ?? [],
  );
  return [...codeRules, ...(messageRule ? [messageRule] : [])];
}

const always = (): boolean => true;

/** A code and the part before its first dot: `SensitiveContentDetected.Violence` is a case of `SensitiveContentDetected`. */
function withPrefix(word: string): string[] {
  const head = /^(\w{4,})\.[\w.]+$/.exec(word)?.[1];
  return head === undefined ? [plainToken(word)] : [plainToken(word), plainToken(head)];
}

/** A rule for this status counts before a rule for any status. */
function ruleFor(token: string, status: number, counts: (rule: CodeRule) => boolean): CodeRule | undefined {
  if (token === '') return undefined;
  const rules = CODE_RULES.filter(
    (rule) =>
      matchesToken(rule.token, token) && (rule.onlyStatus === undefined || rule.onlyStatus === status) && counts(rule),
  );
  return rules.find((rule) => rule.onlyStatus !== undefined) ?? rules[0];
}

/** The whole message as a code, without the request id that some services append. */
function messageAsCode(message: string): string {
  const text = message.slice(0, MAX_CODE_LENGTH + 1);
  const at = text.toLowerCase().search(/[(（]\s?request id/);
  const own = at < 0 ? text : text.slice(0, at);
  return own.length > MAX_CODE_LENGTH ? '' : plainToken(own);
}

/** Letters and digits: `INSUFFICIENT_CREDITS`, `InsufficientCredits` and `Insufficient credits.` are one code. */
const plainToken = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();

const STATUS_NAMES: ReadonlySet<string> = new Set(Object.values(STATUS_CODES).map((name) => plainToken(name ?? '')));

/** A number is compared with its place: `error.code=3` is not `error_code=3`. */
const numberToken = (text: string): string => text.replace(/[^a-z0-9.=]+/gi, '').toLowerCase();

function matchesToken(written: string, token: string): boolean {
  if (written.includes('=')) return numberToken(written) === token;
  const [first = '', ...rest] = written.split('*').map(plainToken);
  const last = rest.pop();
  if (last === undefined) return first === token;
  if (!token.startsWith(first) || !token.endsWith(last) || token.length === first.length) return false;
  let from = first.length;
  for (const part of rest) {
    const at = token.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from + last.length <= token.length;
}
