import type { Asset } from '../../../shared/library/asset.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { announce, cacheAssets, navigate } from '../../app/index.ts';
import { useImages } from './useImages.ts';

const MOST = 4;

export function toggleChosen(asset: Asset): void {
  const { compared } = useImages.getState();
  const isIn = compared.includes(asset.id);
  if (!isIn && compared.length === MOST) return announce(t`You can compare at most four pictures.`);
  cacheAssets([asset]);
  const next = isIn ? compared.filter((id) => id !== asset.id) : [...compared, asset.id];
  useImages.setState({ compared: next });
  announce(t`${counted(next.length, 'picture')} selected`);
}

export const chooseNone = (): void => useImages.setState({ compared: [] });

const letterAt = (at: number): string | undefined => ['A', 'B', 'C', 'D'][at];

export const useChosenLetter = (id: string | undefined): string | undefined =>
  useImages(({ compared }) => letterAt(id === undefined ? -1 : compared.indexOf(id)));

/** Pictures are compared and rated on the page for takes. */
export const compareChosen = (): void =>
  navigate('review', { assets: useImages.getState().compared.join(','), from: 'images' });
