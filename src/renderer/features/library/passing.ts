import { type RefObject, startTransition, useEffect, useRef, useState } from 'react';

/** At one view in so long, a row is in view for too short a time for its pictures to be seen. */
const VIEW_MS = 150;
/** Its speed is taken over so long: single frames come unevenly. */
const WINDOW_MS = 100;
/** Without a movement for so long the list stands still; where its frames come slowly, without two of them. */
const REST_MS = 100;
const LONGEST_REST_MS = 500;

interface Moment {
  at: number;
  top: number;
}

/**
 * Whether a list passes faster than its pictures can be seen. It ends at half the speed at which it begins, so that it does not flicker
 * between the two. A single jump, as to the end of the list, is none, and neither is what follows the selected tile: a held key is
 * looked after.
 */
export function usePassing(scroller: RefObject<HTMLElement | null>, selectedId: string | undefined): boolean {
  const [isPassing, setPassing] = useState(false);
  const follow = useRef(() => {});
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let moments: Moment[] = [];
    let isFast = false;
    let rest: ReturnType<typeof setTimeout> | undefined;
    const change = (next: boolean) => {
      isFast = next;
      setPassing(next);
    };
    const stop = () => {
      moments = [];
      change(false);
    };
    const onScroll = ({ timeStamp: at }: Event) => {
      const before = moments.at(-1);
      moments = [
        ...moments.filter((moment) => moment === before || at - moment.at < WINDOW_MS),
        { at, top: element.scrollTop },
      ];
      const views = speedOf(moments) / element.clientHeight;
      change(views > (isFast ? 0.5 : 1) / VIEW_MS);
      clearTimeout(rest);
      rest = setTimeout(stop, Math.min(Math.max(REST_MS, 2 * (at - (before?.at ?? at))), LONGEST_REST_MS));
    };
    follow.current = stop;
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      element.removeEventListener('scroll', onScroll);
      clearTimeout(rest);
    };
  }, [scroller]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is selected is followed when it changes.
  useEffect(() => follow.current(), [selectedId]);
  return isPassing;
}

/** In px per ms; 0 of a single moment. */
function speedOf(moments: readonly Moment[]): number {
  const [first] = moments;
  const last = moments.at(-1);
  if (!first || !last) return 0;
  return Math.abs(last.top - first.top) / Math.max(1, last.at - first.at);
}

/**
 * Whether a row is drawn: what comes into view while the list passes is not until that ends; what was drawn stays. A list that comes to rest
 * does not stop for all of them.
 */
export function useDrawn(isPassing: boolean): boolean {
  const [isDrawn, setDrawn] = useState(!isPassing);
  useEffect(() => {
    if (!isPassing && !isDrawn) startTransition(() => setDrawn(true));
  }, [isPassing, isDrawn]);
  return isDrawn;
}
