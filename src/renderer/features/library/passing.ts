import { type RefObject, useEffect, useState } from 'react';

/** At one view in so long, a row is in view for too short a time for its pictures to be seen. */
const VIEW_MS = 150;
/** Its speed is taken over so long: single frames come unevenly. */
const WINDOW_MS = 100;
/** Without a movement for so long the list stands still. */
const REST_MS = 100;

interface Moment {
  at: number;
  top: number;
}

/**
 * Whether a list passes faster than its pictures can be seen. It ends at half the speed at which it begins, so that it does not flicker
 * between the two; a single jump, as to the end of the list, is none.
 */
export function usePassing(scroller: RefObject<HTMLElement | null>): boolean {
  const [isPassing, setPassing] = useState(false);
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
      moments = [...moments.filter((moment) => at - moment.at < WINDOW_MS), { at, top: element.scrollTop }];
      const views = speedOf(moments) / element.clientHeight;
      change(views > (isFast ? 0.5 : 1) / VIEW_MS);
      clearTimeout(rest);
      rest = setTimeout(stop, REST_MS);
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      element.removeEventListener('scroll', onScroll);
      clearTimeout(rest);
    };
  }, [scroller]);
  return isPassing;
}

/** In px per ms; 0 of a single moment. */
function speedOf(moments: readonly Moment[]): number {
  const [first] = moments;
  const last = moments.at(-1);
  if (!first || !last) return 0;
  return Math.abs(last.top - first.top) / Math.max(1, last.at - first.at);
}

/** Rows that wait to be drawn: a list that comes to rest does not stop for all of them. */
const waiting = new Set<() => void>();
const ROWS_A_FRAME = 2;
let isFrameAwaited = false;

function drawSoon(draw: () => void): () => void {
  waiting.add(draw);
  if (!isFrameAwaited) awaitFrame();
  return () => waiting.delete(draw);
}

function awaitFrame(): void {
  isFrameAwaited = true;
  requestAnimationFrame(drawSome);
}

function drawSome(): void {
  isFrameAwaited = false;
  for (const draw of [...waiting].slice(0, ROWS_A_FRAME)) {
    waiting.delete(draw);
    draw();
  }
  if (waiting.size > 0) awaitFrame();
}

/** Whether a row is drawn: what comes into view while the list passes is not until that ends; what was drawn stays. */
export function useDrawn(isPassing: boolean): boolean {
  const [isDrawn, setDrawn] = useState(!isPassing);
  useEffect(() => (isPassing || isDrawn ? undefined : drawSoon(() => setDrawn(true))), [isPassing, isDrawn]);
  return isDrawn;
}
