import { create } from 'zustand';
import type { ReviewItem } from './items.ts';

export type Mode = 'side' | 'slider' | 'onion' | 'difference';

interface ReviewView {
  /** How many are shown side by side. */
  count: number;
  /** How two pictures are shown. */
  mode: Mode;
  /** How much the difference of two pictures is brightened. */
  gain: number;
  /** How much of the second is seen over the first, 0 to 100. */
  over: number;
  /** 1 is the whole picture; the same for all that are shown. */
  zoom: number;
  /** How far the pictures are moved, as shares of their own size. */
  pan: { x: number; y: number };
  /** What was chosen on another page last, and that page. */
  chosen: { ids: readonly string[]; from: 'library' | 'images' };
}

const FITTED = { zoom: 1, pan: { x: 0, y: 0 } };

/** What the page shows of its takes; kept while the window lives. */
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

/** An edge of a picture is never moved into it. */
function within({ x, y }: ReviewView['pan'], zoom: number): ReviewView['pan'] {
  const most = (zoom - 1) / 2;
  const held = (share: number) => Math.min(most, Math.max(-most, share));
  return { x: held(x), y: held(y) };
}

/** Closer or farther by a factor; what is in the middle stays there. */
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
/** What a side is called. */
export const letterOf = (index: number): string => LETTERS[index] ?? '';

export const isPicture = ({ asset }: ReviewItem): boolean => asset?.mime.startsWith('image/') === true;
