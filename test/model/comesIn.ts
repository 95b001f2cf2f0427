import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Asset } from '../../src/shared/library/asset.ts';
import { testPng } from '../helpers/png.ts';
import type { Drive } from './drive.ts';
import { deleted, marks } from './marks.ts';

interface UploadingDrive extends Drive {
  upload(bytes: Buffer): Promise<Asset>;
}

export async function leavesAndComesIn(
  drive: UploadingDrive,
  assets: readonly Asset[],
  isOver: (id: string) => Promise<string>,
): Promise<void> {
  await marks(drive, assets[0]?.id ?? '');
  const { id } = await drive.does('library.export', { ids: assets.map((asset) => asset.id) });
  expect(await isOver(id)).toBe('done');
  await comesIn(drive, (await drive.ask('exports.get', { id })).folder);
  await drive.does('exports.remove', { id });
}

/** Imports an export again, with another description: unchanged files are recognized. */
async function comesIn({ does, ask, upload }: UploadingDrive, folder: string): Promise<void> {
  const [file = ''] = fs.readdirSync(folder).filter((name) => name.endsWith('.json'));
  expect(await does('library.importFolder', { path: folder })).toMatchObject({ imported: 0, known: 1 });
  const bytes = testPng(12, 12);
  const sidecar = JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  fs.writeFileSync(path.join(folder, 'other.png'), bytes);
  fs.writeFileSync(path.join(folder, 'other.png.json'), JSON.stringify({ ...sidecar, sha256, mime: 'image/png' }));
  expect(await does('library.importFolder', { path: folder })).toMatchObject({ imported: 1, known: 1, errors: [] });
  for (const name of ['other.png', 'other.png.json']) fs.rmSync(path.join(folder, name));
  const more = testPng(13, 13);
  const { id } = await upload(more);
  const described = { ...sidecar, sha256: createHash('sha256').update(more).digest('hex'), mime: 'image/png' };
  await does('library.describe', { id, sidecar: JSON.stringify(described) });
  expect((await ask('library.get', { id })).elsewhere).toBeDefined();
  await deleted({ does, ask }, id);
}
