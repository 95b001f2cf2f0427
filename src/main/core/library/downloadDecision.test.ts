import { expect, test } from 'vitest';
import type { MediaOutcome } from '../gateway/index.ts';
import type { AssetRow } from './assetColumns.ts';
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

test('an hostUnreachable ends nothing: not before the end of the link, and not soon after it', () => {
  const asset = row({ expires_at: 10 * HOUR, tries: 5_000 });
  for (const now of [1, 9 * HOUR, 11 * HOUR, 33 * HOUR]) {
    expect(decideDownload({ asset, now }, no('unreachable'))).toMatchObject({
      type: 'retry',
      hostUnreachable: true,
      countsAsBadResponse: false,
    });
  }
  expect(decideDownload({ asset, now: 35 * HOUR }, no('unreachable'))).toMatchObject({ type: 'abandoned' });
  expect(decideDownload({ asset: row(), now: 13 * 24 * HOUR }, no('unreachable'))).toMatchObject({ type: 'retry' });
  expect(decideDownload({ asset: row(), now: 15 * 24 * HOUR }, no('unreachable'))).toMatchObject({ type: 'abandoned' });
});

test('a 404 counts once the link has expired', () => {
  const asset = row({ expires_at: 10 * HOUR });
  expect(decideDownload({ asset, now: 9 * HOUR }, no('missing'))).toMatchObject({
    type: 'retry',
    countsAsRefusal: true,
  });
  expect(decideDownload({ asset, now: 10 * HOUR }, no('missing'))).toMatchObject({ type: 'abandoned' });
});

test.each([401, 403])('a refusal with status %i is asked for again, until the announced end of the link', (status) => {
  const asset = row({ expires_at: 10 * HOUR });
  expect(decideDownload({ asset, now: 9 * HOUR }, no('wrong', { status }))).toMatchObject({
    type: 'retry',
    countsAsRefusal: true,
  });
  expect(decideDownload({ asset, now: 10 * HOUR }, no('wrong', { status }))).toMatchObject({ type: 'abandoned' });
  expect(decideDownload({ asset, now: 10 * HOUR }, no('noFile'))).toMatchObject({ type: 'retry', asksTask: true });
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

test('a try that got madeProgress is followed by another one soon', () => {
  const asset = row({ tries: 9 });
  const broken = { type: 'interrupted', message: 'Lost.' } as const;
  expect(decideDownload({ asset, now: 0 }, { ...broken, madeProgress: true })).toMatchObject({
    type: 'retry',
    countsAsAttempt: false,
  });
  const [soon, late] = [true, false].map((madeProgress) =>
    decideDownload({ asset, now: 0 }, { ...broken, madeProgress }),
  );
  expect(soon?.type === 'retry' && soon.waitMs).toBeLessThan(3_000);
  expect(late?.type === 'retry' && late.waitMs).toBeGreaterThan(40_000);
});

test('bytes in the address itself are not retried', () => {
  const asset = row({ remote_uri: 'data:text/plain,hello' });
  expect(decideDownload({ asset, now: 0 }, { type: 'rejected', message: 'No picture.' })).toMatchObject({
    type: 'abandoned',
  });
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
