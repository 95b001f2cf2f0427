import type { KeyboardEvent } from 'react';

/** Lists of which one option is chosen: the list has the focus, and its keys move the choice. */

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

/** Where a key leads from `at` (-1: nowhere) among so many; undefined if it moves nothing. With a modifier, a key is the page's. */
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
  /** Enter on the chosen one. */
  onOpen?: (id: string) => void;
  /** Space on the chosen one. */
  onToggle?: (id: string) => void;
  /** Brings an option into view that may not be in the page. */
  show?: (id: string) => void;
}

/** What an element needs to be such a list, beside its role and its name. */
export function listBox({ ids, chosen, onChoose, elementId, isHorizontal, show, ...acts }: ListBox) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const act = { Enter: acts.onOpen, ' ': acts.onToggle }[event.key];
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    // Elsewhere these keys press the button that has the focus.
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
