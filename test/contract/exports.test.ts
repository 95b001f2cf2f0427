import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Asset } from '../../src/shared/asset.ts';
import type { CallName } from '../../src/shared/contract.ts';
import type { Export, ExportPage } from '../../src/shared/filmExport.ts';
import type { Result } from '../../src/shared/result.ts';
import { ask, electronRuns, told } from '../helpers/electronRuns.ts';
import { type Host, startHost } from '../helpers/host.ts';
import { testPng } from '../helpers/png.ts';
import { electronWire, httpWire, type Wire } from './wires.ts';

describe.each([
  ['the browser host', httpWire],
  ['the Electron host', electronWire],
])('exports from %s', (_, open) => {
  let wire: Wire;
  let picture: Asset;
  beforeAll(async () => {
    wire = await open();
    const uploaded = await wire.upload('a quay.png', testPng(64, 36));
    if (!uploaded.ok) throw new Error(uploaded.error.message);
    picture = uploaded.data;
  });
  afterAll(() => wire?.close());

  const data = async <Data>(name: CallName, input?: unknown): Promise<Data> => {
    const result = (await wire.call(name, input)) as Result<Data>;
    if (!result.ok) throw new Error(`${name}: ${result.error.message}`);
    return result.data;
  };

  test('an export is announced, listed, and removed; the library keeps its file', async () => {
    const events = await wire.events();
    const started = await data<Export>('library.export', { ids: [picture.id] });
    const isEnd = ({ export: one }: { export: Export }) => one.id === started.id && one.state !== 'running';
    const { export: done } = await events.next('export.changed', isEnd);
    expect(done).toMatchObject({ kind: 'files', state: 'done', progress: 100 });
    expect(done.files.map(({ name }) => name)).toEqual(['a-quay.png', 'a-quay.png.json']);
    expect(readFileSync(join(done.folder, 'a-quay.png')).length).toBe(done.files[0]?.bytes);
    expect((await data<ExportPage>('exports.list')).exports).toEqual([done]);
    expect(await data<Export>('exports.get', { id: done.id })).toEqual(done);
    await data('exports.remove', { id: done.id });
    expect((await data<ExportPage>('exports.list')).exports).toEqual([]);
    expect((await wire.media(picture.id)).status).toBe(200);
    await events.close();
  });

  test.each([
    ['film.export', { projectId: 'x', format: 'avi' }, 'format'],
    ['film.export', { projectId: 'x', format: 'otio', holes: 'fill' }, 'holes'],
    ['library.export', { ids: [] }, 'ids'],
    ['library.export', { ids: ['nothing'] }, 'ids.0'],
    ['exports.list', { limit: 0 }, 'limit'],
  ] as const)('%s with %j names the field %s', async (name, input, field) => {
    expect(await wire.call(name, input)).toMatchObject({ ok: false, error: { data: { field } } });
  });
});

describe('GET /exports', () => {
  let host: Host;
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(() => host?.stop());

  test('serves what the export lists, to who may read, and nothing else', async () => {
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
