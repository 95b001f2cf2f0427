import { open } from 'node:fs/promises';
import type { Input } from 'mediabunny';
import { type EditLists, editListsOf, startOf } from '../../../shared/film/editList.ts';
import { read } from './integrity.ts';

export async function editListsIn(file: string): Promise<EditLists> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    return await editListsOf((at, length) => read({ handle, size }, at, length), size);
  } finally {
    await handle.close();
  }
}

/** In seconds: what an encoder leaves behind the end of a sound is no more. */
const PADDING = 0.1;

/** How long a clip plays, in seconds: what lies before the start or behind the end of its edit lists is not shown. */
export async function shownSeconds(input: Input, edits: EditLists): Promise<number> {
  const duration = await input.computeDuration();
  if (edits.size === 0) return duration;
  const tracks = await input.getTracks();
  const start = startOf(edits, tracks);
  const whole = duration - start;
  const shown = await Promise.all(
    tracks.map(async (track) =>
      Math.min(await track.computeDuration(), edits.get(track.id)?.to ?? Number.POSITIVE_INFINITY),
    ),
  );
  const seconds = Math.max(...shown) - start;
  return seconds < whole - PADDING ? seconds : whole;
}
