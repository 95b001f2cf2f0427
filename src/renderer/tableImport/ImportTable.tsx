import { Info, Pencil } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import type { Reason } from '../../shared/contract/result.ts';
import { t } from '../../shared/text/texts.ts';
import { useListFocus, useLongList } from '../app/index.ts';
import { Button, Checkbox, CheckGlyph, EmptyState, FailGlyph, Icon, stepInList } from '../ui/index.ts';
import { type ImportRow, isSkipped, isWrong, nextErrorAfter } from './rows.ts';

import styles from './tableImport.module.css';
export interface Head {
  id: string;
  label: string;
  /** The columns of the text that are shown in it, if not the one with its name. */
  fields?: readonly string[];
  isRight?: boolean;
  /** The column with the prompt, from which a row is edited. */
  isMain?: boolean;
}

export interface ImportTableHandle {
  nextError: () => void;
}

interface ImportTableProps {
  heads: readonly Head[];
  rows: readonly ImportRow[];
  skipped?: ReadonlySet<string>;
  /** Fixes for an error, in the line below its row. */
  fixes?: (row: ImportRow, error: Reason) => ReactNode;
  /** Content below a skipped row. */
  skippedNote?: (row: ImportRow) => ReactNode;
  editor?: (row: ImportRow, onEnd: () => void) => ReactNode;
  ref?: Ref<ImportTableHandle>;
}

const ROW_PX = 28;
const NONE: ReadonlySet<string> = new Set();

/** Rows of an import: arrows move, Enter opens the row, F8 goes to the next error. Only rows in view are rendered. */
export function ImportTable({ heads, rows, skipped = NONE, ref, ...parts }: ImportTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  useListFocus(scroller);
  const [picked, setPicked] = useState(-1);
  const { items, height, scrollToIndex } = useLongList({
    count: rows.length,
    scroller,
    rowPx: ROW_PX,
    estimateSize: () => ROW_PX,
    rest: { overscan: 10, initialRect: { width: 800, height: 800 } },
  });
  const go = (index: number, options?: { align: 'center' }) => {
    setPicked(index);
    scrollToIndex(index, options);
  };
  const nextError = useNextError({ rows, skipped, picked, scroller, go });
  useImperativeHandle(ref, () => ({ nextError }));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const next = stepInList(event, picked, rows.length);
    if (next !== undefined) go(next);
    else if (isOpening(event)) openRow(scroller.current?.querySelector(`[data-index="${picked}"]`));
    else return;
    event.preventDefault();
  };
  if (rows.length === 0) return <EmptyState title={t`No matching rows`}>{t`Choose another list above.`}</EmptyState>;
  return (
    <div className={`col ${styles.table}`}>
      <HeadRow heads={heads} />
      <section
        ref={scroller}
        className={`scroll ${styles.list}`}
        aria-label={t`Rows`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by key.
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <ul style={{ height }}>
          {items.map((item) => {
            const row = rows[item.index];
            return (
              <li
                key={item.key}
                data-index={item.index}
                className={item.index === picked ? `is-picked ${styles.importRow} ${styles.picked}` : styles.importRow}
                style={{ transform: `translateY(${item.start}px)` }}
                aria-setsize={rows.length}
                aria-posinset={item.index + 1}
              >
                {row && <Row key={row.key} heads={heads} row={row} skipped={skipped} {...parts} />}
              </li>
            );
          })}
        </ul>
      </section>
    </div>
  );
}

function HeadRow({ heads }: { heads: readonly Head[] }) {
  return (
    <div className={`${styles.head} ${styles.cells}`} aria-hidden="true">
      <span className="r">{t`Row`}</span>
      <span />
      {heads.map(({ id, label, isRight }) => (
        <span key={id} className={isRight ? 'r' : ''}>
          {label}
        </span>
      ))}
    </div>
  );
}

const isOpening = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key === 'Enter' && !altKey && !ctrlKey && !metaKey;

/** Returns the focus to the list after the focused element was removed. */
export const focusList = (element: Element | null | undefined): void =>
  element?.closest<HTMLElement>(`.${styles.list}`)?.focus();

interface NextError extends Required<Pick<ImportTableProps, 'rows' | 'skipped'>> {
  picked: number;
  scroller: RefObject<HTMLElement | null>;
  go: (index: number, options: { align: 'center' }) => void;
}

/** Goes to the next row with an error. After a fix, the next row has taken its index. */
function useNextError({ rows, skipped, picked, scroller, go }: NextError): () => void {
  const wantFix = useWantedFix(scroller);
  const goneTo = useRef<string>(undefined);
  return () => {
    const isHere = rows[picked]?.key === goneTo.current;
    const next = nextErrorAfter(rows, skipped, isHere ? picked : picked - 1);
    if (next === undefined) return;
    goneTo.current = rows[next]?.key;
    wantFix(next);
    go(next, { align: 'center' });
  };
}

const FIX = `.${styles.fix} button, .${styles.fix} input`;

/** Opens the editor of a valid row, or the fixes of a wrong one. */
function openRow(row: Element | null | undefined): void {
  row?.querySelector<HTMLElement>(`.${styles.edit}`)?.click();
  row?.querySelector<HTMLElement>(FIX)?.focus();
}

/** Focuses the fix of a row once the row is rendered. */
function useWantedFix(scroller: RefObject<HTMLElement | null>): (index: number) => void {
  const [wanted, setWanted] = useState<number>();
  useEffect(() => {
    if (wanted === undefined) return;
    const fix = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted}"] :is(${FIX})`);
    if (!fix) return;
    fix.focus();
    setWanted(undefined);
  });
  return setWanted;
}

type RowProps = Required<Pick<ImportTableProps, 'heads' | 'skipped'>> &
  Pick<ImportTableProps, 'fixes' | 'skippedNote' | 'editor'> & { row: ImportRow };

function Row({ heads, row, skipped, fixes, skippedNote, editor }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const isOut = isSkipped(row, skipped);
  const wrong = isWrong(row, skipped);
  const canEdit = editor && row.errors.length === 0 && !row.isPart;
  return (
    <>
      <div className={`${styles.cells} ${isOut ? styles.isOut : ''} ${row.isPart ? styles.isPart : ''}`}>
        <span className="r num t3">{row.key}</span>
        <State row={row} isOut={isOut} />
        {heads.map((head) => {
          const classes = head.isRight ? 'r num' : head.isMain ? `row ${styles.importWords}` : 't2 cut';
          if (!head.isMain)
            return (
              <span key={head.id} className={classes}>
                <Cell head={head} row={row} isOut={isOut} />
              </span>
            );
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same.
            <span key={head.id} className={classes} onDoubleClick={canEdit ? () => setOpen(true) : undefined}>
              <span className="cut">
                <Cell head={head} row={row} isOut={isOut} />
              </span>
              {canEdit && <EditButton line={row.line} onClick={() => setOpen(true)} />}
            </span>
          );
        })}
      </div>
      {isOpen && editor?.(row, () => setOpen(false))}
      {wrong &&
        row.errors.map((error) => <ErrorLine key={`${error.field} ${error.message}`} {...{ row, error, fixes }} />)}
      {isOut && row.errors.length > 0 && <div className={`row wrap ${styles.importNote}`}>{skippedNote?.(row)}</div>}
      {row.note && <div className={`row wrap ${styles.importNote}`}>{row.note}</div>}
    </>
  );
}

function EditButton({ line, onClick }: { line: number; onClick: () => void }) {
  return (
    <Button variant="ghost" className={styles.edit} tabIndex={-1} aria-label={t`Edit row ${line}`} onClick={onClick}>
      <Icon of={Pencil} />
    </Button>
  );
}

/** The content of a column; for a wrong row the cell as in the text, outlined if it is wrong. */
function Cell({ head: { id, fields = [id], isMain }, row, isOut }: { head: Head; row: ImportRow; isOut: boolean }) {
  const { cells = {}, errors, shown, line } = row;
  const wrong = fields.find((field) => errors.some((error) => error.field === field));
  if (wrong !== undefined && !isOut) return <span className={styles.cellBad}>{cells[wrong] || t`Empty`}</span>;
  if (shown[id] !== undefined) return shown[id];
  if (isMain && line === 1 && Object.keys(cells).length === 0) return t`Column names`;
  return fields
    .map((field) => cells[field])
    .filter(Boolean)
    .join(', ');
}

function State({ row: { choice, errors, note }, isOut }: { row: ImportRow; isOut: boolean }) {
  if (choice)
    return (
      <Checkbox checked={choice.checked} onChecked={choice.onChecked} disabled={choice.off ?? false}>
        <span className="vh">{choice.label}</span>
      </Checkbox>
    );
  const isBad = errors.length > 0 && !isOut;
  return (
    <span className={isBad ? 'st failed' : 'st'}>
      {!isOut && (isBad ? <FailGlyph /> : note ? <Icon of={Info} /> : <CheckGlyph />)}
      <span className="vh">{isOut ? t`Skipped` : isBad ? t`Error` : note ? t`Note` : t`Ready`}</span>
    </span>
  );
}

/** A longer wrong cell is not repeated in its error. */
const SHOWN_CELL = 40;

/** The rule that a cell breaks, and the fixes. */
function ErrorLine({ row, error, fixes }: { row: ImportRow; error: Reason } & Pick<ImportTableProps, 'fixes'>) {
  const { field, message } = error;
  const value = row.cells?.[field] ?? '';
  const isShown = value !== '' && value.length <= SHOWN_CELL && !message.includes(value);
  return (
    <fieldset className={`row wrap ${styles.fix}`} aria-label={t`Row ${row.line}: ${field} ${message}`}>
      <span className={styles.errWords}>
        {field !== '' && <b>{field}</b>} {isShown && `“${value}” `}
        {message}
      </span>
      {fixes?.(row, error)}
    </fieldset>
  );
}
