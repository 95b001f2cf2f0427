import { expect, test } from 'vitest';
import { error } from '../../../../../test/helpers/engineHarness.ts';
import type { ChatOutcome, GatewayError, PollOutcome, SubmitOutcome } from '../../gateway/index.ts';
import { type HealthSignal, signalOf } from './throttle.ts';

const refused = (fields: Partial<GatewayError>): SubmitOutcome => ({
  type: 'refused',
  error: error(fields),
  billed: 'no',
});
const lost = (fields: Partial<GatewayError>): SubmitOutcome => ({
  type: 'unknown',
  error: error({ accepted: 'unknown', ...fields }),
});
const cut: ChatOutcome = {
  type: 'answered',
  result: { text: 'Half an', finishReason: '' },
  complete: false,
  error: error({ kind: 'server', accepted: 'yes' }),
};
const fine: HealthSignal = { type: 'healthy' };
const mayBeBilled = (failure: string): HealthSignal => ({ type: 'failing', failure, mayBeBilled: true });

test.each<[string, SubmitOutcome | ChatOutcome, HealthSignal | undefined]>([
  ['taken', { type: 'accepted', task: { id: 't', kind: 'image', acceptedAt: 0 } }, fine],
  ['a stream that broke off', cut, fine],
  ['a refused prompt', refused({ kind: 'invalid', status: 400 }), fine],
  ['a refused prompt, as a 500', refused({ kind: 'invalid', status: 500 }), fine],
  ['a refused prompt, as a 503', refused({ kind: 'moderation', status: 503 }), fine],
  ['a refused key', refused({ kind: 'auth', status: 401 }), fine],
  ['nobody there', refused({ kind: 'network' }), { type: 'unreachable' }],
  ['no connection in time', refused({ kind: 'timeout' }), { type: 'unreachable' }],
  ['a file that cannot be read', refused({ kind: 'invalid' }), undefined],
  ['a 503 that says no', refused({ status: 503 }), { type: 'failing', failure: '503', mayBeBilled: false }],
  ['a 503 with a time', refused({ status: 503, retryAfterMs: 3_000 }), { type: 'rateLimited', retryAfterMs: 3_000 }],
  ['a 429', refused({ kind: 'rate_limit', status: 429 }), { type: 'rateLimited' }],
  ['a queue that is full, as a 200', refused({ kind: 'rate_limit', status: 200 }), { type: 'rateLimited' }],
  ['a reset after sending', lost({ kind: 'network' }), mayBeBilled('network')],
  ['silence after sending', lost({ kind: 'timeout' }), mayBeBilled('timeout')],
  ['a 504', lost({ kind: 'timeout', status: 504 }), mayBeBilled('504')],
  ['a 504 with a time, which may have been taken', lost({ status: 504, retryAfterMs: 3_000 }), mayBeBilled('504')],
  [
    'a sign-in page instead of an answer',
    lost({ kind: 'invalid', status: 200, wrongAddress: true }),
    mayBeBilled('200'),
  ],
  ['a 200 that nobody can read', lost({ status: 200 }), mayBeBilled('200')],
])('of an order: %s', (_name, outcome, report) => {
  expect(signalOf(outcome)).toEqual(report);
});

const unreachable = (fields: Partial<GatewayError>): PollOutcome => ({ type: 'unreachable', error: error(fields) });

test.each<[string, PollOutcome, HealthSignal | undefined]>([
  ['a task that failed', { type: 'failed', error: error({ accepted: 'yes' }), billed: 'no' }, fine],
  ['a task that is not known', { type: 'missing' }, fine],
  ['nobody there', unreachable({ kind: 'network' }), { type: 'unreachable' }],
  [
    'a reset, which costs nothing',
    unreachable({ kind: 'network', accepted: 'unknown' }),
    { type: 'failing', failure: 'network', mayBeBilled: false },
  ],
  ['a 502', unreachable({ status: 502 }), { type: 'failing', failure: '502', mayBeBilled: false }],
  [
    'a 429',
    unreachable({ kind: 'rate_limit', status: 429, retryAfterMs: 9_000 }),
    { type: 'rateLimited', retryAfterMs: 9_000 },
  ],
  ['a refused key', unreachable({ kind: 'auth', status: 401 }), fine],
])('of a poll: %s', (_name, outcome, report) => {
  expect(signalOf(outcome)).toEqual(report);
});
