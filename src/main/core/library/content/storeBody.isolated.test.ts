import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { testPng } from '../../../../../test/helpers/png.ts';
import { tempDir } from '../../../../../test/helpers/testPorts.ts';
import { bytesInAddress } from '../../gateway/index.ts';
import { ContentInUse, libraryDir } from './contentStore.ts';
import { LibraryLocation } from './location.ts';
import { storeInlineOutput } from './storeBody.ts';

/** A picture that came inside the answer to a paid request is nowhere else. */

const inspector = vi.hoisted(() => ({ starts: true }));
vi.mock('../media/inspector.ts', async (original) => {
  const real = await original<typeof import('../media/inspector.ts')>();
  const probeInProcess = (file: string) =>
    inspector.starts ? real.probeInProcess(file) : Promise.reject(new Error('spawn EAGAIN'));
  return { ...real, probeInProcess };
});

const output = { role: 'output' as const, uri: `data:image/png;base64,${testPng(8, 8).toString('base64')}` };

function store(given = output) {
  const home = tempDir('body');
  const location = new LibraryLocation(home);
  const parts = path.join(libraryDir(home), 'parts');
  return { parts, keep: () => storeInlineOutput({ location, name: 'in_1', inUse: new ContentInUse() }, given) };
}

test('a picture inside an answer becomes a file', async () => {
  const { parts, keep } = store();
  expect(await keep()).toMatchObject({ output: { uri: '' }, file: { mime: 'image/png' } });
  expect(fs.readdirSync(parts)).toEqual([]);
});

test('a picture that cannot be decoded becomes a file as it came, and leaves its row', async () => {
  const bytes = Buffer.concat([testPng(8, 8).subarray(0, 20), Buffer.alloc(500, 7)]);
  const { parts, keep } = store({ role: 'output', uri: `data:image/png;base64,${bytes.toString('base64')}` });
  expect(await keep()).toMatchObject({ output: { uri: '' }, file: { mime: 'image/png', bytes: 520, width: 0 } });
  expect(fs.readdirSync(parts)).toEqual([]);
});

test('bytes of a format that is not known stay whole in their row: a later version may know it', async () => {
  const uri = `data:image/png;base64,${'AAAA'.repeat(50_000)}`;
  const { parts, keep } = store({ role: 'output', uri });
  expect(await keep()).toEqual({ output: { role: 'output', uri } });
  expect(fs.readdirSync(parts)).toEqual([]);
});

test('what is long in base64 is unpacked a piece in each turn, whatever stands between its signs', async () => {
  const bytes = Buffer.from(Array.from({ length: 2_500_001 }, (_, at) => at % 251));
  const text = bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  const pieces: Uint8Array[] = [];
  let turns = 0;
  const count = () => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  for await (const piece of bytesInAddress(`data:video/mp4;base64,${text}`)?.bytes ?? []) pieces.push(piece);
  clearImmediate(counting);
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  expect(turns).toBeGreaterThanOrEqual(3);
  expect(pieces.length).toBeGreaterThan(3);
});

test('a picture that cannot be inspected stays in its row, and is no half file', async () => {
  const { parts, keep } = store();
  inspector.starts = false;
  expect(await keep()).toEqual({ output });
  inspector.starts = true;
  expect(fs.readdirSync(parts)).toEqual([]);
});

test('a picture that cannot be written stays in its row; on a full disk it is tried again', async () => {
  const { parts, keep } = store();
  fs.mkdirSync(path.dirname(parts), { recursive: true });
  fs.writeFileSync(parts, 'no folder');
  expect(await keep()).toEqual({ output });
  const full = vi.spyOn(fs.promises, 'mkdir').mockImplementation(async () => {
    throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  });
  await expect(keep()).rejects.toMatchObject({ code: 'ENOSPC' });
  full.mockRestore();
});
