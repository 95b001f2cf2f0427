import { create } from 'zustand';
import type { Asset } from '../../../../shared/asset.ts';
import { useEntities } from '../../../app/index.ts';
import { type AssetChoice, useLibraryView } from '../state.ts';

export const COMPARE_MODES = ['slider', 'side', 'difference', 'onion'] as const;
export type CompareMode = (typeof COMPARE_MODES)[number];

interface CompareView {
  /** What is compared; it ends as soon as something else is chosen. */
  choice: AssetChoice | undefined;
  mode: CompareMode;
  isSwapped: boolean;
  gain: number;
  /** How much of the second is seen over the first, 0 to 100. */
  over: number;
}

export const useCompare = create<CompareView>()(() => ({
  choice: undefined,
  mode: 'side',
  isSwapped: false,
  gain: 4,
  over: 50,
}));
export const setCompare = useCompare.setState;

const MOST = 4;

/** Why what is chosen cannot be compared; undefined where it can be. */
export function whyNotCompared(choice: AssetChoice, assets: ReadonlyMap<string, Asset>): string | undefined {
  if (choice.all || choice.ids.size < 2 || choice.ids.size > MOST) return 'Choose two to four pictures.';
  const all = [...choice.ids].map((id) => assets.get(id));
  if (all.some((asset) => asset && !asset.mime.startsWith('image/'))) return 'Only pictures are compared, no clips.';
  if (all.some((asset) => asset?.state !== 'local')) return 'A picture that is compared has to be on this disk.';
  return undefined;
}

/** The pictures that are compared now, A first. */
export function useCompared(): readonly Asset[] | undefined {
  const choice = useLibraryView((view) => view.choice);
  const asked = useCompare((view) => view.choice);
  const isSwapped = useCompare((view) => view.isSwapped);
  const isAsked = asked === choice;
  // Otherwise every asset that changes would draw the page anew.
  const assets = useEntities((state) => (isAsked ? state.assets : undefined));
  if (!assets || whyNotCompared(choice, assets) !== undefined) return undefined;
  const all = [...choice.ids].flatMap((id) => assets.get(id) ?? []);
  return isSwapped ? all.toReversed() : all;
}

export const compareChosen = (): void => setCompare({ choice: useLibraryView.getState().choice, isSwapped: false });
export const leaveCompare = (): void => setCompare({ choice: undefined });
