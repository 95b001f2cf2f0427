import { create } from 'zustand';
import type { ReviewItem } from './items.ts';

export type Mode = 'side' | 'slider' | 'onion' | 'difference';

interface ReviewView {
  /** The number of results side by side. */
  count: number;
  /** How two pictures are shown. */
  mode: Mode;
  /** The amplification of the difference of two pictures. */
  gain: number;
  /** The opacity of the second picture over the first, 0 to 100. */
  over: number;
  /** 1 shows the whole picture; the same for all. */
  zoom: number;
  /** The offset of the pictures, as shares of their size. */
  pan: { x: number; y: number };
  /** The last selection of another page, and that page. */
  chosen: { ids: readonly string[]; from: 'library' | 'images' };
}

const FITTED = { zoom: 1, pan: { x: 0, y: 0 } };

/** How the page shows takes; kept as long as the window. */
export const useReviewView = create<ReviewView>()(() => ({
  count: 1,
  mode: 'side',
  gain: 4,
  over: 50,
  ...FITTED,
  chosen: { ids: [], from: 'library' },
}));
export const setReviewView = useReviewView.setState;

const MOST_ZOOM = 8;

/** Keeps the edges of a picture outside the view. */
function within({ x, y }: ReviewView['pan'], zoom: number): ReviewView['pan'] {
  const most = (zoom - 1) / 2;
  const held = (share: number) => Math.min(most, Math.max(-most, share));
  return { x: held(x), y: held(y) };
}

/** Zooms by a factor around the middle. */
export const zoomBy = (factor: number): void =>
  setReviewView(({ zoom, pan }) => {
    const next = Math.min(MOST_ZOOM, Math.max(1, zoom * factor));
    const ratio = next / zoom;
    return { zoom: next, pan: within({ x: pan.x * ratio, y: pan.y * ratio }, next) };
  });

export const panBy = (x: number, y: number): void =>
  setReviewView(({ zoom, pan }) => ({ pan: within({ x: pan.x + x, y: pan.y + y }, zoom) }));

export const fitPictures = (): void => setReviewView(FITTED);

const LETTERS = ['A', 'B', 'C', 'D'];
/** The letter of a side. */
export const letterOf = (index: number): string => LETTERS[index] ?? '';

export const isPicture = ({ asset }: ReviewItem): boolean => asset?.mime.startsWith('image/') === true;
