import { useCallback, useEffect, useRef, useState } from 'react';
import type { BatchReading, BatchRow } from '../../../../shared/batch.ts';
import { call } from '../../../client/index.ts';

export type Shown = 'all' | 'bad' | 'know' | 'good';

/** The rows of a reading, of which the part in view is read. */
export interface BatchRowList {
  total: number;
  /** Undefined until it has been read. */
  at(index: number): BatchRow | undefined;
  /** These are in view, the last one not included. */
  see(from: number, to: number): void;
}

interface Rows {
  /** Two readings of one text have one id, and not the same prices. */
  of: BatchReading | undefined;
  shown: Shown;
  total: number;
  rows: ReadonlyMap<number, BatchRow>;
  /** Of the reading before, which stay in view while these are read. */
  before: ReadonlyMap<number, BatchRow>;
}

const NONE: ReadonlyMap<number, BatchRow> = new Map();
const PAGE = 100;

export function useBatchRows(reading: BatchReading | undefined, shown: Shown): BatchRowList {
  const [state, setState] = useState<Rows>({ of: undefined, shown, total: 0, rows: NONE, before: NONE });
  const asked = useRef(new Set<number>());
  const view = useRef({ from: 0, to: PAGE });
  const latest = useRef({ reading, shown });
  latest.current = { reading, shown };
  const read = useCallback(
    async (offset: number) => {
      if (!reading || asked.current.has(offset)) return;
      asked.current.add(offset);
      const only = shown === 'all' ? {} : { only: shown };
      const answer = await call('batch.rows', { readId: reading.readId, offset, limit: PAGE, ...only });
      if (!answer.ok || latest.current.reading !== reading || latest.current.shown !== shown) return;
      const { rows, total } = answer.data;
      setState((old) => withRows(old, { of: reading, shown, total, offset, rows }));
    },
    [reading, shown],
  );
  useEffect(() => {
    asked.current.clear();
    void read(Math.floor(view.current.from / PAGE) * PAGE);
  }, [read]);
  const isOwn = state.of === reading && state.shown === shown;
  const rows = isOwn ? state.rows : NONE;
  const see = (from: number, to: number): void => {
    view.current = { from, to };
    for (let index = from; index < Math.min(to, state.total); index += 1) {
      if (isOwn && !rows.has(index)) return void read(index);
    }
  };
  const isSameSort = state.shown === shown;
  return {
    total: isSameSort ? state.total : 0,
    at: (index) => rows.get(index) ?? (isSameSort ? (isOwn ? state.before : state.rows).get(index) : undefined),
    see,
  };
}

function withRows(
  old: Rows,
  { of, shown, total, offset, rows }: Pick<Rows, 'of' | 'shown' | 'total'> & { offset: number; rows: BatchRow[] },
): Rows {
  const isSameSort = old.shown === shown;
  const isSame = isSameSort && old.of === of;
  const before = isSame ? old.before : isSameSort ? old.rows : NONE;
  const next = new Map(isSame ? old.rows : NONE);
  for (const [index, row] of rows.entries()) next.set(offset + index, row);
  return { of, shown, total, rows: next, before };
}
