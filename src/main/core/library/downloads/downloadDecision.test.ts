import { expect, test } from 'vitest';
import type { MediaOutcome } from '../../gateway/index.ts';
import type { AssetRow } from '../assetColumns.ts';
import type { DownloadResult } from './download.ts';
import { decideDownload } from './downloadDecision.ts';

const HOUR = 3_600_000;
const row = (fields: Partial<AssetRow> = {}): AssetRow =>
  ({
    id: 'as_1',
    remote_uri: 'https://h/a',
    expires_at: null,
    created_at: 0,
    tries: 0,
    strikes: 0,
    ...fields,
  }) as AssetRow;

type Failed = Exclude<MediaOutcome, { type: 'ok' }>;
const no = (type: Failed['type'], fields: Partial<Failed['error']> = {}): DownloadResult => ({
  type: 'requestFailed',
  outcome: { type, error: { kind: 'network', message: 'No.', retryable: true, accepted: 'yes', ...fields } },
});

const decide = (asset: Partial<AssetRow>, now: number, result: DownloadResult) =>
  decideDownload({ asset: row(asset), now }, result);
const refusal = { type: 'retry', countsAsRefusal: true };
const silence = { type: 'retry', hostUnreachable: true, countsAsBadResponse: false };
const over = { type: 'abandoned' };
const ends = { expires_at: 10 * HOUR };
const denied = (status: number) => no('wrong', { status });

test.each<[string, Partial<AssetRow>, number, DownloadResult, object]>([
  ['an unreachable host is tried', { ...ends, tries: 5_000 }, 9, no('unreachable'), silence],
  ['a day longer than the link', ends, 33, no('unreachable'), silence],
  ['and no longer', ends, 35, no('unreachable'), over],
  ['two weeks without an announced end', {}, 13 * 24, no('unreachable'), { type: 'retry' }],
  ['and no longer', {}, 15 * 24, no('unreachable'), over],
  ['a 404 is a refusal before the end of the link', ends, 9, no('missing'), refusal],
  ['and the end of it afterwards', ends, 10, no('missing'), over],
  ['so is a 401', ends, 9, denied(401), refusal],
  ['a 401 at the end', ends, 10, denied(401), over],
  ['so is a 403', ends, 9, denied(403), refusal],
  ['a 403 at the end', ends, 10, denied(403), over],
  ['a page at the end asks the task', ends, 10, no('noFile'), { type: 'retry', asksTask: true }],
])('%s', (_what, asset, hours, result, decision) => {
  expect(decide(asset, hours * HOUR, result)).toMatchObject(decision);
});

test('pauses grow, are bounded, keep to what the service asks, and differ from asset to asset', () => {
  const pause = (asset: AssetRow, result: DownloadResult): number => {
    const decision = decideDownload({ asset, now: 0 }, result);
    return decision.type === 'retry' ? decision.waitMs : Number.NaN;
  };
  const growing = [0, 1, 2, 3, 4, 5, 6, 20].map((tries) => pause(row({ tries }), no('unreachable')));
  expect([...growing].sort((a, b) => a - b)).toEqual(growing);
  expect(growing[0]).toBeLessThanOrEqual(2_400);
  expect(growing.at(-1)).toBeLessThanOrEqual(72_000);
  expect(pause(row(), no('unreachable', { retryAfterMs: 200_000 }))).toBe(200_000);
  const apart = new Set(
    Array.from({ length: 50 }, (_, n) => pause(row({ id: `as_${n}`, tries: 5 }), no('unreachable'))),
  );
  expect(apart.size).toBeGreaterThan(25);
});

test('a try that made progress is followed by another one soon', () => {
  const [soon, late] = [true, false].map((madeProgress) =>
    decide({ tries: 9 }, 0, { type: 'interrupted', message: 'Lost.', madeProgress }),
  );
  expect(soon).toMatchObject({ type: 'retry', countsAsAttempt: false });
  expect(soon?.type === 'retry' && soon.waitMs).toBeLessThan(3_000);
  expect(late?.type === 'retry' && late.waitMs).toBeGreaterThan(40_000);
});

test('bytes in the address itself are not retried', () => {
  const asset = { remote_uri: 'data:text/plain,hello' };
  expect(decide(asset, 0, { type: 'rejected', message: 'No picture.' })).toMatchObject(over);
});

test.each<[DownloadResult, number]>([
  [no('missing'), 4],
  [no('wrong', { status: 403 }), 6],
  [no('failed'), 4],
])('a refusal after nonsense counts from its own first (%#)', (result, limit) => {
  const asset = row({ strikes: 12, tries: 12 });
  for (let refusals = 0; refusals < limit - 1; refusals++) {
    const decision = decideDownload({ asset, now: 0, refusals }, result);
    expect(decision).toMatchObject({ type: 'retry', countsAsRefusal: true, countsAsBadResponse: false });
    expect(decision.type === 'retry' && decision.waitMs).toBeLessThan(3_000 * 2 ** refusals);
  }
  expect(decideDownload({ asset, now: 0, refusals: limit - 1 }, result)).not.toMatchObject({ type: 'retry' });
});

/** When an address that gives nothing but pages is asked, in milliseconds; the last time is that at which it is given up. */
function askedAt(fields: Partial<AssetRow>): number[] {
  const times = [0];
  for (let strikes = 0; ; strikes++) {
    const now = times.at(-1) ?? 0;
    const decision = decideDownload({ asset: row({ ...fields, strikes, tries: strikes }), now }, no('noFile'));
    if (decision.type !== 'retry') return times;
    times.push(now + decision.waitMs);
  }
}

test('nonsense is waited through for more than half an hour, with short pauses first', () => {
  for (let n = 0; n < 50; n++) {
    const times = askedAt({ id: `as_${n}` });
    expect(times.at(-1)).toBeGreaterThan(32 * 60_000);
    expect(times.filter((at) => at < 90_000).length).toBeGreaterThanOrEqual(5);
  }
});

test.each([60_000, 120_000, 240_000, 600_000, 1_800_000])(
  'a link that lives for %i ms is tried often before its end',
  (end) => {
    const before = askedAt({ expires_at: end }).filter((at) => at < end);
    expect(before.at(-1)).toBeGreaterThan(end - 6_000);
    expect(before.filter((at) => at > end / 2).length).toBeGreaterThanOrEqual(3);
  },
);

test('what stays too large is given up as soon as a refusal', () => {
  const result = { type: 'rejected', message: 'Too large.', isLasting: true } as const;
  const attempt = { asset: row({ strikes: 3 }), now: 0 };
  expect(decideDownload({ ...attempt, refusals: 4 }, result)).toMatchObject({ type: 'retry', countsAsRefusal: true });
  expect(decideDownload({ ...attempt, refusals: 5 }, result)).toMatchObject({ type: 'abandoned' });
});
