import { expect, test } from 'vitest';
import type { ErrorKind } from '../../../../shared/job.ts';
import { requestIdOf } from '../exchange/answer.ts';
import type { Json } from '../json/parse.ts';
import { type Acceptance, acceptanceOf } from './acceptance.ts';
import { errorKindOf } from './classify.ts';
import { hasRetryAfterHeader, retryAfterMs } from './retryAfter.ts';
import { explicitError, serviceErrorOf } from './serviceError.ts';

test.each<[Json, string]>([
  [{ error: { message: 'M' } }, 'M'],
  [{ error: 'M' }, 'M'],
  [{ message: 'M' }, 'M'],
  [{ msg: 'M', code: 'x' }, 'M'],
  [{ err: 'M' }, 'M'],
  [{ error_msg: 'M', error_code: 17 }, 'M'],
  [{ detail: 'M' }, 'M'],
  [{ detail: [{ loc: ['body', 'prompt'], msg: 'M' }, { msg: 'N' }] }, 'prompt: M; N'],
  [{ detail: { message: 'M' } }, 'M'],
  [{ header: { code: 10013, message: 'M' } }, 'M'],
  [{ code: 24, description: 'M' }, 'M'],
  [{ base_resp: { status_code: 1008, status_msg: 'M' } }, 'M'],
  [{ errors: [{ message: 'M' }] }, 'M'],
  [[{ error: { code: 400, message: 'M' } }], 'M'],
  [{ error: { message: '{"error":{"message":"M","code":"x"}}' } }, 'M'],
  [{ message: 'upstream said {"error":{"message":"M"}}' }, 'M'],
  [{ message: 'upstream said {\n  "error": { "message": "M" }\n}\n' }, 'M'],
  [{ message: 'upstream said [{"error":{"message":"M"}}] (request id: 7)' }, 'M'],
  [{ message: 'first {"message":"A"}, then {"message":"B"}' }, 'first {"message":"A"}, then {"message":"B"}'],
  [{ status: 'FAILURE', failReason: 'M' }, 'M'],
  [{ error: 'NSFW', message: 'Request processed' }, 'NSFW'],
  [{ error: 'NSFW', message: 'The prompt could not be processed' }, 'The prompt could not be processed'],
  [{ data: { task_status: 'failed', task_status_msg: 'M' } }, 'M'],
  [{ error: { error: { message: 'M' } } }, 'M'],
  [{ error: { message: { text: 'x', message: 'M' } } }, 'M'],
  [{ code: 401, message: 'M', data: { title: 'T' } }, 'M'],
  [{ code: 0, message: 'SUCCEED', data: { task_status_msg: 'M' } }, 'M'],
  [{ error: 'Bad Request', message: ['M', 'N'] }, 'M; N'],
  [{ error: 'invalid_grant', error_description: 'M' }, 'M'],
  [{ error: 'Unprocessable Content', detail: 'M' }, 'M'],
  [{ error: 'ERR_1', message: 'upstream said {"error":{"message":"M"}}' }, 'M'],
  [{ error: 'M N', message: 'x' }, 'M N'],
  [{ error: '错误', message: 'x' }, '错误'],
  [{ error: 'ERR_1', title: 'x', message: 'success' }, 'ERR_1'],
  [{ errors: [{ message: 'M' }, { message: 'N' }, { message: 'M' }] }, 'M; N'],
  [{ errors: ['M', 'N'] }, 'M; N'],
  [{ errors: { prompt: ['M', 'N'], size: 'O' } }, 'prompt: M N; size: O'],
  [{ title: 'T', errors: { prompt: ['M'] } }, 'T (prompt: M)'],
  [{ base_resp: { status_msg: 'success' } }, ''],
  [{ error: { issues: [{ path: ['config', 'seconds'], message: 'M' }] } }, 'seconds: M'],
  [{ message: 'M', details: [{ fieldViolations: [{ field: 'a.b', description: 'N' }] }] }, 'M (a.b: N)'],
  // Beside a task, a list of texts is what it made; only an answer with a bad status has its reasons so.
  [{ status: 'failed', output: { urls: ['https://x.example/a.png'] } }, ''],
  [{ urls: ['https://x.example/a.png'] }, ''],
  ['M', 'M'],
  [{}, ''],
  [null, ''],
])('the message of %j', (body, message) => {
  expect(serviceErrorOf(body).message).toBe(message);
});

test.each<[Json, boolean]>([
  [{ error: { code: 0 } }, false],
  [{ error: { code: 0, message: 'ok' } }, false],
  [{ error: null, id: 'x' }, false],
  [{ error: '' }, false],
  [{ error: {} }, false],
  [{ errors: [] }, false],
  [{ header: { code: 0, message: 'Success' } }, false],
  [{ base_resp: { status_code: 0, status_msg: 'success' } }, false],
  [{ code: 0, message: 'ok', data: { id: 1 } }, false],
  [{ code: 'success', message: '', data: null }, false],
  [{ code: 200, msg: 'ok' }, false],
  [{ code: 401, data: { task_id: 't' }, message: 'x' }, false],
  [{ error: { message: 'x' } }, true],
  [{ error: 'x' }, true],
  [{ object: 'error', message: 'x' }, true],
  [{ type: 'error', error: { type: 'overloaded_error' } }, true],
  [{ success: false, message: 'x' }, true],
  [{ code: 401, message: 'x' }, true],
  [{ code: 'InvalidParameter', message: 'x' }, true],
  [{ header: { code: 11200, message: 'x' } }, true],
])('%j is an error: %s', (body, is) => {
  expect(explicitError(body) !== undefined).toBe(is);
});

test.each<[number, Json, ErrorKind]>([
  [401, { error: { message: 'Incorrect API key provided' } }, 'auth'],
  [401, '', 'auth'],
  [403, { error: { message: 'no', code: 'insufficient_user_quota' } }, 'quota'],
  [403, { message: 'Your balance is not enough' }, 'quota'],
  [403, '', 'auth'],
  [402, { error: { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' } }, 'quota'],
  [429, '', 'rate_limit'],
  [
    429,
    {
      error: {
        message: 'You exceeded your current quota, please check your plan and billing details',
        type: 'insufficient_quota',
      },
    },
    'quota',
  ],
  [
    429,
    { error: { message: 'Rate limit reached for requests', type: 'requests', code: 'rate_limit_exceeded' } },
    'rate_limit',
  ],
  [
    400,
    { error: { message: 'Your request was rejected as a result of our safety system', type: 'invalid_request_error' } },
    'moderation',
  ],
  [400, { error: { code: 'content_policy_violation', message: 'no' } }, 'moderation'],
  [
    400,
    {
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: 'API key not valid. Please pass a valid API key.',
        details: [{ reason: 'API_KEY_INVALID' }],
      },
    },
    'auth',
  ],
  [400, { error: { message: 'durationSeconds must be 4, 6 or 8', type: 'invalid_request_error' } }, 'invalid'],
  [400, 'Bad Request', 'invalid'],
  [404, { error: { code: 'model_not_found', message: 'The model does not exist' } }, 'invalid'],
  [422, { detail: [{ msg: 'field required' }] }, 'invalid'],
  [500, { error: { message: 'invalid request: unknown field', type: 'upstream_error' } }, 'invalid'],
  [500, { error: { message: 'bad', code: 'invalid_prompt' } }, 'invalid'],
  [500, { error: { message: 'The server had an error', type: 'server_error' } }, 'server'],
  [500, 'Internal Server Error', 'server'],
  [503, { error: { message: 'Blocked by content policy' } }, 'moderation'],
  [503, { error: { message: 'Service overloaded' } }, 'server'],
  [504, '', 'timeout'],
  [524, '<html>', 'timeout'],
  [408, '', 'timeout'],
  [500, { error: { message: 'context deadline exceeded' } }, 'timeout'],
  [500, { error: { message: '当前分组上游负载已饱和,请稍后再试' } }, 'rate_limit'],
  [403, { error: { message: '用户额度不足' } }, 'quota'],
  [200, { code: -1, msg: '积分不足' }, 'quota'],
  [200, { error: { code: 429, message: 'slower', status: 'RESOURCE_EXHAUSTED' } }, 'rate_limit'],
  [400, { error: { message: 'Prompt contains sensitive words', type: 'new_api_error' } }, 'moderation'],
  [529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'server'],
])('status %i with %j is %s', (status, body, kind) => {
  expect(errorKindOf(serviceErrorOf(body), status)).toBe(kind);
});

test('a quota that refills by itself is a rate limit', () => {
  const serviceError = serviceErrorOf({
    error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded for requests per minute' },
  });
  expect(errorKindOf(serviceError, 429, true)).toBe('rate_limit');
});

test.each<[string, object[], ErrorKind]>([
  ['Quota exceeded for x.com/generate_requests_per_minute_per_project', [], 'rate_limit'],
  [
    'You exceeded your current quota.',
    [{ violations: [{ quotaId: 'RequestsPerMinutePerProject-FreeTier' }] }],
    'rate_limit',
  ],
  ['You exceeded your current quota.', [{ violations: [{ quotaId: 'RequestsPerDayPerProject-FreeTier' }] }], 'quota'],
])('the quota "%s" with %j is %s', (message, details, kind) => {
  const serviceError = serviceErrorOf({ error: { code: 429, status: 'RESOURCE_EXHAUSTED', message, details } as Json });
  expect(errorKindOf(serviceError, 429)).toBe(kind);
});

test.each<[number, Json, boolean, Acceptance]>([
  [400, { error: { message: 'x' } }, false, 'no'],
  [401, '', false, 'no'],
  [404, '', false, 'no'],
  [408, '', false, 'lost'],
  [409, { error: { message: 'conflict' } }, false, 'lost'],
  [413, '', false, 'no'],
  [418, { error: { message: 'Insufficient funds in this teapot' } }, false, 'open'],
  [429, '', false, 'no'],
  [400, { error: { code: 524, message: 'Provider returned error' } }, false, 'lost'],
  [400, { error: { code: 'ALREADY_EXISTS', message: 'x' } }, false, 'open'],
  [500, '', false, 'open'],
  [500, 'Internal Server Error', false, 'open'],
  [500, { error: { message: 'invalid request' } }, false, 'open'],
  [500, { error: { message: 'The server had an error', type: 'server_error' } }, false, 'open'],
  [500, { error: { message: 'The balance of this account is insufficient' } }, false, 'open'],
  [500, { error: { message: 'no', code: 'insufficient_user_quota' } }, false, 'no'],
  [500, { error: { message: 'no', code: 429 } }, false, 'open'],
  [500, { error: { message: 'no', status_code: 404 } }, false, 'open'],
  [502, { code: '422', message: 'no' }, false, 'open'],
  [500, { error: { message: 'Too Many Requests', code: 429 } }, false, 'open'],
  [500, 'Unauthorized', false, 'open'],
  [502, { error: 'Invalid response from authorization hook' }, false, 'open'],
  [500, { error: 'Too Many Requests', message: 'x' }, false, 'open'],
  [500, { error: 'too_many_requests', message: 'x' }, false, 'open'],
  [503, { error: 'Service Unavailable', message: 'x' }, false, 'open'],
  [500, { error: 'timeout', message: 'Service overloaded' }, false, 'lost'],
  [500, { error: 'Gateway Timeout', message: 'Service overloaded', status_code: 500 }, false, 'lost'],
  [400, { errors: ['ALREADY_EXISTS', 'x'] }, false, 'open'],
  [400, { errors: [{ message: 'ALREADY_EXISTS' }, { message: 'x' }] }, false, 'open'],
  [500, { errors: ['INSUFFICIENT_CREDITS', 'x'] }, false, 'no'],
  [500, { errors: ['too_many_requests', 'x'] }, false, 'open'],
  [500, { error: 'Gateway Timeout', message: 'x' }, false, 'lost'],
  [400, { error: 'Conflict', message: 'x' }, false, 'lost'],
  [500, { error: { message: 'no', upstream_status: 429 } }, false, 'no'],
  [502, { error: { message: 'no', code: 404 }, upstreamStatusCode: 429 }, false, 'no'],
  [502, { error: { message: 'no', upstream_status: 418 } }, false, 'open'],
  [502, { error: { message: 'no', upstream_status: 503 } }, false, 'open'],
  [500, { error: { message: 'upstream request timed out' } }, false, 'lost'],
  [500, { error: { message: 'read: connection reset by peer' } }, false, 'open'],
  [502, '', false, 'open'],
  [502, '', true, 'open'],
  [502, { code: 'load_balancer_error' }, false, 'open'],
  [502, { error: { message: 'Bad gateway' } }, false, 'open'],
  [503, '', false, 'open'],
  [503, '', true, 'no'],
  [503, { error: { message: 'The queue is full' } }, false, 'open'],
  [503, { error: { message: 'no', code: 'queue_full' } }, false, 'no'],
  [503, 'Service overloaded', false, 'no'],
  [503, { error: { message: 'Please try again in 20 s' } }, false, 'open'],
  [503, { error: { message: 'read: connection reset by peer' } }, true, 'open'],
  [503, { error: { message: 'error reading from server: EOF', status: 'UNAVAILABLE' } }, true, 'open'],
  [502, { error: { message: 'no', code: 'overloaded_error', type: 'ECONNRESET' } }, false, 'open'],
  [500, { error: { message: 'unexpected EOF', code: 'INVALID_ARGUMENT' } }, false, 'no'],
  [429, { error: { message: 'connection reset by peer', code: 'overloaded_error' } }, false, 'no'],
  [504, { error: { message: 'no', code: 'queue_full' } }, true, 'lost'],
  [524, '', true, 'lost'],
  [521, '', false, 'no'],
  [529, '', false, 'no'],
  [200, { error: { message: 'no more', code: 'insufficient_quota' } }, false, 'no'],
  [200, { error: { message: 'socket hang up', code: 'overloaded_error' } }, false, 'open'],
  [200, { error: { message: 'Your account has no money left' } }, false, 'open'],
  [200, { success: false, message: 'unsupported seed' }, false, 'open'],
  [200, { success: false, message: 'INSUFFICIENT_CREDITS' }, false, 'no'],
  [200, { status: 'failed', message: 'Rate limit reached, please try again in 20 s.' }, false, 'open'],
  [200, { success: false, message: 'Internal server error' }, false, 'open'],
  [200, { code: 500, message: 'x' }, false, 'open'],
  [200, { errors: [{ message: 'x', extensions: { code: 'UNAUTHENTICATED' } }] }, false, 'no'],
  [
    200,
    { data: { a: null }, errors: [{ message: 'x', path: ['a'], extensions: { code: 'FORBIDDEN' } }] },
    false,
    'open',
  ],
  [200, { data: { a: {} }, errors: [{ message: 'x', path: ['b'], extensions: { code: 'FORBIDDEN' } }] }, false, 'open'],
  [200, { data: null, errors: [{ message: 'x', path: ['a', 'b'], extensions: { code: 'FORBIDDEN' } }] }, false, 'open'],
  [200, { error: 'Forbidden', message: 'x' }, false, 'no'],
  [200, { error: 'Service Unavailable', message: 'x' }, false, 'open'],
])(
  'an order answered with %i %j (says when to come back: %s) was taken: %s',
  (status, body, hasRetryAfterHeader, acceptance) => {
    const serviceError = serviceErrorOf(body);
    expect(
      acceptanceOf(status, serviceError, {
        kind: errorKindOf(serviceError, status, hasRetryAfterHeader),
        hasRetryAfterHeader,
      }),
    ).toBe(acceptance);
  },
);

/** The words of Envoy, gRPC, Go, Node, Python and Java for a connection that ended, perhaps after the order was sent on. */
test.each([
  'upstream connect error or disconnect/reset before headers. reset reason: connection termination',
  'upstream connect error or disconnect/reset',
  'upstream reset before headers',
  'stream was reset by peer',
  'read tcp 10.0.0.1:443: connection was reset',
  'read tcp 10.0.0.1:443: connection reset by peer',
  'closing transport due to: connection error: desc = "error reading from server: EOF"',
  'transport is closing',
  'error reading from server: EOF',
  'write: broken pipe',
  'http2: server sent GOAWAY',
  'http2: client connection lost',
  'use of closed network connection',
  'Post "https://x": read: connection aborted',
  'socket hang up',
  'read ECONNRESET',
  'Server disconnected without sending a response.',
  'Remote end closed connection without response',
  'Connection prematurely closed BEFORE response',
])('missing capacity around "%s" is no definite no', (message) => {
  for (const status of [200, 500, 503]) {
    for (const code of ['UNAVAILABLE', 'no_available_channel']) {
      const serviceError = serviceErrorOf({ error: { code, message } });
      expect(acceptanceOf(status, serviceError, { kind: 'server', hasRetryAfterHeader: false })).toBe('open');
    }
  }
});

const NOW = Date.parse('2025-06-01T00:00:00Z');
test.each<[Record<string, string>, Json | undefined, number | undefined]>([
  [{ 'retry-after': '7' }, undefined, 7_000],
  [{ 'retry-after': '1.5' }, undefined, 1_500],
  [{ 'retry-after': 'Sun, 01 Jun 2025 00:00:30 GMT' }, undefined, 30_000],
  [{ 'retry-after': 'Sun, 01 Jun 2025 09:00:30 GMT', date: 'Sun, 01 Jun 2025 09:00:00 GMT' }, undefined, 30_000],
  [{ 'retry-after': 'Sat, 31 May 2025 00:00:00 GMT' }, undefined, 0],
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, undefined, 250],
  [{ 'retry-after': '86400' }, undefined, 300_000],
  [{ 'retry-after': 'soon' }, undefined, undefined],
  [{ 'retry-after': '5, 30' }, undefined, 30_000],
  [{ 'retry-after': '5,5' }, undefined, 5_000],
  [{ 'retry-after': 'soon, 7' }, undefined, 7_000],
  [{ 'retry-after': '2, Sun, 01 Jun 2025 00:00:30 GMT' }, undefined, 30_000],
  [{ 'retry-after': 'Sun, 01 Jun 2025 00:00:30 GMT, Sun, 01 Jun 2025 00:00:10 GMT' }, undefined, 30_000],
  [{ 'retry-after-ms': '250, 900' }, undefined, 900],
  [{}, { error: { retry_after: [3, 8] } }, 8_000],
  [{}, { error: { metadata: { headers: { 'Retry-After': ['4', '6'] } } } }, 6_000],
  [{}, { error: { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37s' }] } }, 37_000],
  [{}, [{ error: { details: [{ retryDelay: '1.5s' }] } }], 1_500],
  [{}, { error: { details: [{ retry_delay: { seconds: 12 } }] } }, 12_000],
  [{}, { error: { details: [{ retryDelay: { seconds: 'soon', nanos: 5 } }] } }, undefined],
  [{}, { error: { retryDelay: { seconds: '1e999' } } }, undefined],
  [{}, { error: { message: 'try again in 20s', retryDelay: { seconds: 'soon' } } }, 20_000],
  [{ 'retry-after': '9'.repeat(400) }, undefined, 300_000],
  [{}, { retry_after: 3 }, 3_000],
  [{}, { error: { retry_after_ms: 800 } }, 800],
  [{}, { error: { message: 'Rate limit reached. Please try again in 20s.' } }, 20_000],
  [{}, { error: { message: 'try again in 150ms' } }, 150],
  [{}, { error: { message: 'x' } }, undefined],
  [{}, { message: '{"error":{"details":[{"retryDelay":"22s"}]}}' }, 22_000],
  [{}, { error: { message: 'Exception - b\'{"details": [{\\n "retry_delay": "1.5s"}]}\'' } }, 1_500],
  [{}, { error: { message: 'the field retryDelay is unknown' } }, undefined],
])('the wait in %j and %j', (headers, body, ms) => {
  expect(retryAfterMs(headers, body, NOW)).toBe(ms);
});

test.each<[Record<string, string>, number | undefined]>([
  [{ 'x-ratelimit-reset-requests': '8ms', 'x-ratelimit-reset-tokens': '6s' }, 6_000],
  [{ 'x-ratelimit-reset-tokens': '6s', 'x-ratelimit-remaining-tokens': '0' }, 6_000],
  [{ 'x-ratelimit-reset-tokens': '8ms', 'x-ratelimit-remaining-tokens': '149984' }, undefined],
  [{ 'x-ratelimit-reset-tokens': '6s', 'x-ratelimit-remaining-tokens': '150' }, 6_000],
  [{ 'x-ratelimit-reset-requests': '7s', 'x-ratelimit-remaining-requests': '-1' }, 7_000],
  [
    {
      'x-ratelimit-reset-tokens': '8ms',
      'x-ratelimit-remaining-tokens': '149984',
      'x-ratelimit-reset-requests': '9s',
      'x-ratelimit-remaining-requests': '0',
    },
    9_000,
  ],
  [{ 'x-rate-limit-reset': '7', 'x-rate-limit-remaining': '0' }, 7_000],
  [{ 'x-rate-limit-reset': '1748736042000' }, 42_000],
  [{ 'x-rate-limit-retry-after-seconds': '42' }, 42_000],
])('the wait for the limits %j', (headers, ms) => {
  expect(retryAfterMs(headers, undefined, NOW, true)).toBe(ms);
});

test('a wait that a header tells of a limit alone is no word that nothing was begun', () => {
  expect(hasRetryAfterHeader({ 'x-rate-limit-retry-after-seconds': '42', 'x-rate-limit-reset': '42' }, NOW)).toBe(
    false,
  );
  expect(retryAfterMs({}, undefined, NOW, false, 'Too many requests, please try again in 30 seconds.')).toBe(30_000);
});

test.each<[Record<string, string>, Json | undefined, string | undefined]>([
  [{ 'x-request-id': 'r1' }, undefined, 'r1'],
  [{ 'cf-ray': 'ray', 'x-oneapi-request-id': 'r2' }, undefined, 'r2'],
  [{}, { error: { request_id: 'r3' } }, 'r3'],
  [{ 'cf-ray': 'ray' }, { requestId: 'r4' }, 'r4'],
  [{}, { error: { message: 'No quota (request id: 20250601abc)' } }, '20250601abc'],
  [{ 'cf-ray': 'ray' }, {}, 'ray'],
  [{ 'apim-request-id': 'r5' }, {}, 'r5'],
  [{}, { header: { code: 1, sid: 'r6' } }, 'r6'],
  [{}, { trace_id: 'r7' }, 'r7'],
  [{}, {}, undefined],
])('the request id in %j and %j', (headers, body, id) => {
  expect(requestIdOf(headers, body)).toBe(id);
});
