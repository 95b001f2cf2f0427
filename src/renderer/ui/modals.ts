/** The modal layers that are open, the top one last. Each says so itself: nothing looks for them in the page at every key. */
const open: Element[] = [];

/** The `ref` of a layer that lies over the page: a dialog, or the palette. */
export function modalLayer(layer: Element | null): () => void {
  if (!layer) return () => {};
  open.push(layer);
  return () => void open.splice(open.indexOf(layer), 1);
}

/** Whether a modal layer covers this: its price is not seen, so nothing may be spent by it. */
export const isBehindModal = (element: Element | null): boolean => open.at(-1)?.contains(element) === false;

/** Whether the page is covered, so that its own keys must not be heard: what they would do is not seen. */
export const isPageCovered = (): boolean => open.length > 0;
