/** The open modal layers, topmost last. They register themselves, so that no key press has to search the page. */
const open: Element[] = [];

/** The `ref` of a layer over the page: a dialog, or the palette. */
export function modalLayer(layer: Element | null): () => void {
  if (!layer) return () => {};
  open.push(layer);
  return () => void open.splice(open.indexOf(layer), 1);
}

/** Whether a modal layer covers this element: its price is hidden, so it must not spend. */
export const isBehindModal = (element: Element | null): boolean => open.at(-1)?.contains(element) === false;

/** Whether a layer covers the page: its shortcuts must not act on what is hidden. */
export const isPageCovered = (): boolean => open.length > 0;
