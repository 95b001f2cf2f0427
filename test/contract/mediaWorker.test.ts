import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Host, startHost } from '../helpers/host.ts';
import { testPng } from '../helpers/png.ts';

let host: Host;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.stop());

test('with no page open, media work is done by a browser of its own', async () => {
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

test('it is gone with the host', async () => {
  const before = host.pid;
  expect(await host.kill('SIGTERM')).toBe(0);
  expect(() => process.kill(before, 0)).toThrow();
  host = await host.restart();
});
