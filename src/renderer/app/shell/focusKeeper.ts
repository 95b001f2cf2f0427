import { useEffect } from 'react';
import { focusTemporarily } from '../pageFocus.ts';

/** A dialog that closes or a list that renders again moves its focus itself within this time. */
const OWN_MS = 60;

const isShown = (element: Element): boolean => element.isConnected && element.getClientRects().length > 0;
const isUsable = (element: Element): boolean => isShown(element) && !element.matches(':disabled');

/**
 * Keeps the focus on the page: if the focused control is removed or disabled, the panel around it gets the focus, so that keys continue
 * there and a screen reader does not start at the top. A click on nothing still clears it.
 */
export function useFocusKept(): void {
  useEffect(() => {
    const keeper = new FocusKeeper();
    document.addEventListener('focusin', keeper.remember);
    const observer = new MutationObserver(keeper.look);
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['disabled', 'hidden'],
    });
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', keeper.remember);
      keeper.stop();
    };
  }, []);
}

class FocusKeeper {
  private last: Element | undefined;
  /** The ancestors of the focused element, innermost first: a removed element no longer has them. */
  private around: HTMLElement[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  readonly remember = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return;
    this.last = target;
    this.around = [];
    for (let at = target.parentElement; at; at = at.parentElement) if (at.matches('[data-panel]')) this.around.push(at);
  };

  readonly look = (): void => {
    if (this.timer !== undefined || !this.isLost()) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.isLost()) this.keep();
    }, OWN_MS);
  };

  stop(): void {
    clearTimeout(this.timer);
  }

  private isLost(): boolean {
    return document.activeElement === document.body && this.last !== undefined && !isUsable(this.last);
  }

  private keep(): void {
    // A loading page has no panel yet, so look again when one appears.
    const panel = this.around.find(isShown) ?? document.querySelector<HTMLElement>('.page [data-panel]');
    if (panel) focusTemporarily(panel);
  }
}
