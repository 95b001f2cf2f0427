import { isServed } from '../app/keys/shortcuts.ts';

/** Keys that the browser itself answers while the control has the focus, or that are held. */
const OWN = new Set(['↵', 'Space', 'Ctrl']);

/** Controls that can be pressed and print a key that nothing answers to: `Review 3 takes: A`. */
export function unansweredKeys(parent: ParentNode): string[] {
  return [...parent.querySelectorAll<HTMLElement>('button .kbd')].flatMap((key) => {
    const button = key.closest('button');
    const printed = key.textContent ?? '';
    const isOff = button?.disabled || button?.getAttribute('aria-disabled') === 'true' || button?.closest('[inert]');
    const label = (button?.textContent ?? '').replace(printed, '').trim();
    // A control that is named by a key alone is where that key is chosen.
    if (isOff || label === '' || OWN.has(printed) || isServed(printed)) return [];
    return [`${label}: ${printed}`];
  });
}
