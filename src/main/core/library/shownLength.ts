import { open } from 'node:fs/promises';
import type { Input } from 'mediabunny';
import { type EditEnds, editEndsOf } from '../../../shared/editList.ts';
import { read } from './integrity.ts';

/** Where the edit lists of a clip's tracks end, by track id. */
export async function editEndsIn(file: string): Promise<EditEnds> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    return await editEndsOf((at, length) => read({ handle, size }, at, length), size);
  } finally {
    await handle.close();
  }
}

/** In seconds: what an encoder leaves behind the end of a sound is no more. */
const PADDING = 0.1;

/** How long a clip plays, in seconds: what lies behind the end of its edit lists is not shown. */
export async function shownSeconds(input: Input, ends: EditEnds): Promise<number> {
  const whole = await input.computeDuration();
  if (ends.size === 0) return whole;
  const tracks = await input.getTracks();
  const shown = await Promise.all(
    tracks.map(async (track) =>
      Math.min(await track.computeDuration(), ends.get(track.id) ?? Number.POSITIVE_INFINITY),
    ),
  );
  const seconds = Math.max(...shown);
  return seconds < whole - PADDING ? seconds : whole;
}
