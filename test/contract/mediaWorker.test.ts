import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Host, startHost } from '../helpers/host.ts';
import { testPng } from '../helpers/png.ts';

let host: Host;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.stop());

test("with no page open, the host's own browser does media work", async () => {
  const events = await host.events();
  const uploaded = await host.request('/media?name=picture.png', { method: 'PUT', body: testPng(1_280, 720) });
  const { data: asset } = (await uploaded.json()) as { data: { id: string } };
  const { asset: seen } = await events.next(
    'asset.changed',
    (event) => event.asset.id === asset.id && event.asset.thumbnailId !== undefined,
  );
  const thumbnail = await host.request(`/media/${seen.thumbnailId}`);
  expect([thumbnail.status, thumbnail.headers.get('content-type')?.split('/')[0]]).toEqual([200, 'image']);
});

test('work that a killed host left is resumed by the next start', async () => {
  const uploaded = await host.request('/media?name=left.png', { method: 'PUT', body: testPng(640, 360, 1) });
  const { data: asset } = (await uploaded.json()) as { data: { id: string } };
  await host.kill('SIGKILL');
  host = await host.restart();
  const events = await host.events();
  const before = await host.ask('library.get', { id: asset.id });
  if (before.thumbnailId === undefined) {
    await events.next('asset.changed', (event) => event.asset.id === asset.id && event.asset.thumbnailId !== undefined);
  }
  expect((await host.ask('library.get', { id: asset.id })).thumbnailId).toEqual(expect.any(String));
});

test('the browser is gone with the host, also when that is killed', async () => {
  const profile = join(host.dataDir, 'media-browser');
  await expect.poll(() => browsersOn(profile)).not.toEqual([]);
  await host.kill('SIGKILL');
  await expect.poll(() => browsersOn(profile)).toEqual([]);
  host = await host.restart();
});

/** The browser processes with this profile; not every Chromium locks its profile. */
function browsersOn(profile: string): string[] {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes(`--user-data-dir=${profile}`));
}
