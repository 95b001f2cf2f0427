import { create } from 'zustand';
import type { Asset } from '../../../../shared/asset.ts';
import { useEntities } from '../../../app/index.ts';
import {
  beginCompare,
  comparedOf,
  MOST_COMPARED,
  useCompareView,
  whyNotCompared,
} from '../../../media/compare/compareView.ts';
import { type AssetChoice, useLibraryView } from '../state.ts';

/** What is compared; it ends as soon as something else is chosen. */
const useAsked = create<{ choice: AssetChoice | undefined }>()(() => ({ choice: undefined }));

const idsOf = ({ ids, all }: AssetChoice): string[] => (all || ids.size > MOST_COMPARED ? [] : [...ids]);

/** Why what is chosen cannot be compared; undefined where it can be. */
export const whyChoiceNotCompared = (choice: AssetChoice, assets: ReadonlyMap<string, Asset>): string | undefined =>
  whyNotCompared(idsOf(choice), assets);

/** The pictures that are compared now, A first. */
export function useCompared(): readonly Asset[] | undefined {
  const choice = useLibraryView((view) => view.choice);
  const isAsked = useAsked((asked) => asked.choice) === choice;
  const isSwapped = useCompareView((view) => view.isSwapped);
  // Otherwise every asset that changes would draw the page anew.
  const assets = useEntities((state) => (isAsked ? state.assets : undefined));
  return assets && comparedOf(idsOf(choice), assets, isSwapped);
}

export const compareChosen = (): void => {
  beginCompare();
  useAsked.setState({ choice: useLibraryView.getState().choice });
};
export const leaveCompare = (): void => useAsked.setState({ choice: undefined });
