import { useState } from 'react';
import { isPlayable } from '../../../shared/film/film.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { t } from '../../../shared/text/texts.ts';
import { mediaUrl } from '../../client/index.ts';
import { AssetImage } from '../../ui/index.ts';
import { useFrames } from './player/useFrames.ts';
import styles from './storyboard.module.css';

export const Loading = () => <span className={`ov ${styles.loading}`}>{t`Loading`}</span>;

/** The small picture of a clip; until it is made, the first frame. */
export function ClipPicture({ clip }: { clip: Asset }) {
  const isUnread = isPlayable(clip) && !clip.thumbnailId;
  const { frames, isLoading } = useFrames(isUnread ? clip.id : undefined, 2, 180);
  const [first] = frames ?? [];
  if (isLoading) return <Loading />;
  if (first === undefined) return <AssetImage asset={clip} className="fill" alt="" />;
  return <img className="fill" src={first} alt="" draggable={false} />;
}

/** The same; it plays while the pointer is over it. */
export function ClipPreview({ clip }: { clip: Asset }) {
  const [isOver, setOver] = useState(false);
  return (
    <span className={styles.preview} onPointerEnter={() => setOver(true)} onPointerLeave={() => setOver(false)}>
      <ClipPicture clip={clip} />
      {isOver && isPlayable(clip) && (
        <video className="fill" src={mediaUrl(clip.id)} muted autoPlay loop playsInline tabIndex={-1} />
      )}
    </span>
  );
}
