import type { Asset } from '../../../shared/asset.ts';
import { t } from '../../../shared/texts.ts';
import { announce, cacheAssets, useEntities } from '../../app/index.ts';
import {
  beginCompare,
  comparedOf,
  letterOf,
  MOST_COMPARED,
  useCompareView,
  whyNotCompared,
} from '../../media/compare/compareView.ts';
import { useImages } from './useImages.ts';

/** Chooses a picture for a comparison, or takes it out again. */
export function toggleChosen(asset: Asset): void {
  const { ids } = useImages.getState().comparison;
  const isIn = ids.includes(asset.id);
  if (!isIn && ids.length === MOST_COMPARED) return announce(t`At most four pictures are compared.`);
  cacheAssets([asset]);
  const next = isIn ? ids.filter((id) => id !== asset.id) : [...ids, asset.id];
  useImages.setState({ comparison: { ids: next, areCompared: false } });
  announce(
    isIn
      ? t`Not compared any more; ${next.length} chosen`
      : t`Chosen as ${letterOf(next.length - 1)}; ${next.length} chosen`,
  );
}

export const chooseNone = (): void => useImages.setState({ comparison: { ids: [], areCompared: false } });

/** The letter under which a picture is chosen; sides that are swapped have swapped letters. */
export function useChosenLetter(id: string | undefined): string | undefined {
  const { ids, areCompared } = useImages(({ comparison }) => comparison);
  const isSwapped = useCompareView((view) => view.isSwapped) && areCompared;
  const at = id === undefined ? -1 : ids.indexOf(id);
  return at < 0 ? undefined : letterOf(isSwapped ? ids.length - 1 - at : at);
}

export const useWhyNotCompared = (): string | undefined => {
  const ids = useImages(({ comparison }) => comparison.ids);
  return useEntities(({ assets }) => whyNotCompared(ids, assets));
};

export function compareChosen(): void {
  beginCompare();
  useImages.setState(({ comparison }) => ({
    comparison: { ...comparison, areCompared: true },
    tab: 'imagine',
    view: 'result',
  }));
}

export const leaveCompare = (): void =>
  useImages.setState(({ comparison }) => ({ comparison: { ...comparison, areCompared: false } }));

/** The pictures that are compared now, A first. */
export function useCompared(): readonly Asset[] | undefined {
  const { ids, areCompared } = useImages(({ comparison }) => comparison);
  const isShown = useImages(({ tab }) => tab === 'imagine') && areCompared;
  const isSwapped = useCompareView((view) => view.isSwapped);
  const assets = useEntities((state) => (isShown ? state.assets : undefined));
  return assets && comparedOf(ids, assets, isSwapped);
}
