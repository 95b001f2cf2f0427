/** What lies over the page: a dialog, or the palette. */
const MODALS = '.dlg, .pal-layer';

const topModal = (): Element | undefined => [...document.querySelectorAll(MODALS)].at(-1);

/** The modal layer that this is in. */
export const modalAround = (element: Element | null): Element | undefined => element?.closest(MODALS) ?? undefined;

/** Whether a modal layer covers this: its price is not seen, so nothing may be spent by it. */
export function isBehindModal(element: Element | null): boolean {
  const top = topModal();
  return top !== undefined && !top.contains(element);
}

/** Whether the page is covered, so that its own keys must not be heard: what they would do is not seen. */
export const isPageCovered = (): boolean => topModal() !== undefined;
