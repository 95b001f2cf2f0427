import { create } from 'zustand';
import type { ReadStrip, StripTask } from './frame.ts';
import { revokeLater } from './revokeLater.ts';
import { bytesOf } from './work.ts';

const KEPT = 200;

interface StripReader {
  /** Frames of film strips by clip and count, kept as long as the window. */
  strips: ReadonlyMap<string, Promise<string[]>>;
  /** Decodes strips in the sandboxed media frame; undefined until the frame has loaded, which the first strip causes. */
  read?: ReadStrip | undefined;
}

export const useStripReader = create<StripReader>()(() => ({ strips: new Map() }));

/**
 * `count` frames of a clip, evenly spread over its length or a part of it, as small pictures (object URLs), in order. Rejects if the clip
 * cannot be decoded; the caller then shows its first and last picture.
 */
export function framesOf(assetId: string, task: Omit<StripTask, 'kind'>): Promise<string[]> {
  const key = `${assetId} ${JSON.stringify(task)}`;
  const strips = new Map(useStripReader.getState().strips);
  const known = strips.get(key);
  if (known) return known;
  // Only one clip at a time is in memory.
  const before = [...strips.values()].at(-1);
  const read = () => readFrames(assetId, task);
  const frames = before ? before.then(read, read) : read();
  strips.set(key, frames);
  for (const [oldest, urls] of strips) {
    if (strips.size <= KEPT) break;
    strips.delete(oldest);
    void urls.then(revokeAll, () => undefined);
  }
  useStripReader.setState({ strips });
  return frames;
}

const revokeAll = (urls: readonly string[]): void => {
  for (const url of urls) revokeLater(url);
};

async function readFrames(assetId: string, task: Omit<StripTask, 'kind'>): Promise<string[]> {
  const read = await reader();
  const pictures = await read({ kind: 'strip', ...task }, await bytesOf(assetId));
  return pictures.map((picture) => URL.createObjectURL(picture));
}

function reader(): Promise<ReadStrip> {
  const { read } = useStripReader.getState();
  if (read) return Promise.resolve(read);
  return new Promise((done) => {
    const stop = useStripReader.subscribe(({ read }) => {
      if (!read) return;
      stop();
      done(read);
    });
  });
}
