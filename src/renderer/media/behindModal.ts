/** What lies over the page: a dialog, or the palette. */
const MODALS = '.dlg, .pal-layer';

/** Whether a modal layer covers this: its price is not seen, so nothing may be spent by it. */
export function isBehindModal(element: Element | null): boolean {
  const top = [...document.querySelectorAll(MODALS)].at(-1);
  return top !== undefined && !top.contains(element);
}
