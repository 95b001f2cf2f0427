import type { KeyboardEvent } from 'react';

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** What makes a table a list of which one row is chosen: arrows move the choice, the table holds the focus. */
export function choosingRows(ids: readonly string[], chosen: string | undefined, onChoose: (id: string) => void) {
  return {
    role: 'grid',
    tabIndex: 0,
    'aria-activedescendant': chosen === undefined ? undefined : rowId(chosen),
    onKeyDown(event: KeyboardEvent) {
      const step = STEPS[event.key];
      if (step === undefined || ids.length === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const at = Math.min(ids.length - 1, Math.max(0, ids.indexOf(chosen ?? '') + step));
      const next = ids[at];
      if (next === undefined) return;
      onChoose(next);
      document.getElementById(rowId(next))?.scrollIntoView({ block: 'nearest' });
    },
  } as const;
}

export const rowId = (id: string): string => `row-${id}`;
