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

/** Bug: a hotel's network for a night, and every result of the day before is given up, though its link lives for a week. */
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

/** Bug: a 404 long after the link's announced end keeps a job open for minutes more. */
test('a 404 counts once the link has expired', () => {
  const asset = row({ expires_at: 10 * HOUR });
  expect(decideDownload({ asset, now: 9 * HOUR }, no('missing'))).toMatchObject({
    type: 'retry',
    countsAsBadResponse: true,
  });
  expect(decideDownload({ asset, now: 10 * HOUR }, no('missing'))).toMatchObject({ type: 'abandoned' });
});

/** Bug: the first 403 of a storage was the end of a result, hours before that of its link. */
test.each([401, 403])('a refusal with status %i is asked for again, until the announced end of the link', (status) => {
  const asset = row({ expires_at: 10 * HOUR });
  expect(decideDownload({ asset, now: 9 * HOUR }, no('wrong', { status }))).toMatchObject({
    type: 'retry',
    countsAsBadResponse: true,
  });
  expect(decideDownload({ asset, now: 10 * HOUR }, no('wrong', { status }))).toMatchObject({ type: 'abandoned' });
  expect(decideDownload({ asset, now: 10 * HOUR }, no('wrong', { status: 200 }))).toMatchObject({ type: 'retry' });
});

/** Bug: sixty results that failed in the same second come back in the same second, every time. */
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

/** Bug: a bad line that brings some of the file each time waits a minute between the pieces. */
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

/** Bug: bytes that stood in the answer itself and cannot be read are "tried again" six times. */
test('bytes in the address itself are not retried', () => {
  const asset = row({ remote_uri: 'data:text/plain,hello' });
  expect(decideDownload({ asset, now: 0 }, { type: 'rejected', message: 'No picture.' })).toMatchObject({
    type: 'abandoned',
  });
});
