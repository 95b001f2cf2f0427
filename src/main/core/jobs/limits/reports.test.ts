import { expect, test } from 'vitest';
import { error } from '../../../../../test/helpers/engineHarness.ts';
import type { ChatOutcome, GatewayError, PollOutcome, SubmitOutcome } from '../../gateway/index.ts';
import { type Report, reportOfOrder, reportOfPoll } from './reports.ts';

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
const fine: Report = { type: 'fine' };
const costly = (sort: string): Report => ({ type: 'faulty', sort, costly: true });

test.each<[string, SubmitOutcome | ChatOutcome, Report | undefined]>([
  ['taken', { type: 'accepted', task: { id: 't', kind: 'image', acceptedAt: 0 } }, fine],
  ['a stream that broke off', cut, fine],
  ['a refused prompt', refused({ kind: 'invalid', status: 400 }), fine],
  ['a refused prompt, as a 500', refused({ kind: 'invalid', status: 500 }), fine],
  ['a refused prompt, as a 503', refused({ kind: 'moderation', status: 503 }), fine],
  ['a refused key', refused({ kind: 'auth', status: 401 }), fine],
  ['nobody there', refused({ kind: 'network' }), { type: 'unreached' }],
  ['no connection in time', refused({ kind: 'timeout' }), { type: 'unreached' }],
  ['a file that cannot be read', refused({ kind: 'invalid' }), undefined],
  ['a 503 that says no', refused({ status: 503 }), { type: 'faulty', sort: '503', costly: false }],
  ['a 503 with a time', refused({ status: 503, retryAfterMs: 3_000 }), { type: 'limited', retryAfterMs: 3_000 }],
  ['a 429', refused({ kind: 'rate_limit', status: 429 }), { type: 'limited' }],
  ['a queue that is full, as a 200', refused({ kind: 'rate_limit', status: 200 }), { type: 'limited' }],
  ['a reset after sending', lost({ kind: 'network' }), costly('network')],
  ['silence after sending', lost({ kind: 'timeout' }), costly('timeout')],
  ['a 504', lost({ kind: 'timeout', status: 504 }), costly('504')],
  ['a 504 with a time, which may have been taken', lost({ status: 504, retryAfterMs: 3_000 }), costly('504')],
  ['a sign-in page instead of an answer', lost({ kind: 'invalid', status: 200, wrongPlace: true }), costly('200')],
  ['a 200 that nobody can read', lost({ status: 200 }), costly('200')],
])('of an order: %s', (_name, outcome, report) => {
  expect(reportOfOrder(outcome)).toEqual(report);
});

const unreachable = (fields: Partial<GatewayError>): PollOutcome => ({ type: 'unreachable', error: error(fields) });

test.each<[string, PollOutcome, Report | undefined]>([
  ['a task that failed', { type: 'failed', error: error({ accepted: 'yes' }), billed: 'no' }, fine],
  ['a task that is not known', { type: 'missing' }, fine],
  ['nobody there', unreachable({ kind: 'network' }), { type: 'unreached' }],
  [
    'a reset, which costs nothing',
    unreachable({ kind: 'network', accepted: 'unknown' }),
    { type: 'faulty', sort: 'network', costly: false },
  ],
  ['a 502', unreachable({ status: 502 }), { type: 'faulty', sort: '502', costly: false }],
  [
    'a 429',
    unreachable({ kind: 'rate_limit', status: 429, retryAfterMs: 9_000 }),
    { type: 'limited', retryAfterMs: 9_000 },
  ],
  ['a refused key', unreachable({ kind: 'auth', status: 401 }), fine],
])('of a poll: %s', (_name, outcome, report) => {
  expect(reportOfPoll(outcome)).toEqual(report);
});
