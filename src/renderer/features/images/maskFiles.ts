import type { StudioError } from '../../../shared/contract/result.ts';
import { cacheAssets } from '../../app/index.ts';
import { uploadMedia } from '../../client/index.ts';
import { WindowStore } from '../../spending/index.ts';

/** By the hash of the file: one upload for one mask, so that what is sent again after a lost answer is the same edit, also after a reload. */
const uploaded = new WindowStore<{ id: string }>('dailies.masks');

/** The asset of a mask's file, which is uploaded where it was not yet. */
export async function maskAsset(file: Blob, name: string): Promise<{ id: string } | { error: string }> {
  const hash = await hashOf(file);
  const id = uploaded.get(hash)?.id ?? (await upload(file, name));
  if (typeof id !== 'string') return id;
  // What is used last is kept longest.
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

/** Where an edit was refused for its mask, as for one that was deleted since, the next press uploads it anew. */
export async function forgetRefusedMask(file: Blob, { data }: StudioError): Promise<void> {
  if (String(data?.field).split('.').at(-1) === 'mask') uploaded.delete(await hashOf(file));
}

async function hashOf(file: Blob): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return new Uint8Array(hash).join(' ');
}
