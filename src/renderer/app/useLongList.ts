import { elementScroll, useVirtualizer, type VirtualizerOptions } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

/** Chromium limits elements to 33,554,428 px: longer lists scroll through a part of this height. */
const MOST_PX = 16_000_000;
/** A scroll by more than this many list heights is a jump: by the scrollbar, or a key to an end. */
const JUMP = 3;
/** When the end of the part is nearer than this and the list continues, another part is taken once scrolling stops. */
const MARGIN_PX = 100_000;

interface LongList<Scroller extends Element> {
  count: number;
  scroller: RefObject<Scroller | null>;
  /** The height of most rows. */
  rowPx: number;
  estimateSize: (index: number) => number;
  getItemKey?: (index: number) => string | number;
  rest: Pick<VirtualizerOptions<Scroller, Element>, 'overscan' | 'initialRect' | 'scrollPaddingStart'>;
}

/** A row to show at the top, with this many pixels above it. */
interface Wanted {
  index: number;
  above: number;
}

/**
 * A virtual list of any length. Each row's element states its index as `data-index` and sets its height. Up to a limit the list scrolls
 * normally. A longer list scrolls row by row within a part, and a jump leads to the part at the same share of the whole.
 */
export function useLongList<Scroller extends Element>(list: LongList<Scroller>) {
  const { count, scroller, rowPx, estimateSize, getItemKey, rest } = list;
  const length = Math.min(count, Math.floor(MOST_PX / rowPx));
  const spare = count - length;
  const [begin, setBegin] = useState(0);
  const first = Math.min(begin, spare);
  const keyOf = useCallback((index: number) => getItemKey?.(index + first) ?? index + first, [getItemKey, first]);
  /** The position to which the code scrolled, which is no jump by the user. */
  const written = useRef<number>(undefined);
  const virtual = useVirtualizer<Scroller, Element>({
    ...rest,
    count: length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimateSize(index + first),
    getItemKey: keyOf,
    scrollToFn: (...asked) => {
      elementScroll(...asked);
      written.current = scroller.current?.scrollTop;
    },
  });
  useMeasured(scroller, (index, px) => virtual.resizeItem(index - first, px));
  const wanted = useRef<Wanted>(undefined);
  useLayoutEffect(() => {
    const row = wanted.current;
    const element = scroller.current;
    wanted.current = undefined;
    if (!row || !element) return;
    const [start] = virtual.getOffsetForIndex(row.index - first, 'start') ?? [0];
    element.scrollTop = start + row.above;
    written.current = element.scrollTop;
  }, [first, virtual, scroller]);
  /** Takes the part in which the row has the same share as in the whole. */
  const take = (row: Wanted) => {
    const next = Math.round((row.index / (count - 1)) * spare);
    if (next === first) return;
    wanted.current = row;
    setBegin(next);
  };
  useScrolled(scroller, spare > 0, written, {
    jump: (share) => setBegin(Math.round(share * spare)),
    rest: (top, left) => {
      const isNear = (top < MARGIN_PX && first > 0) || (left < MARGIN_PX && first < spare);
      const row = isNear ? virtual.getVirtualItemForOffset(top) : undefined;
      if (row) take({ index: row.index + first, above: top - row.start });
    },
  });
  return {
    items: virtual.getVirtualItems().map((item) => ({ ...item, index: item.index + first })),
    height: virtual.getTotalSize(),
    measure: virtual.measure,
    scrollToIndex: (index: number, options?: Parameters<typeof virtual.scrollToIndex>[1]) => {
      const isHere = index >= first && index < first + length;
      if (isHere) virtual.scrollToIndex(index - first, options);
      else take({ index, above: 0 });
    },
  };
}

/** Measures each row once for the index it shows, and again when its size changes. */
function useMeasured(scroller: RefObject<Element | null>, told: (index: number, px: number) => void): void {
  const measure = useEffectEvent((row: HTMLElement) => {
    // A row without layout has no height.
    if (row.offsetHeight > 0) told(Number(row.dataset.index), row.offsetHeight);
  });
  const [shown] = useState(() => new WeakMap<Element, string | undefined>());
  const observer = useRef<ResizeObserver>(undefined);
  useLayoutEffect(() => {
    observer.current = new ResizeObserver((sizes) => {
      for (const { target } of sizes) measure(target as HTMLElement);
    });
    return () => observer.current?.disconnect();
  }, []);
  useLayoutEffect(() => {
    for (const row of scroller.current?.querySelectorAll<HTMLElement>('[data-index]') ?? []) {
      if (shown.get(row) === row.dataset.index) continue;
      shown.set(row, row.dataset.index);
      measure(row);
      observer.current?.observe(row);
    }
  });
}

interface Scrolled {
  /** Called for a jump to this share of the range, 0 to 1. */
  jump: (share: number) => void;
  /** Called when scrolling stops, with the pixels above and below. */
  rest: (above: number, below: number) => void;
}

/** Reports the scroll position of a list longer than its element. */
function useScrolled(
  scroller: RefObject<Element | null>,
  isLonger: boolean,
  written: RefObject<number | undefined>,
  told: Scrolled,
): void {
  const jump = useEffectEvent(told.jump);
  const rest = useEffectEvent(told.rest);
  useEffect(() => {
    const element = scroller.current;
    if (!element || !isLonger) return;
    let last = element.scrollTop;
    const range = () => element.scrollHeight - element.clientHeight;
    const isAtEnd = (top: number) => top <= 0 || top >= range() - 1;
    const scrolled = () => {
      const top = element.scrollTop;
      const isOwn = written.current !== undefined && Math.abs(top - written.current) < 1;
      const isJump = Math.abs(top - last) > JUMP * element.clientHeight;
      written.current = undefined;
      last = top;
      if (isOwn) return;
      if (isJump || isAtEnd(top)) jump(Math.min(1, top / Math.max(1, range() - 1)));
    };
    const rested = () => {
      const top = element.scrollTop;
      if (!isAtEnd(top)) rest(top, range() - top);
    };
    element.addEventListener('scroll', scrolled, { passive: true });
    element.addEventListener('scrollend', rested);
    return () => {
      element.removeEventListener('scroll', scrolled);
      element.removeEventListener('scrollend', rested);
    };
  }, [scroller, isLonger, written]);
}
