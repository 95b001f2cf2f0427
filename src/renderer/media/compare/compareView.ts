import { create } from 'zustand';
import type { Asset } from '../../../shared/asset.ts';
import { t } from '../../../shared/texts.ts';

export const COMPARE_MODES = ['slider', 'side', 'difference', 'onion'] as const;
export type CompareMode = (typeof COMPARE_MODES)[number];

interface CompareView {
  mode: CompareMode;
  isSwapped: boolean;
  gain: number;
  /** How much of the second is seen over the first, 0 to 100. */
  over: number;
  /** 1 is the whole picture; the same for all that are compared. */
  zoom: number;
  /** How far the pictures are moved, as shares of their own size. */
  pan: { x: number; y: number };
}

const FITTED = { zoom: 1, pan: { x: 0, y: 0 } };

export const useCompareView = create<CompareView>()(() => ({
  mode: 'side',
  isSwapped: false,
  gain: 4,
  over: 50,
  ...FITTED,
}));
export const setCompareView = useCompareView.setState;

/** A comparison begins with the whole pictures, in the order in which they were chosen. */
export const beginCompare = (): void => setCompareView({ isSwapped: false, ...FITTED });

const MOST_ZOOM = 8;

/** An edge of a picture is never moved into it. */
function within({ x, y }: CompareView['pan'], zoom: number): CompareView['pan'] {
  const most = (zoom - 1) / 2;
  const held = (share: number) => Math.min(most, Math.max(-most, share));
  return { x: held(x), y: held(y) };
}

/** Closer or farther by a factor; what is in the middle stays there. */
export const zoomBy = (factor: number): void =>
  setCompareView(({ zoom, pan }) => {
    const next = Math.min(MOST_ZOOM, Math.max(1, zoom * factor));
    const ratio = next / zoom;
    return { zoom: next, pan: within({ x: pan.x * ratio, y: pan.y * ratio }, next) };
  });

export const panBy = (x: number, y: number): void =>
  setCompareView(({ zoom, pan }) => ({ pan: within({ x: pan.x + x, y: pan.y + y }, zoom) }));

export const fitCompared = (): void => setCompareView(FITTED);

export const MOST_COMPARED = 4;

const isSeen = ({ mime }: Asset): boolean => mime.startsWith('image/') || mime.startsWith('video/');

/** Why these cannot be compared; undefined where they can be. */
export function whyNotCompared(ids: readonly string[], assets: ReadonlyMap<string, Asset>): string | undefined {
  if (ids.length < 2 || ids.length > MOST_COMPARED) return t`Choose two to four pictures.`;
  const all = ids.map((id) => assets.get(id));
  if (all.some((asset) => asset && !isSeen(asset))) return t`Only pictures and clips are compared.`;
  if (all.some((asset) => asset?.state !== 'local')) return t`What is compared has to be on this disk.`;
  return undefined;
}

/** The pictures and clips with these ids, A first; undefined where they cannot be compared. */
export function comparedOf(
  ids: readonly string[],
  assets: ReadonlyMap<string, Asset>,
  isSwapped: boolean,
): readonly Asset[] | undefined {
  if (whyNotCompared(ids, assets) !== undefined) return undefined;
  const all = ids.flatMap((id) => assets.get(id) ?? []);
  return isSwapped ? all.toReversed() : all;
}

const LETTERS = ['A', 'B', 'C', 'D'];
/** What a picture is called in a comparison. */
export const letterOf = (index: number): string => LETTERS[index] ?? '';
