import { useEffect } from 'react';
import { focusTemporarily } from '../pageFocus.ts';

/** What takes its own focus away (a dialog that closes, a list that draws anew) gives it to something first within this time. */
const OWN_MS = 60;

const isShown = (element: Element): boolean => element.isConnected && element.getClientRects().length > 0;
const isUsable = (element: Element): boolean => isShown(element) && !element.matches(':disabled');

/**
 * Keeps the focus on the page: where the control that had it is taken away or switched off, the panel around it gets it, so that the keys
 * go on from there and a screen reader does not start at the top again. A click into nothing stays one.
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
  /** Around it, the innermost first: what is taken away does not say any more where it stood. */
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
    // A page that still reads has no panel: the one that appears is looked at again.
    const panel = this.around.find(isShown) ?? document.querySelector<HTMLElement>('.page [data-panel]');
    if (panel) focusTemporarily(panel);
  }
}
