import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { useAnnouncements } from '../../app/announce.ts';
import { useEntities } from '../../app/index.ts';
import { acting, anAsset, show } from '../../testing/page.tsx';
import { useLastHourSaid } from './LibraryPage.tsx';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 23, 12);
const away = (id: string, ms: number): Asset =>
  anAsset({ id, name: `File ${id}`, state: 'remote', expiresAt: NOW + ms });
const list = (...assets: Asset[]) =>
  useEntities.setState({ assets: new Map(assets.map((asset) => [asset.id, asset])) });

function Page({ listed }: { listed: number }) {
  useLastHourSaid(listed);
  return null;
}

const said: string[] = [];
let stop: () => void = () => undefined;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  said.length = 0;
  useAnnouncements.setState({ polite: '' });
  stop = useAnnouncements.subscribe(({ polite }) => said.push(polite));
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

const pass = (ms: number) => acting(() => vi.advanceTimersByTime(ms));

test('is said once of each file, when its last hour begins', async () => {
  list(away('a', HOUR / 2), away('b', HOUR + 60_000), away('c', -1), anAsset({ id: 'd' }));
  await show(<Page listed={4} />);
  await pass(3_000);
  expect(said).toEqual([labels.onlyAtTheGatewayFor('File a')]);
  await pass(30_000);
  await pass(3_000);
  expect(said).toHaveLength(1);
  await pass(60_000);
  await pass(3_000);
  expect(said.slice(1)).toEqual([labels.onlyAtTheGatewayFor('File b')]);
  await pass(60_000);
  await pass(3_000);
  expect(said).toHaveLength(2);
});
