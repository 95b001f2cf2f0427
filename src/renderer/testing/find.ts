import { expect } from 'vitest';
import { until } from './page.tsx';

/** The words of the first element that matches. */
export const textOf = (selector: string): string | undefined =>
  document.querySelector(selector)?.textContent ?? undefined;

/** The words of each element that matches. */
export const textsOf = (selector: string): string[] =>
  [...document.querySelectorAll(selector)].map(({ textContent }) => textContent ?? '');

/** The control with this label. */
export const labelled = <Control extends HTMLElement = HTMLInputElement>(label: string): Control =>
  document.querySelector(`[aria-label="${label}"]`) as Control;

/** The input of the field whose label begins so. */
export function fieldOf(label: string): HTMLInputElement {
  const box = [...document.querySelectorAll('.field')].find((element) => element.textContent?.startsWith(label));
  return box?.querySelector('input:not([aria-hidden])') as HTMLInputElement;
}

/** Whether a control is off: it can be reached, and does nothing. */
export const isOff = (control: Element): boolean => control.getAttribute('aria-disabled') === 'true';

/** Waits until these words stand on the page. */
export const says = (words: string): Promise<void> => until(() => expect(document.body.textContent).toContain(words));
