import { useEffect, useState } from 'react';
import { framesOf } from '../../../media/filmstrip.ts';

interface Frames {
  assetId: string;
  /** Undefined where they cannot be read. */
  frames: string[] | undefined;
}

/** Frames of a clip. A resize reads again only when it rests. */
export function useFrames(
  assetId: string | undefined,
  count: number,
  height: number,
): { frames: string[] | undefined; isLoading: boolean } {
  const [read, setRead] = useState<Frames>();
  useEffect(() => {
    if (assetId === undefined) return;
    let isCurrent = true;
    const take = (frames: string[] | undefined) => isCurrent && setRead({ assetId, frames });
    const timer = setTimeout(() => framesOf(assetId, count, height).then(take, () => take(undefined)), 150);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [assetId, count, height]);
  const known = read?.assetId === assetId ? read : undefined;
  return { frames: known?.frames, isLoading: assetId !== undefined && known === undefined };
}
