import type { KeyboardEvent } from 'react';

/** Lists with one selected option: the list has the focus, and its keys move the selection. */

const PAGE = 10;
const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at) => at + PAGE,
  PageUp: (at) => at - PAGE,
  Home: () => 0,
  End: (_, last) => last,
};
const LIKE: Readonly<Record<string, string>> = { ArrowRight: 'ArrowDown', ArrowLeft: 'ArrowUp' };

/** The index that a key leads to from `at` (-1: none) among `count`; undefined if it moves nothing. Keys with a modifier are the page's. */
export function stepInList(event: KeyboardEvent, at: number, count: number, isHorizontal = false): number | undefined {
  if (count === 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return undefined;
  const key = isHorizontal ? LIKE[event.key] : event.key;
  const next = STEPS[key ?? '']?.(at, count - 1);
  return next === undefined ? undefined : Math.min(count - 1, Math.max(0, next));
}

interface ListBox {
  ids: readonly string[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
  /** The `id` of an option's element. */
  elementId: (id: string) => string;
  isHorizontal?: boolean;
  /** Enter on the selected option. */
  onOpen?: (id: string) => void;
  /** Space on the selected option. */
  onToggle?: (id: string) => void;
  /** Scrolls an option into view that may not be mounted. */
  show?: (id: string) => void;
}

/** The props of such a list, besides role and name. */
export function listBox({ ids, chosen, onChoose, elementId, isHorizontal, show, ...acts }: ListBox) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const act = { Enter: acts.onOpen, ' ': acts.onToggle }[event.key];
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    // On a button inside, these keys press the button.
    if (act && isPlain && chosen !== undefined && event.target === event.currentTarget) {
      event.preventDefault();
      act(chosen);
    }
    const step = stepInList(event, ids.indexOf(chosen ?? ''), ids.length, isHorizontal);
    const next = step === undefined ? undefined : ids[step];
    if (next === undefined) return;
    event.preventDefault();
    if (next !== chosen) onChoose(next);
    if (show) show(next);
    else document.getElementById(elementId(next))?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  return {
    tabIndex: 0,
    'aria-activedescendant': chosen === undefined ? undefined : elementId(chosen),
    ...(isHorizontal && { 'aria-orientation': 'horizontal' as const }),
    onKeyDown,
  };
}
