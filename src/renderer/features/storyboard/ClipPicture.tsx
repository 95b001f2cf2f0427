import type { Asset } from '../../../shared/asset.ts';
import { isPlayable } from '../../../shared/film.ts';
import { t } from '../../../shared/texts.ts';
import { AssetImage } from '../../ui/index.ts';
import { useFrames } from './player/useFrames.ts';
import styles from './storyboard.module.css';

/** The first and the last frame of a clip whose small pictures still have to be made. */
export const useEnds = (clip: Asset | undefined) =>
  useFrames(isPlayable(clip) && !clip.thumbnailId ? clip.id : undefined, 2, 180);

export const Loading = () => <span className={`ov ${styles.loading}`}>{t`Loading`}</span>;

/** The small picture of a clip; until it is made, the first frame. */
export function ClipPicture({ clip }: { clip: Asset }) {
  const { frames, isLoading } = useEnds(clip);
  const [first] = frames ?? [];
  if (isLoading) return <Loading />;
  if (first === undefined) return <AssetImage asset={clip} className="fill" />;
  return <img className="fill" src={first} alt="" draggable={false} />;
}
