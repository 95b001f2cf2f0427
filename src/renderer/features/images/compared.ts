import type { Asset } from '../../../shared/asset.ts';
import { t } from '../../../shared/texts.ts';
import { announce, cacheAssets, navigate } from '../../app/index.ts';
import { useImages } from './useImages.ts';

/** As many as are shown side by side. */
const MOST = 4;

/** Chooses a picture for a comparison, or takes it out again. */
export function toggleChosen(asset: Asset): void {
  const { compared } = useImages.getState();
  const isIn = compared.includes(asset.id);
  if (!isIn && compared.length === MOST) return announce(t`At most four pictures are compared.`);
  cacheAssets([asset]);
  const next = isIn ? compared.filter((id) => id !== asset.id) : [...compared, asset.id];
  useImages.setState({ compared: next });
  announce(
    isIn
      ? t`Not compared any more; ${next.length} chosen`
      : t`Chosen as ${letterAt(next.length - 1)}; ${next.length} chosen`,
  );
}

export const chooseNone = (): void => useImages.setState({ compared: [] });

const letterAt = (at: number): string | undefined => ['A', 'B', 'C', 'D'][at];

/** The letter under which a picture is chosen. */
export const useChosenLetter = (id: string | undefined): string | undefined =>
  useImages(({ compared }) => letterAt(id === undefined ? -1 : compared.indexOf(id)));

/** They are compared, and rated, where all takes are. */
export const compareChosen = (): void =>
  navigate('review', { assets: useImages.getState().compared.join(','), from: 'images' });
