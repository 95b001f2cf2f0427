import { useEffect, useState } from 'react';
import { isPlayable } from '../../../shared/film/film.ts';
import type { ClipPart } from '../../../shared/film/trim.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { t } from '../../../shared/text/texts.ts';
import { mediaUrl } from '../../client/index.ts';
import { framesOf } from '../../media/filmstrip.ts';
import { AssetImage } from '../../ui/index.ts';
import styles from './storyboard.module.css';

export const Loading = () => <span className={`ov ${styles.loading}`}>{t`Loading`}</span>;

/** The thumbnail of a clip; until it exists, the first frame. */
export function ClipPicture({ clip }: { clip: Asset }) {
  const isUnread = isPlayable(clip) && !clip.thumbnailId;
  const { frames, isLoading } = useFrames(isUnread ? clip.id : undefined, 2, 180);
  const [first] = frames ?? [];
  if (isLoading) return <Loading />;
  if (first === undefined) return <AssetImage asset={clip} className="fill" alt="" />;
  return <img className="fill" src={first} alt="" draggable={false} />;
}

/** {@link ClipPicture} that plays on hover. */
export function ClipPreview({ clip }: { clip: Asset }) {
  const [isOver, setOver] = useState(false);
  return (
    <span
      className={`fill ${styles.preview}`}
      onPointerEnter={() => setOver(true)}
      onPointerLeave={() => setOver(false)}
    >
      <ClipPicture clip={clip} />
      {isOver && isPlayable(clip) && (
        <video className="fill" src={mediaUrl(clip.id)} muted autoPlay loop playsInline tabIndex={-1} />
      )}
    </span>
  );
}

interface Frames {
  assetId: string;
  /** Undefined if they cannot be read. */
  frames: string[] | undefined;
}

/** Frames of a clip or a part of it. A resize reads again once it has stopped. */
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
