import { Fragment, useMemo } from 'react';
import { KINDS, modelsFor } from '../../../../shared/kinds/index.ts';
import type { Reason } from '../../../../shared/result.ts';
import { shortened } from '../../../../shared/shortened.ts';
import type { ShotListRow } from '../../../../shared/shotList.ts';
import { t } from '../../../../shared/texts.ts';
import { useActiveProfile } from '../../../app/index.ts';
import { Button, CheckGlyph, FailGlyph } from '../../../ui/index.ts';
import { plannedSeconds } from '../model/shots.ts';
import { curesOf } from './cures.ts';
import { type CellsByLine, cellsOf, type ListFormat } from './listText.ts';
import { writeList } from './useListDraft.ts';

interface TableProps {
  rows: readonly ShotListRow[];
  text: string;
  format: ListFormat;
  /** Set while the rows are those of an earlier text. */
  outdated: string | undefined;
}

/** The lines as shots. A wrong cell is outlined, and what mends it stands in the row below. */
export function ShotTable({ rows, text, format, outdated }: TableProps) {
  const cells = useMemo(() => cellsOf(text, format), [text, format]);
  return (
    <table className="tbl list-table">
      <thead>
        <tr>
          <th className="r">{t`Line`}</th>
          <th>
            <span className="vh">{t`Right or wrong`}</span>
          </th>
          <th>{t`Shot`}</th>
          <th>{t`Starts from`}</th>
          <th>{t`Model`}</th>
          <th className="r">{t`Length`}</th>
          <th>{t`Picture`}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Fragment key={row.line}>
            <ShotRow row={row} cells={cells} />
            {row.errors.map((error) => (
              <ErrorRow
                key={`${error.field} ${error.message}`}
                row={row}
                error={error}
                {...{ cells, text, format, outdated }}
              />
            ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function ShotRow({ row: { line, shot, errors }, cells }: { row: ShotListRow; cells: CellsByLine }) {
  const wrong = new Set(errors.map(({ field }) => field));
  // Cells that cannot be told apart stand under no column.
  const own = (!wrong.has('') && cells.get(line)) || {};
  const cell = (field: string, value: string | undefined) => (
    <span className={wrong.has(field) ? 'cell-bad' : ''}>{value === '' ? '–' : value}</span>
  );
  const isRight = errors.length === 0;
  const seconds = shot ? String(plannedSeconds(shot)) : own.seconds;
  const length = seconds && !wrong.has('seconds') ? `${seconds} s` : seconds;
  return (
    <tr className={isRight ? '' : 'list-bad'}>
      <td className="r num t3">{line}</td>
      <td className={isRight ? '' : 'st failed'}>
        {isRight ? <CheckGlyph /> : <FailGlyph />}
        <span className="vh">{isRight ? t`right` : t`to mend`}</span>
      </td>
      <td className="max cut">
        <Words row={{ line, errors, ...(shot && { shot }) }} own={own} />
      </td>
      <td className="t2">{cell('source', shot?.source ?? own.source)}</td>
      <td className="t2">{cell('model', shot?.model ?? own.model)}</td>
      <td className="r num">{cell('seconds', length)}</td>
      <td className="t2">{cell(wrong.has('aspect') ? 'aspect' : 'resolution', pictureOf(shot, own))}</td>
    </tr>
  );
}

const pictureOf = (shot: ShotListRow['shot'], own: Readonly<Record<string, string>>): string =>
  [shot?.config.resolution ?? own.resolution, shot?.config.aspectRatio ?? own.aspect].filter(Boolean).join(', ');

/** Its title and the beginning of its prompt. */
function Words({ row: { line, shot }, own }: { row: ShotListRow; own: Readonly<Record<string, string>> }) {
  if (!shot && line === 1) return <>{t`The names of the columns`}</>;
  const { title = '', prompt = '' } = shot ?? own;
  const start = shortened(prompt, SHOWN_PROMPT);
  return title.trim() === '' ? (
    start || t`Untitled`
  ) : (
    <>
      {title} <span className="t3">{start}</span>
    </>
  );
}

/** In characters; a row has no room for more. */
const SHOWN_PROMPT = 200;

interface ErrorRowProps extends Omit<TableProps, 'rows'> {
  row: ShotListRow;
  error: Reason;
  cells: CellsByLine;
}

/** The longest wrong cell that is printed with its rule. */
const SHOWN_CELL = 40;

function ErrorRow({ row: { line }, error: { field, message }, cells, text, format, outdated }: ErrorRowProps) {
  const models = modelsFor(KINDS.video, useActiveProfile()?.models).map(({ id }) => id);
  const own = cells.get(line);
  const value = own?.[field];
  const cures = curesOf({ line, field, cells: own }, { format, models });
  const isShown = value !== undefined && value !== '' && value.length <= SHOWN_CELL && field !== 'model';
  return (
    <tr className="list-error" data-error tabIndex={-1} aria-label={t`Line ${line}: ${field} ${message}`}>
      <td />
      <td />
      <td colSpan={5}>
        <span className="row wrap">
          <span className="err-words">
            {field !== '' && <b>{field}</b>} {isShown && t`is ${value}: `}
            {message}
          </span>
          {cures.map(({ label, apply }) => (
            <Button
              key={label}
              variant="ghost"
              aria-label={`${label}, ${field || t`line ${line}`}`}
              off={outdated}
              onClick={() => writeList(apply(text))}
            >
              {label}
            </Button>
          ))}
        </span>
      </td>
    </tr>
  );
}
