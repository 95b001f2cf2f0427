import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Reason } from '../../shared/contract/result.ts';
import { NAME_ONCE } from '../../shared/jobs/batch.ts';
import { columnNames } from '../../shared/tables/tableText.ts';
import { t } from '../../shared/text/texts.ts';
import { Button, Checkbox, TextAction, TextInput } from '../ui/index.ts';
import { focusList } from './ImportTable.tsx';
import { cellsOf, type Source, withLastNames, withoutField, withValue } from './importText.ts';
import { alike, type ImportRow } from './rows.ts';
import styles from './tableImport.module.css';
import type { TableImport } from './tableImport.ts';

/** Ways to fix a wrong cell, and the editor for the cells of a row. */

/** A longer cell may have been truncated, so it is not edited here. */
const LONGEST_CELL = 200;

interface Fix {
  label: string;
  text: () => string;
}

interface FixesProps {
  table: TableImport;
  rows: readonly ImportRow[];
  row: ImportRow;
  error: Reason;
  /** The allowed values of the cell. */
  values: readonly string[];
  /** Why changes are off. */
  off: string | undefined;
}

/** Fixes all cells that are wrong in the same way, by a button or by typing, or skips the row. */
export function Fixes({ table, rows, row, error, values, off }: FixesProps) {
  const { field } = error;
  const { line, key, cells } = row;
  const source = table.useDraft();
  const [isForAll, setForAll] = useState(true);
  const all = useMemo(() => alike(rows, row, error), [rows, row, error]);
  const lines = isForAll ? all : new Set([line]);
  const isHeader = source.format === 'csv' && line === 1;
  const value = cells?.[field];
  const about = field === '' ? t`Row ${line}` : t`${field} of row ${line}`;
  const apply = (text: string, from: Element) => {
    focusList(from);
    table.change(text, field === 'prompt' ? lines : undefined);
  };
  return (
    <>
      {fixesOf({ source, row, error, values, lines }).map(({ label, text }) => (
        <Button
          key={label}
          variant="ghost"
          aria-label={`${label}, ${about}`}
          off={off}
          onClick={(event) => apply(text(), event.currentTarget)}
        >
          {label}
        </Button>
      ))}
      {value !== undefined && value.length < LONGEST_CELL && (
        <CellInput
          key={value}
          label={about}
          value={value}
          isLong={field === 'prompt'}
          onEnter={(next, from) => !off && apply(withValue(source, lines, field, next), from)}
        />
      )}
      {all.size > 1 && (
        <Checkbox checked={isForAll} onChecked={setForAll}>
          {t`Fix all ${all.size} like this`}
        </Checkbox>
      )}
      {!isHeader && row.errors[0] === error && (
        <Button
          variant="ghost"
          aria-label={t`Skip row ${line}`}
          onClick={(event) => {
            focusList(event.currentTarget);
            table.skip([key]);
          }}
        >
          {t`Skip row`}
        </Button>
      )}
    </>
  );
}

interface FixesOf extends Pick<FixesProps, 'row' | 'error' | 'values'> {
  source: Source;
  lines: ReadonlySet<number>;
}

function fixesOf({ source, row: { line, cells = {} }, error, values, lines }: FixesOf): Fix[] {
  const { field, message } = error;
  if (message === NAME_ONCE) return [{ label: t`Keep the last one`, text: () => withLastNames(source.text, line) }];
  if (source.format === 'csv' && line === 1)
    return field !== '' && columnNames(source.text).some((name) => name.startsWith(field))
      ? [{ label: t`Remove column`, text: () => withoutField(source, line, field) }]
      : [];
  const isThere = field in cells;
  if (!isThere && (source.format !== 'jsonl' || field === '')) return [];
  const empty = isThere ? t`Clear` : t`Remove`;
  return values.map((value) => ({ label: value || empty, text: () => withValue(source, lines, field, value) }));
}

interface CellInputProps {
  label: string;
  value: string;
  isLong: boolean;
  onEnter: (value: string, from: Element) => void;
}

/** Enter applies the value, Escape discards it. */
function CellInput({ label, value, isLong, onEnter }: CellInputProps) {
  const [words, setWords] = useState(value);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape' && words !== value) {
      event.stopPropagation();
      setWords(value);
    }
    if (event.key === 'Enter' && words !== value) onEnter(words, event.currentTarget);
  };
  return (
    <span className={isLong ? `${styles.input} ${styles.isLong}` : styles.input}>
      <TextInput aria-label={label} value={words} onValue={setWords} onKeyDown={onKeyDown} />
    </span>
  );
}

/** The cells of a valid row. Escape, or Enter in a cell, returns to the list. */
export function EditRow({ table, row: { line }, onEnd }: { table: TableImport; row: ImportRow; onEnd: () => void }) {
  const source = table.useDraft();
  const place = useRef<HTMLFieldSetElement>(null);
  const { text, format } = source;
  const cells = useMemo(() => cellsOf({ text, format }, line), [text, format, line]);
  const known = cells.filter(([field]) => table.options.columns.includes(field));
  useEffect(() => {
    place.current?.querySelector('input')?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if ((event.key !== 'Escape' && event.key !== 'Enter') || event.nativeEvent.isComposing) return;
    event.stopPropagation();
    focusList(place.current);
    onEnd();
  };
  return (
    <fieldset
      ref={place}
      className={`row wrap ${styles.fix}`}
      aria-label={t`Cells of row ${line}`}
      onKeyDown={onKeyDown}
    >
      {known
        .sort(([one], [other]) => Number(other === 'prompt') - Number(one === 'prompt'))
        .map(([field, value]) => (
          <span key={field} className={field === 'prompt' ? `row ${styles.prompt}` : 'row'}>
            <span className="t3" aria-hidden="true">
              {field}
            </span>
            <CellInput
              label={t`${field} of row ${line}`}
              value={value}
              isLong={field === 'prompt'}
              onEnter={(next) => {
                const lines = new Set([line]);
                table.change(withValue(source, lines, field, next), field === 'prompt' ? lines : undefined);
              }}
            />
          </span>
        ))}
    </fieldset>
  );
}

/** A note that the row is skipped, with a way to restore it. */
export const SkippedNote = ({ table, row: { key } }: { table: TableImport; row: ImportRow }) => (
  <>
    <span>{t`Skipped`}</span> <TextAction onClick={() => table.skip([key], false)}>{t`Restore`}</TextAction>
  </>
);
