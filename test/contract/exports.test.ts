import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Export } from '../../src/shared/film/filmExport.ts';
import type { Asset } from '../../src/shared/library/asset.ts';
import { ask, electronRuns, told } from '../helpers/electronRuns.ts';
import { type Host, startHost } from '../helpers/host.ts';
import { testPng } from '../helpers/png.ts';

describe('GET /exports', () => {
  let host: Host;
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(() => host?.stop());

  test('serves the listed files to authorized readers, and nothing else', async () => {
    const body = testPng(64, 36) as Uint8Array<ArrayBuffer>;
    const uploaded = await host.request('/media?name=a.png', { method: 'PUT', body });
    const { data: asset } = (await uploaded.json()) as { data: Asset };
    const started = await host.ask('library.export', { ids: [asset.id], provenance: false });
    await expect.poll(async () => (await host.ask('exports.get', { id: started.id })).state).toBe('done');
    const whole = await host.request(`/exports/${started.id}/a.png`);
    expect([whole.status, whole.headers.get('etag')]).toEqual([200, expect.stringContaining(`"${asset.sha256}-`)]);
    expect(Buffer.from(await whole.arrayBuffer()).equals(Buffer.from(body))).toBe(true);
    const part = await host.request(`/exports/${started.id}/a.png`, { headers: { range: 'bytes=0-3' } });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 4]);
    for (const name of ['b.png', '..%2f..%2fdailies.db', 'a.png.part', '%', ''])
      expect((await host.request(`/exports/${started.id}/${name}`)).status).toBe(404);
    const stranger = await fetch(`${host.origin}/exports/${started.id}/a.png`);
    expect(stranger.status).toBe(401);
  });
});

describe('the Electron host', () => {
  const { start } = electronRuns();
  const place = mkdtempSync(join(tmpdir(), 'films-'));
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  test('asks for a folder, exports into it, and shows it', async () => {
    const run = await start({ env: { DOUBLE_FOLDER: place } });
    expect(await ask(run, 'exports.chooseFolder')).toEqual({ folder: place });
    const picture = (await ask(run, 'library.import', {
      path: join(import.meta.dirname, '../../resources/tray.png'),
    })) as Asset;
    const started = (await ask(run, 'library.export', { ids: [picture.id], folder: place, name: 'Icons' })) as Export;
    expect(started.folder).toBe(join(place, 'Icons'));
    await expect.poll(async () => ((await ask(run, 'exports.get', { id: started.id })) as Export).state).toBe('done');
    await ask(run, 'exports.reveal', { id: started.id });
    await expect.poll(() => told(run, 'showItemInFolder')).toEqual([[join(place, 'Icons', 'tray.png')]]);
  });
});
