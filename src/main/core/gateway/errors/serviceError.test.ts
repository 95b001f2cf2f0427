import { expect, test } from 'vitest';
import type { ErrorKind } from '../../../../shared/jobs/job.ts';
import { requestIdOf } from '../exchange/answer.ts';
import type { Json } from '../json/parse.ts';
import { acceptanceOf, errorKindOf } from './classify.ts';
import { hasRetryAfterHeader, retryAfterMs } from './retryAfter.ts';
import { explicitError, serviceErrorOf } from './serviceError.ts';

test.each<Json>([
  { base_resp: { status_msg: 'success' } },
  // Beside a task, a list of texts is what it made; only an answer with a bad status has its reasons so.
  { status: 'failed', output: { urls: ['https://x.example/a.png'] } },
  { urls: ['https://x.example/a.png'] },
  {},
  null,
])('%j has no message', (body) => {
  expect(serviceErrorOf(body).message).toBe('');
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

test('a quota that refills by itself is a rate limit', () => {
  const serviceError = serviceErrorOf({
    error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded for requests per minute' },
  });
  expect(errorKindOf(serviceError, 429, true)).toBe('rate_limit');
});

test('of several codes the status and the reason count before a type', () => {
  const filtered = serviceErrorOf({ error: { message: 'x', reason: 'content_filter', error_type: 'Throttling' } });
  // A limit would be sent again.
  expect(errorKindOf(filtered, 200)).toBe('moderation');
  const late = serviceErrorOf({
    error: { status: 'channel:response_time_exceeded', error_type: 'downstream_service_error' },
  });
  expect(acceptanceOf(200, late, { kind: 'timeout', hasRetryAfterHeader: false })).toBe('lost');
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

/** The words of Envoy, QUIC, gRPC, Go, Node, Python and Java for a connection that ended, perhaps after the order was sent on. */
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
  'other side closed',
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
  [{}, { error: { message: 'Free again in 3 days. {"details":[{"retryDelay":"44s"}]}' } }, 44_000],
])('the wait in %j and %j', (headers, body, ms) => {
  expect(retryAfterMs(headers, body, NOW)).toBe(ms);
});

test.each<[Record<string, string>, number | undefined]>([
  [{ 'x-ratelimit-reset-requests': '8ms', 'x-ratelimit-reset-tokens': '6s' }, 6_000],
  [{ 'x-ratelimit-reset-tokens': '6s', 'x-ratelimit-remaining-tokens': '0' }, 6_000],
  [{ 'x-ratelimit-reset-tokens': '8ms', 'x-ratelimit-remaining-tokens': '149984' }, undefined],
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
])('the wait for the limits %j', (headers, ms) => {
  expect(retryAfterMs(headers, undefined, NOW, true)).toBe(ms);
});

test('a wait that a header tells of a limit alone is no word that nothing was begun', () => {
  expect(hasRetryAfterHeader({ 'x-rate-limit-reset': '42' }, NOW)).toBe(false);
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
