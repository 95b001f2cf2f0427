import { useRef, useState } from 'react';
import { formatNano } from '../../../../shared/money/money.ts';
import {
  COLUMN_ROLES,
  type SettledPrice,
  type Statement,
  type StatementColumn,
  ZONES,
} from '../../../../shared/money/statement/statement.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { announce, useAction, useSpendChord } from '../../../app/index.ts';
import { call, type Result } from '../../../client/index.ts';
import { ColumnMap } from '../../../tableImport/index.ts';
import {
  Button,
  DateFields,
  Field,
  formatCount,
  Panel,
  Refusal,
  Section,
  Select,
  TextAction,
  WhyOff,
} from '../../../ui/index.ts';
import { nameOf } from '../figures.ts';
import styles from './statement.module.css';
import {
  readColumns,
  readInZone,
  readStatement,
  refreshStatement,
  settleCheaper,
  settleClear,
  useHasText,
  useStatementView,
  withColumn,
} from './useStatement.ts';
import { type ColumnChoice, columnOptions, MATCH_WORDS, MATCHES, zoneWords } from './words.ts';

/** How the bill was read and matched, what it settles, what was not read, and one button for all clear lines. */
export function StatementSide({ statement }: { statement: Statement | undefined }) {
  return (
    <Panel label={t`Import details`}>
      <div className="bar">
        <h2>{t`Import details`}</h2>
      </div>
      <div className="scroll">
        {statement ? <HowRead statement={statement} /> : <ColumnsOfRefused />}
        <Period statement={statement} />
        {statement && <Matched statement={statement} />}
        {statement && <WhatItSettles statement={statement} />}
        {statement && <NotRead statement={statement} />}
      </div>
      {statement && <AcceptClear key={statement.id} statement={statement} />}
    </Panel>
  );
}

function HowRead({ statement }: { statement: Statement }) {
  const { columns, zoneMinutes, isZoneAssumed, isRemembered, isMonthFirst } = statement;
  const hasText = useHasText();
  const options = columnOptions(zoneWords(zoneMinutes, isZoneAssumed));
  return (
    <div className="sec">
      <ColumnMap
        label={t`Columns`}
        columns={columns.map((column) => ({ name: column.name, value: choiceOf(column) }))}
        options={options}
        onChoice={hasText ? chooseOf(columns) : undefined}
      />
      {hasText && <Zone statement={statement} />}
      {isZoneAssumed && (
        <p className="t3">
          {hasText ? t`Choose the time zone to match lines by time.` : t`Read the file again to choose its time zone.`}
        </p>
      )}
      {isRemembered && <p className="t3">{t`Same columns as your last bill.`}</p>}
      {isMonthFirst && <p className="t3">{t`3/4/2026 is read as 4 March.`}</p>}
    </div>
  );
}

const UNKNOWN_ZONE = 'unknown';

/** The time zone for times without one; hidden if all have one. */
function Zone({ statement: { isZoneAssumed, asked } }: { statement: Statement }) {
  const zone = asked?.zone;
  if (!isZoneAssumed && zone === undefined) return null;
  const zones = ZONES.map((zone) => ({ value: String(zone), label: zoneWords(zone, false) }));
  return (
    <Field label={t`Time zone`}>
      <Select
        aria-label={t`Time zone`}
        options={[{ value: UNKNOWN_ZONE, label: t`Not known` }, ...zones]}
        value={String(zone ?? UNKNOWN_ZONE)}
        onValue={(value) => readInZone(value === UNKNOWN_ZONE ? undefined : Number(value))}
      />
    </Field>
  );
}

/** The columns of a bill that could not be read, to choose the amount and the time. */
function ColumnsOfRefused() {
  const { error, columns = {} } = useStatementView();
  const names = (error?.data?.columns ?? []) as string[];
  if (names.length === 0) return null;
  // The detected columns, if rows were read.
  const found = error?.data?.found as StatementColumn[] | undefined;
  const asked = names.map((name): StatementColumn => {
    const role = COLUMN_ROLES.find((one) => columns[one] === name);
    return role === undefined ? { name } : { name, role, ...(columns.unit ? { unit: columns.unit } : {}) };
  });
  const current = found ?? asked;
  return (
    <div className="sec">
      <ColumnMap
        label={t`Columns`}
        columns={current.map((column) => ({ name: column.name, value: choiceOf(column) }))}
        options={columnOptions('')}
        onChoice={chooseOf(current)}
      />
    </div>
  );
}

const chooseOf = (columns: readonly StatementColumn[]) => (index: number, choice: string) =>
  readColumns(withColumn(columns, columns[index]?.name ?? '', choice as ColumnChoice));

const choiceOf = ({ role, unit = 'dollar' }: StatementColumn): ColumnChoice =>
  role === undefined ? 'unused' : role === 'amount' ? unit : role;

function Period({ statement }: { statement: Statement | undefined }) {
  const dates = useStatementView((view) => view.dates);
  const hasText = useHasText();
  if (statement !== undefined && !hasText) return null;
  return (
    <Section title={t`Days to compare`}>
      <DateFields label={t`Days to compare`} dates={dates} onDates={(next) => void readStatement({ dates: next })} />
      {statement && statement.outside > 0 && (
        <p className="t3">{t`${counted(statement.outside, 'line')} outside these days.`}</p>
      )}
    </Section>
  );
}

const Matched = ({ statement: { matchedBy } }: { statement: Statement }) => (
  <Section title={t`How lines are matched`}>
    <ol className={styles.by}>
      {MATCHES.map((by, index) => (
        <li key={by}>
          <b>{index + 1}</b>
          <span className="cut">{MATCH_WORDS[by]}</span>
          <span className="t3">{formatCount(matchedBy[by])}</span>
        </li>
      ))}
    </ol>
  </Section>
);

/** Prices that the whole bill confirms, and lines at the lower price. */
function WhatItSettles({ statement }: { statement: Statement }) {
  const { id, settles, cheaper, profileId } = statement;
  const { refusal, isBusy, run } = useAction();
  if (settles.length === 0 && cheaper.lines === 0) return null;
  const settlePrice = async (settled: SettledPrice) => {
    const answer = await setReading(profileId, settled);
    if (answer.ok) await refreshStatement(id);
    return answer;
  };
  return (
    <Section title={t`What the bill confirms`}>
      {settles.map((settled) => (
        <div key={`${settled.kind} ${settled.model}`} className="stack mb">
          <p className="t2">{settlesWords(settled)}</p>
          <Button busy={isBusy} onClick={() => void run(settlePrice(settled))}>
            {t`Set the price of ${nameOf(settled)}`}
          </Button>
        </div>
      ))}
      {cheaper.lines > 0 && (
        <div className="stack mb">
          <p className="t2">
            {t`${counted(cheaper.lines, 'line')} at the lower price: ${formatNano(cheaper.billNano)} on the bill, ${formatNano(cheaper.ledgerNano)} here.`}
          </p>
          <Button variant="ghost" busy={isBusy} onClick={() => void run(settleCheaper(statement))}>
            {t`Use billed amounts`}
          </Button>
        </div>
      )}
      <Refusal text={refusal} />
    </Section>
  );
}

function settlesWords({ lines, ledgerNano, billNano, ...price }: SettledPrice): string {
  const model = nameOf(price);
  return billNano === ledgerNano
    ? t`One price of ${model} fits ${counted(lines, 'line')}. No charge changes.`
    : t`One price of ${model} fits ${counted(lines, 'line')}. ${formatNano(ledgerNano)} is corrected to ${formatNano(billNano)}.`;
}

/** Settles the price in the price book of its gateway; corrections follow from that. */
async function setReading(profileId: string, { kind, model, reading }: SettledPrice): Promise<Result<unknown>> {
  const book = await call('prices.list', { profileId });
  if (!book.ok) return book;
  const price = book.data.prices.find((one) => one.kind === kind && one.model === model);
  if (!price) return { ok: false, error: { code: 'conflict', message: t`The price has changed. Look again.` } };
  const set = await call('prices.set', { profileId, price: { ...price, settledReading: reading } });
  if (set.ok) announce(t`Price set`);
  return set;
}

const FIRST = 8;

/** Lines that are in none of the totals. */
function NotRead({ statement: { unread } }: { statement: Statement }) {
  const [isWhole, setWhole] = useState(false);
  if (unread.count === 0) return null;
  const shown = isWhole ? unread.lines : unread.lines.slice(0, FIRST);
  return (
    <Section title={t`Not read, ${counted(unread.count, 'line')}`}>
      <ul className="stack mb anywhere">
        {shown.map(({ line, message }) => (
          <li key={line}>
            <b>{t`Line ${line}`}</b> {message}
          </li>
        ))}
      </ul>
      {shown.length < unread.lines.length && (
        <TextAction onClick={() => setWhole(true)}>{t`Show ${formatCount(unread.lines.length)}`}</TextAction>
      )}
      {isWhole && unread.count > unread.lines.length && (
        <p className="t3">{t`${counted(unread.count - unread.lines.length, 'more line')}`}</p>
      )}
    </Section>
  );
}

function AcceptClear({ statement }: { statement: Statement }) {
  const { clear, open } = statement;
  const { refusal, isBusy, run } = useAction();
  const off = clear.count === 0 ? (open === 0 ? t`All lines are decided.` : t`Decide each line.`) : undefined;
  const accept = async () => {
    if (off !== undefined || isBusy) return;
    const settled = await run(settleClear(statement));
    if (settled.ok) announce(t`${counted(clear.count, 'line')} applied`);
  };
  const bar = useRef<HTMLDivElement>(null);
  const kbd = useSpendChord(bar, () => void accept(), { isMain: true });
  return (
    <div className="sendbar" ref={bar}>
      <Refusal text={refusal} />
      <div className="row between">
        <span className="t2">{t`${counted(clear.count, 'clear line')}`}</span>
        <span className="t3">{t`${formatCount(open)} open`}</span>
      </div>
      <div className="row">
        <Button variant="primary" className="grow" off={off} busy={isBusy} kbd={kbd} onClick={() => void accept()}>
          {clear.count === 0 ? t`Accept clear lines` : t`Accept ${counted(clear.count, 'line')}`}
        </Button>
      </div>
      <WhyOff>{off}</WhyOff>
    </div>
  );
}
