import { listBox } from '../../../ui/index.ts';

/** What makes a table a list of which one row is chosen. */
export const choosingRows = (ids: readonly string[], chosen: string | undefined, onChoose: (id: string) => void) => ({
  role: 'grid',
  ...listBox({ ids, chosen, onChoose, elementId: rowId }),
});

export const rowId = (id: string): string => `row-${id}`;
