import { type RefObject, useEffect, useRef, useState } from 'react';

interface TabsInView {
  root: RefObject<HTMLDivElement | null>;
  /** Where more tabs are than the bar shows; a class of the root. */
  edges: string;
}

/** Keeps the chosen tab in view where a bar has no room for all of them, and knows at which edges the others are. */
export function useTabsInView(value: string): TabsInView {
  const root = useRef<HTMLDivElement>(null);
  const [edges, setEdges] = useState('');
  useEffect(() => {
    const bar = root.current;
    const list = bar?.firstElementChild;
    if (!bar || !list) return;
    const look = () => setEdges(edgesOf(bar));
    const fit = () => {
      showChosen(bar);
      look();
    };
    const wheel = (event: WheelEvent) => {
      // A mouse that turns one way only.
      if (event.deltaX === 0) bar.scrollLeft += event.deltaY;
    };
    const observer = new ResizeObserver(fit);
    observer.observe(bar);
    observer.observe(list);
    bar.addEventListener('scroll', look, { passive: true });
    bar.addEventListener('wheel', wheel, { passive: true });
    look();
    return () => {
      observer.disconnect();
      bar.removeEventListener('scroll', look);
      bar.removeEventListener('wheel', wheel);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is chosen, by whatever way.
  useEffect(() => {
    if (root.current) showChosen(root.current);
  }, [value]);
  return { root, edges };
}

const showChosen = (bar: Element): void =>
  bar.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** A part of a pixel is no tab. */
const LEAST = 2;

function edgesOf({ scrollLeft, scrollWidth, clientWidth }: Element): string {
  const before = scrollLeft >= LEAST ? 'more-before' : '';
  const after = scrollWidth - clientWidth - scrollLeft >= LEAST ? 'more-after' : '';
  return `${before} ${after}`.trim();
}
