import { expect, test } from 'vitest';
import type { MediaOutcome } from '../gateway/index.ts';
import type { AssetRow } from './assetTable.ts';
import { endingOf } from './endings.ts';
import type { Received } from './receive.ts';

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
const no = (type: Failed['type'], fields: Partial<Failed['error']> = {}): Received => ({
  type: 'unfetched',
  outcome: { type, error: { kind: 'network', message: 'No.', retryable: true, accepted: 'yes', ...fields } },
});

/** Bug: a hotel's network for a night, and every result of the day before is given up, though its link lives for a week. */
test('an outage ends nothing: not before the end of the link, and not soon after it', () => {
  const asset = row({ expires_at: 10 * HOUR, tries: 5_000 });
  for (const now of [1, 9 * HOUR, 11 * HOUR, 33 * HOUR]) {
    expect(endingOf({ asset, now }, no('unreachable'))).toMatchObject({ type: 'later', outage: true, struck: false });
  }
  expect(endingOf({ asset, now: 35 * HOUR }, no('unreachable'))).toMatchObject({ type: 'givenUp' });
  expect(endingOf({ asset: row(), now: 13 * 24 * HOUR }, no('unreachable'))).toMatchObject({ type: 'later' });
  expect(endingOf({ asset: row(), now: 15 * 24 * HOUR }, no('unreachable'))).toMatchObject({ type: 'givenUp' });
});

/** Bug: a 404 long after the link's announced end keeps a job open for minutes more. */
test('a place that does not know it any more is believed once the link has ended', () => {
  const asset = row({ expires_at: 10 * HOUR });
  expect(endingOf({ asset, now: 9 * HOUR }, no('missing'))).toMatchObject({ type: 'later', struck: true });
  expect(endingOf({ asset, now: 10 * HOUR }, no('missing'))).toMatchObject({ type: 'givenUp' });
});

/** Bug: sixty results that failed in the same second come back in the same second, every time. */
test('pauses grow, are bounded, keep to what the service asks, and differ from asset to asset', () => {
  const pause = (asset: AssetRow, received: Received): number => {
    const ending = endingOf({ asset, now: 0 }, received);
    return ending.type === 'later' ? ending.waitMs : Number.NaN;
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
test('a try that got further is followed by another one soon', () => {
  const asset = row({ tries: 9 });
  const broken = { type: 'broken', message: 'Lost.' } as const;
  expect(endingOf({ asset, now: 0 }, { ...broken, further: true })).toMatchObject({ type: 'later', tried: false });
  const [soon, late] = [true, false].map((further) => endingOf({ asset, now: 0 }, { ...broken, further }));
  expect(soon?.type === 'later' && soon.waitMs).toBeLessThan(3_000);
  expect(late?.type === 'later' && late.waitMs).toBeGreaterThan(40_000);
});

/** Bug: bytes that stood in the answer itself and cannot be read are "tried again" six times. */
test('what stands in the address itself cannot get better', () => {
  const asset = row({ remote_uri: 'data:text/plain,hello' });
  expect(endingOf({ asset, now: 0 }, { type: 'unfit', message: 'No picture.' })).toMatchObject({ type: 'givenUp' });
});
