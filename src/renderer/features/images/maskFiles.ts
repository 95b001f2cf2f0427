import type { StudioError } from '../../../shared/contract/result.ts';
import { cacheAssets } from '../../app/index.ts';
import { uploadMedia } from '../../client/index.ts';
import { WindowStore } from '../../spending/index.ts';

/**
 * Uploaded masks by file hash: one upload per mask, so that a request repeated after a lost answer, or after a reload, is the same edit.
 */
const uploaded = new WindowStore<{ id: string }>('dailies.masks');

/** The asset of a mask file; uploads it if needed. */
export async function maskAsset(file: Blob, name: string): Promise<{ id: string } | { error: string }> {
  const hash = await hashOf(file);
  const id = uploaded.get(hash)?.id ?? (await upload(file, name));
  if (typeof id !== 'string') return id;
  // Reinserted, so that the most recently used entry is dropped last.
  uploaded.delete(hash);
  uploaded.set(hash, { id });
  return { id };
}

async function upload(file: Blob, name: string): Promise<string | { error: string }> {
  const answer = await uploadMedia(file, name, { role: 'mask' });
  if (!answer.ok) return { error: answer.error.message };
  cacheAssets([answer.data]);
  return answer.data.id;
}

/** If an edit was refused because of its mask, such as one deleted since, the next press uploads the mask again. */
export async function forgetRefusedMask(file: Blob, { data }: StudioError): Promise<void> {
  if (String(data?.field).split('.').at(-1) === 'mask') uploaded.delete(await hashOf(file));
}

async function hashOf(file: Blob): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return new Uint8Array(hash).join(' ');
}
