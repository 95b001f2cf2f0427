import { type RefObject, useEffect } from 'react';
import { isBehindModal } from '../ui/index.ts';

/** What has the focus only until something on the page wants it. */
let holder: Element | undefined;

const isHeld = (): boolean =>
  holder !== undefined && document.activeElement === (holder.isConnected ? holder : document.body);

/** A page that is called by its key takes the focus; one that is clicked leaves it where it is. */
export function focusNextPage(): void {
  holder = document.activeElement ?? undefined;
}

/** Gives it the focus until something on the page takes it over. */
export function focusTemporarily(element: HTMLElement): void {
  holder = element;
  element.focus();
}

/**
 * Gives the focus to what has just appeared or was read. A dialog or the palette that was opened meanwhile keeps it: the next keys are meant
 * for that, and in a box of the page they could be sent.
 */
export function focusOnArrival(element: HTMLElement | null | undefined): void {
  if (element && !isBehindModal(element)) element.focus();
}

/** Whether nothing has the focus, or only what holds it for others: a part of the page that appears may take it. */
export const isFocusFree = (): boolean => document.activeElement === document.body || isHeld();

/** Gives the called page's first panel the focus, until the list in it is there. */
export function focusOpenedPage(): void {
  if (!isHeld() || document.querySelector('.page')?.contains(document.activeElement)) return;
  const panel = document.querySelector<HTMLElement>('.page [data-panel]');
  if (panel && !isBehindModal(panel)) focusTemporarily(panel);
}

/** A list that appears takes the focus over from the first panel, which was only holding it. */
export function useListFocus(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (isHeld() && document.querySelector('.page')?.contains(document.activeElement)) list.current?.focus();
  }, [list]);
}

/** Long enough for a page whose code and content are loaded first. */
const LOOK_FOR_MS = 5_000;

/** Gives the focus to the prompt of a blank shot as soon as the board shows it. */
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
