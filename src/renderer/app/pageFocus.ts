import { type RefObject, useEffect } from 'react';
import { isBehindModal } from '../ui/index.ts';

/** The element that has the focus only until the page wants it. */
let holder: Element | undefined;

const isHeld = (): boolean =>
  holder !== undefined && document.activeElement === (holder.isConnected ? holder : document.body);

/** A page opened by its shortcut takes the focus; one opened by a click does not. */
export function focusNextPage(): void {
  holder = document.activeElement ?? undefined;
}

/** Focuses an element until something on the page takes over. */
export function focusTemporarily(element: HTMLElement): void {
  holder = element;
  element.focus();
}

/**
 * Focuses what has just appeared or loaded, unless a dialog or the palette was opened meanwhile: the next keys are meant for that, and in a
 * text box of the page they could be sent.
 */
export function focusOnArrival(element: HTMLElement | null | undefined): void {
  if (element && !isBehindModal(element)) element.focus();
}

/** Whether nothing has the focus, or only a temporary holder: then an appearing part of the page may take it. */
export const isFocusFree = (): boolean => document.activeElement === document.body || isHeld();

/** Focuses the first panel of a page opened by its shortcut, until its list is there. */
export function focusOpenedPage(): void {
  if (!isHeld() || document.querySelector('.page')?.contains(document.activeElement)) return;
  const panel = document.querySelector<HTMLElement>('.page [data-panel]');
  if (panel && !isBehindModal(panel)) focusTemporarily(panel);
}

/** A list that appears takes the focus over from the first panel, its temporary holder. */
export function useListFocus(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (isHeld() && document.querySelector('.page')?.contains(document.activeElement)) list.current?.focus();
  }, [list]);
}

/** Long enough to load the code and content of a page. */
const LOOK_FOR_MS = 5_000;

/** Focuses the prompt of a blank shot as soon as the board shows it. */
export function focusBlankPrompt(): void {
  const { body } = document;
  const look = () => {
    const field = body.querySelector<HTMLElement>('[data-page=storyboard] textarea:placeholder-shown');
    focusOnArrival(field);
    if (field?.matches(':focus')) watch.disconnect();
  };
  const watch = new MutationObserver(look);
  watch.observe(body, { childList: true, subtree: true, attributes: true });
  setTimeout(() => watch.disconnect(), LOOK_FOR_MS);
  requestAnimationFrame(look);
}
