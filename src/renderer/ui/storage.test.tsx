import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { labels } from '../../../test/labels.ts';
import { acting, anAsset, byText, fakeStudio, show } from '../testing/page.tsx';
import { MediaTile } from './media.tsx';
import { endsSoon, storageSentence, timeLeft } from './storage.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 23, 12);
const away = (ms: number) => ({ state: 'remote', expiresAt: NOW + ms }) as const;
const assumed = (ms: number) => ({ ...away(ms), expiryAssumed: true }) as const;

test.each([
  [away(23.5 * HOUR), '23 h', 'At the gateway, 23 h left'],
  [away(HOUR), '1 h', 'At the gateway, 1 h left'],
  [away(HOUR - 1), '59 min', 'At the gateway, 59 min left'],
  [away(20_000), '1 min', 'At the gateway, 1 min left'],
  [away(0), 'link ended', 'At the gateway, its link has ended'],
  [assumed(23.5 * HOUR), 'about 23 h', 'At the gateway, about 23 h left'],
  [assumed(-HOUR), 'link may have ended', 'At the gateway, its link may have ended'],
  [{ state: 'remote' } as const, undefined, 'At the gateway'],
  [{ ...away(HOUR), state: 'local' } as const, undefined, labels.onDiskVerified],
  [{ ...away(HOUR), state: 'expired' } as const, undefined, 'Lost'],
])('%o has %s', (storage, left, words) => {
  expect([timeLeft(storage, NOW), storageSentence(storage, NOW)]).toEqual([left, words]);
});

test('the last two days are a warning, and so is a link that says no end', () => {
  expect([away(47 * HOUR), away(49 * HOUR), away(-1)].map((storage) => endsSoon(storage, NOW))).toEqual([
    true,
    false,
    true,
  ]);
  expect([endsSoon({ state: 'remote' }, NOW), endsSoon({ ...away(HOUR), state: 'local' }, NOW)]).toEqual([true, false]);
});

let seen: DocumentVisibilityState = 'visible';
const look = (state: DocumentVisibilityState) =>
  acting(() => {
    seen = state;
    document.dispatchEvent(new Event('visibilitychange'));
  });
beforeEach(() => {
  seen = 'visible';
  fakeStudio({});
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => seen);
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a tile changes only where its words do, and while somebody can see it', async () => {
  const tile = (id: string, storage: object) => <MediaTile key={id} asset={anAsset({ id, ...storage })} title={id} />;
  const minutes = Array.from({ length: 40 }, (_, n) => tile(`soon ${n}.`, away(30 * 60_000)));
  await show(
    <div>
      {minutes}
      {tile('later', away(10.5 * HOUR))}
      {tile('here', { state: 'local' })}
    </div>,
  );
  expect(byText('soon 0.', '.tile').textContent).toContain('30 min');
  expect(byText('later', '.tile').textContent).toContain('10 h');
  const changes: (string | null | undefined)[] = [];
  new MutationObserver((records) => {
    for (const { target } of records) changes.push(target.parentElement?.closest('.tile')?.textContent);
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  await acting(() => vi.advanceTimersByTime(60_000));
  expect(byText('soon 39.', '.tile').textContent).toContain('29 min');
  expect(changes.length).toBeGreaterThanOrEqual(40);
  expect(changes.filter((text) => !text?.includes('soon'))).toEqual([]);
  await look('hidden');
  changes.length = 0;
  await acting(() => vi.advanceTimersByTime(11 * HOUR));
  expect(changes).toEqual([]);
  await look('visible');
  expect(byText('later', '.tile').textContent).toContain('link ended');
  await show(<div />);
  expect(vi.getTimerCount()).toBe(0);
});
