import { type RefObject, useEffect } from 'react';

/** A page that was called by its key takes the focus; one that was clicked leaves it where it is. */
let called = false;

/** The next page that appears was called by key. */
export function pageCalled(): void {
  called = true;
}

/** Gives the called page's first panel the focus, until the list in it is there. */
export function arrive(): void {
  if (called && !document.querySelector('.page')?.contains(document.activeElement)) {
    document.querySelector<HTMLElement>('.page [data-panel]')?.focus();
  }
  called = false;
}

/** A list that appears takes the focus over from the first panel, which was only holding it. */
export function useArrivalFocus(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const holder = document.querySelector('.page [data-panel]');
    if (holder && document.activeElement === holder) list.current?.focus();
  }, [list]);
}
