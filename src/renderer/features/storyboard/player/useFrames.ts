import { useEffect, useState } from 'react';
import type { ClipPart } from '../../../../shared/film/trim.ts';
import { framesOf } from '../../../media/filmstrip.ts';

interface Frames {
  assetId: string;
  /** Undefined where they cannot be read. */
  frames: string[] | undefined;
}

/** Frames of a clip, or of a part of it. A resize reads again only when it rests. */
export function useFrames(
  assetId: string | undefined,
  count: number,
  height: number,
  part?: ClipPart,
): { frames: string[] | undefined; isLoading: boolean } {
  const [read, setRead] = useState<Frames>();
  const { from, seconds } = part ?? {};
  useEffect(() => {
    if (assetId === undefined) return;
    let isCurrent = true;
    const take = (frames: string[] | undefined) => isCurrent && setRead({ assetId, frames });
    const task = { count, height, ...(from === undefined || seconds === undefined ? {} : { part: { from, seconds } }) };
    const timer = setTimeout(() => framesOf(assetId, task).then(take, () => take(undefined)), 150);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [assetId, count, height, from, seconds]);
  const known = read?.assetId === assetId ? read : undefined;
  return { frames: known?.frames, isLoading: assetId !== undefined && known === undefined };
}
