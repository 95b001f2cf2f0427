import { Info, Pencil } from 'lucide-react';
import { memo, type ReactNode, useState } from 'react';
import type { BatchKnow, BatchRow } from '../../../../shared/batch.ts';
import { kindOf, promptOf, quantityOf } from '../../../../shared/kinds/index.ts';
import type { Reason } from '../../../../shared/result.ts';
import { shortened } from '../../../../shared/shortened.ts';
import { formatLocale, t } from '../../../../shared/texts.ts';
import { hashOf, navigate, useActiveProfile } from '../../../app/index.ts';
import { Button, Checkbox, CheckGlyph, FailGlyph, Icon, PriceTag, plural, TextAction } from '../../../ui/index.ts';
import { CellInput, EditLine, keepFocus } from './Cells.tsx';
import { Choices } from './Choices.tsx';
import { curesOf } from './cures.ts';
import { leaveOut, mendBatch, useBatchDraft } from './useBatchDraft.ts';

/** A cell of this many characters may have been cut, and is not offered to be written anew. */
const MAX_CELL_SHOWN = 200;
/** In characters; a line has no room for more. */
const SHOWN_PROMPT = 240;

/** One line with what it makes, or with what is wrong in it; a member of a line with choices stands below that line. */
export const BatchLine = memo(function BatchLine({ row }: { row: BatchRow | undefined }) {
  if (!row) return <div className="batch-cells" aria-busy="true" />;
  if (row.errors.length > 0) return <WrongLine row={row} />;
  return (
    <>
      {row.whole && <WholeLine row={row} whole={row.whole} />}
      {row.member ? <MemberLine row={row} member={row.member} /> : <RightLine row={row} />}
    </>
  );
});

function RightLine({ row }: { row: BatchRow }) {
  const { line, request, know } = row;
  const isOut = useIsOut(row);
  const [isOpen, setOpen] = useState(false);
  if (!request) return null;
  return (
    <>
      <div className={isOut ? 'batch-cells is-out' : 'batch-cells'}>
        <span className="r num t3">{line}</span>
        <State is={isOut ? 'out' : know ? 'know' : 'right'} />
        <span className="t2">{request.kind}</span>
        <Words line={line} onEdit={() => setOpen(true)}>
          {shortened(promptOf(request), SHOWN_PROMPT)}
        </Words>
        <Made row={row} />
      </div>
      {isOpen && <EditLine row={row} request={request} onEnd={() => setOpen(false)} />}
      {know && <Know line={line} know={know} isOut={isOut} />}
    </>
  );
}

/** The words of a line, and the way to write the line anew: a double click, or Enter where it is picked. */
function Words({ line, onEdit, children }: { line: number; onEdit: () => void; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same.
    <span className="batch-words" onDoubleClick={onEdit}>
      <span className="cut">{children}</span>
      <Button variant="ghost" className="batch-edit" tabIndex={-1} aria-label={t`Edit line ${line}`} onClick={onEdit}>
        <Icon of={Pencil} />
      </Button>
    </span>
  );
}

/** Model, length and price. */
function Made({ row: { request, estimateNano = 0, lowNano, unpriced } }: { row: BatchRow }) {
  const outputTokens = useActiveProfile()?.limits.outputTokens ?? 0;
  if (!request) return null;
  const { seconds } = quantityOf(request, outputTokens);
  return (
    <>
      <span className="t2 cut">{'model' in request ? request.model : kindOf(request).name}</span>
      <span className="r num">{seconds === undefined ? t`1 job` : `${seconds} s`}</span>
      <span className="r">
        <PriceTag nano={estimateNano} lowNano={lowNano} unpriced={unpriced ? 1 : 0} />
      </span>
    </>
  );
}

function WholeLine({ row, whole }: { row: BatchRow; whole: NonNullable<BatchRow['whole']> }) {
  const { line, request } = row;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div className="batch-cells batch-whole">
        <span className="r num t3">{line}</span>
        <State is="know" />
        <span className="t2">{request?.kind}</span>
        <Words line={line} onEdit={() => setOpen(true)}>
          <Choices text={whole.prompt.slice(0, SHOWN_PROMPT)} />
        </Words>
        <span className="t2 cut">{request && 'model' in request ? request.model : request?.kind}</span>
        <span className="r num">{plural(whole.jobs, 'job')}</span>
        <span className="r">
          <PriceTag nano={whole.estimateNano} lowNano={whole.lowNano} unpriced={whole.unpriced} />
        </span>
      </div>
      {isOpen && request && <EditLine row={row} request={request} onEnd={() => setOpen(false)} />}
    </>
  );
}

function MemberLine({ row, member }: { row: BatchRow; member: NonNullable<BatchRow['member']> }) {
  const { line, request, know } = row;
  const key = `${line}.${member.at}`;
  const isOut = useIsOut(row);
  return (
    <>
      <div className={isOut ? 'batch-cells batch-member is-out' : 'batch-cells batch-member'}>
        <span />
        <span />
        <span className="num t3">{key}</span>
        <span className="cut">
          <Checkbox checked={!isOut} onChecked={(checked) => leaveOut([key], !checked)}>
            {request && shortened(promptOf(request), SHOWN_PROMPT)}
          </Checkbox>
        </span>
        <Made row={row} />
      </div>
      {know && <Know line={line} know={know} isOut={isOut} member={key} />}
    </>
  );
}

const useIsOut = ({ line, member }: BatchRow): boolean =>
  useBatchDraft(
    ({ leaveOut: out }) => out.has(String(line)) || (member !== undefined && out.has(`${line}.${member.at}`)),
  );

const LINE_WORDS = { right: t`right`, mend: t`to mend`, know: t`to know`, out: t`left out` } as const;

function State({ is }: { is: keyof typeof LINE_WORDS }) {
  return (
    <span className={is === 'mend' ? 'st failed' : 'st'}>
      {is === 'right' && <CheckGlyph />}
      {is === 'mend' && <FailGlyph />}
      {is === 'know' && <Icon of={Info} />}
      <span className="vh">{LINE_WORDS[is]}</span>
    </span>
  );
}

const DAY = new Intl.DateTimeFormat(formatLocale(), { day: 'numeric', month: 'short', year: 'numeric' });

interface KnowProps {
  line: number;
  know: readonly BatchKnow[];
  isOut: boolean;
  member?: string;
}

/** What is the same as something that is there already, and the way to leave it out. */
function Know({ line, know, isOut, member }: KnowProps) {
  const key = member ?? String(line);
  return (
    <div className="batch-note">
      {know.map((fact) =>
        fact.type === 'kept' ? (
          <span key={fact.jobId}>
            {t`The same as a take you kept on ${DAY.format(fact.at)}.`}{' '}
            <a className="lnk" href={hashOf('queue', { job: fact.jobId })}>
              {t`Show`}
            </a>
          </span>
        ) : (
          <span key={fact.line}>{t`The same as line ${fact.line}.`}</span>
        ),
      )}
      <TextAction onClick={() => leaveOut([key], !isOut)}>{isOut ? t`Put it back` : t`Leave it out`}</TextAction>
    </div>
  );
}

function WrongLine({ row }: { row: BatchRow }) {
  const { line, errors, cells = {} } = row;
  const isOut = useIsOut(row);
  const wrong = new Set(errors.map(({ field }) => field));
  const cell = (field: string, value = cells[field] ?? '') => (
    <span className={wrong.has(field) && !isOut ? 'cell-bad' : ''}>{value || (wrong.has(field) ? t`empty` : '')}</span>
  );
  const isHeader = line === 1 && Object.keys(cells).length === 0;
  return (
    <>
      <div className={isOut ? 'batch-cells batch-bad is-out' : 'batch-cells batch-bad'}>
        <span className="r num t3">{line}</span>
        <State is={isOut ? 'out' : 'mend'} />
        <span className="t2 cut">{cell('kind')}</span>
        <span className="cut">{isHeader ? t`The names of the columns` : cell('prompt')}</span>
        <span className="t2 cut">{cell('model')}</span>
        <span className="r num">{cell('seconds', cells.seconds && `${cells.seconds} s`)}</span>
        <span className="r t3">–</span>
      </div>
      {isOut ? (
        <div className="batch-note">
          <span>{t`Left out.`}</span>
          <TextAction onClick={() => leaveOut([String(line)], false)}>{t`Put it back`}</TextAction>
        </div>
      ) : (
        errors.map((error) => <WrongCell key={`${error.field} ${error.message}`} row={row} error={error} />)
      )}
    </>
  );
}

/** The rule that a cell breaks, and what mends it: a value by a button, another one by typing, or going on without the line. */
function WrongCell({ row, error }: { row: BatchRow; error: Reason }) {
  const { field, message } = error;
  const { line, cells = {} } = row;
  const { format, text } = useBatchDraft();
  const models = useActiveProfile()?.models ?? [];
  const cures = curesOf(row, error, { format, models });
  const value = cells[field];
  const isUnknownModel = field === 'model' && value !== undefined && value !== '' && message.includes(value);
  const about = field === '' ? t`line ${line}` : t`${field} of line ${line}`;
  return (
    <fieldset className="batch-fix" aria-label={t`Line ${line}: ${field} ${message}`}>
      <span className="err-words">
        {field !== '' && <b>{field}</b>} {value && !isUnknownModel ? t`is ${value.slice(0, 40)}: ` : ''}
        {message}
      </span>
      {cures.map(({ label, apply }) => (
        <Button
          key={label}
          variant="ghost"
          aria-label={`${label}, ${about}`}
          onClick={(event) => {
            keepFocus(event.currentTarget);
            mendBatch(apply(text));
          }}
        >
          {label}
        </Button>
      ))}
      {value !== undefined && value.length < MAX_CELL_SHOWN && (
        <CellInput key={value} row={row} field={field} value={value} />
      )}
      {field === 'mask' && cells.image && (
        <Button variant="ghost" onClick={() => navigate('images', { asset: cells.image?.trim() ?? '', paint: 'mask' })}>
          {t`Open in the painter`}
        </Button>
      )}
      {isUnknownModel && <TextAction onClick={() => navigate('settings')}>{t`Add the model`}</TextAction>}
      {!(format === 'csv' && line === 1) && (
        <Button
          variant="ghost"
          aria-label={t`Leave line ${line} out`}
          onClick={(event) => {
            keepFocus(event.currentTarget);
            leaveOut([String(line)], true);
          }}
        >
          {t`Leave line ${line} out`}
        </Button>
      )}
    </fieldset>
  );
}
