import { type ReactNode, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Reason } from '../../shared/contract/result.ts';
import { t } from '../../shared/text/texts.ts';
import { useKeyHint, useShortcut } from '../app/index.ts';
import type { StudioError } from '../client/index.ts';
import { Button, LoadingBars, plural, Refusal, Tabs } from '../ui/index.ts';
import { EditRow, Fixes, SkippedNote } from './Fixes.tsx';
import { ImportBar } from './ImportBar.tsx';
import { type Head, ImportTable, type ImportTableHandle } from './ImportTable.tsx';
import { errorsFirst, type ImportRow, isWrong } from './rows.ts';
import type { TableImport } from './tableImport.ts';

type Shown = 'all' | 'errors' | 'notes' | 'ready';

/** The result of reading the text. */
export interface Rows {
  /** Undefined until the first result; while the text is read again, the rows of the previous text. */
  rows: readonly ImportRow[] | undefined;
  error: StudioError | undefined;
  /** The rows belong to an earlier text. */
  isOutdated: boolean;
}

interface ImportPaneProps {
  table: TableImport;
  read: Rows;
  heads: readonly Head[];
  title: ReactNode;
  back: string;
  onBack: () => void;
  /** The refusal of the last press. */
  refusal?: string | undefined;
  actions?: ReactNode;
  /** The page without a text. */
  start: ReactNode;
  valuesOf: (row: ImportRow, field: string) => readonly string[];
  /** Other ways to fix an error. */
  moreFixes?: (row: ImportRow, error: Reason) => ReactNode;
}

/** Rows before the import: each with its result, or with its errors and fixes. */
export function ImportPane(props: ImportPaneProps) {
  const { table, read, heads, title, back, onBack, refusal, actions, start, valuesOf, moreFixes } = props;
  const { text, name, error, skipped } = table.useDraft();
  const [shown, setShown] = useState<Shown>('all');
  const list = useRef<ImportTableHandle>(null);
  const isEmpty = text.trim() === '';
  const rows = isEmpty ? undefined : read.rows;
  const sorted = useMemo(() => errorsFirst(rows ?? [], skipped), [rows, skipped]);
  const inView = useMemo(() => sorted.filter(SORTS[shown](skipped)), [sorted, shown, skipped]);
  const off = read.isOutdated ? t`The rows are being read.` : undefined;
  const next = () => {
    if (shown === 'notes' || shown === 'ready') flushSync(() => setShown('errors'));
    list.current?.nextError();
  };
  const facts = [name, rows && plural(rows.filter((row) => !row.isPart).length, 'row')];
  return (
    <>
      <ImportBar {...{ table, title, back, onBack }} facts={facts.filter(Boolean).join(', ')} isEditable>
        {actions}
      </ImportBar>
      {!isEmpty && <Sorts {...{ rows: sorted, skipped, shown }} onShown={setShown} onNext={next} />}
      {isEmpty ? (
        start
      ) : rows ? (
        <ImportTable
          key={shown}
          ref={list}
          {...{ heads, rows: inView, skipped }}
          fixes={(row, problem) => (
            <>
              <Fixes {...{ table, rows, row, error: problem, off }} values={valuesOf(row, problem.field)} />
              {moreFixes?.(row, problem)}
            </>
          )}
          skippedNote={(row) => <SkippedNote table={table} row={row} />}
          editor={(row, onEnd) => <EditRow table={table} row={row} onEnd={onEnd} />}
        />
      ) : (
        <div className="pad">{!read.error && <LoadingBars rows={8} label={t`The rows are being read.`} />}</div>
      )}
      <Refusal text={error ?? refusal ?? (isEmpty ? undefined : read.error?.message)} />
    </>
  );
}

const SORTS: Readonly<Record<Shown, (skipped: ReadonlySet<string>) => (row: ImportRow) => boolean>> = {
  all: () => () => true,
  errors: (skipped) => (row) => isWrong(row, skipped),
  notes:
    () =>
    ({ note }) =>
      note !== undefined,
  ready:
    () =>
    ({ errors }) =>
      errors.length === 0,
};

interface SortsProps {
  rows: readonly ImportRow[];
  skipped: ReadonlySet<string>;
  shown: Shown;
  onShown: (shown: Shown) => void;
  onNext: () => void;
}

function Sorts({ rows, skipped, shown, onShown, onNext }: SortsProps) {
  const whole = rows.filter((row) => !row.isPart);
  const item = (value: Shown, label: string) => {
    const counts = value === 'notes' ? rows : whole;
    return { value, label, count: counts.filter(SORTS[value](skipped)).length };
  };
  const errors = item('errors', t`Errors`);
  const notes = item('notes', t`Notes`);
  const hint = useKeyHint('import.nextError');
  useShortcut('import.nextError', onNext);
  return (
    <div className="bar sub">
      <Tabs
        aria-label={t`Rows`}
        value={shown}
        onValue={onShown}
        items={[item('all', t`All`), errors, ...(notes.count > 0 ? [notes] : []), item('ready', t`Ready`)]}
      />
      <span className="grow" />
      <Button variant="ghost" kbd={hint} off={errors.count === 0 ? t`No errors.` : undefined} onClick={onNext}>
        {t`Next error`}
      </Button>
    </div>
  );
}
