import { create } from 'zustand';
import type { ReadStrip, StripTask } from './frame.ts';
import { revokeLater } from './revokeLater.ts';
import { bytesOf } from './work.ts';

/** Frames of clips for film strips, kept by clip and count while the window lives. They are decoded in the sandboxed media frame. */
const strips = new Map<string, Promise<string[]>>();
const KEPT = 200;

/** What reads the strips; undefined before the frame is loaded. It is loaded once a strip is asked for. */
export const useStripReader = create<{ isWanted: boolean; read: ReadStrip | undefined }>()(() => ({
  isWanted: false,
  read: undefined,
}));

/**
 * `count` frames of a clip, evenly over its length or a part of it, as small pictures (object URLs), in order. Rejects where it cannot be decoded;
 * the caller shows the first and the last picture instead.
 */
export function framesOf(assetId: string, task: Omit<StripTask, 'kind'>): Promise<string[]> {
  const key = `${assetId} ${JSON.stringify(task)}`;
  const known = strips.get(key);
  if (known) return known;
  useStripReader.setState({ isWanted: true });
  // One clip at a time is held in memory.
  const before = [...strips.values()].at(-1);
  const read = () => readFrames(assetId, task);
  const frames = before ? before.then(read, read) : read();
  strips.set(key, frames);
  for (const [oldest, urls] of strips) {
    if (strips.size <= KEPT) break;
    strips.delete(oldest);
    void urls.then(revokeAll, () => undefined);
  }
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
