import { useMemo, useState } from 'react';
import { isPlayMoney } from '../../../shared/gateway/profile.ts';
import type { MoneyTotals, TotalsRow } from '../../../shared/money/ledger.ts';
import { formatNano, type Nano } from '../../../shared/money/money.ts';
import { formatLocale, t } from '../../../shared/text/texts.ts';
import { evidenceOfMonth, MoneyPlate, navigate, useCall, useNow, usePlace, useRoute } from '../../app/index.ts';
import { ExportNote } from '../../media/ExportNote.tsx';
import { saveFile } from '../../media/saveText.ts';
import {
  ANY_DATE,
  Button,
  type DateChoice,
  DateFields,
  EmptyState,
  ledgerTimesOf,
  Panel,
  plural,
  Reading,
  Section,
  Segmented,
  Select,
  timesOf,
  wordsOfDates,
} from '../../ui/index.ts';
import { Budgets, dailyStop, SuggestedBudget, useBudgets } from './Budgets.tsx';
import { Chart } from './Chart.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { EvidencePage } from './evidence/EvidencePage.tsx';
import { barsOf, csvOf, everyDay, GROUPS, type GroupBy } from './figures.ts';
import { Kept } from './Kept.tsx';
import { useNames } from './names.ts';
import { Prices } from './Prices.tsx';
import { ALL_REAL, chooseDates, type Side, useAskedSide, useDates, useSide } from './side.ts';
import styles from './spend.module.css';
import { StatementPage } from './statement/StatementPage.tsx';
import { Head, TotalsTable } from './Totals.tsx';

/** The spending, or a subpage with its own address: a gateway's bill beside the ledger, the job records of a dispute. */
export function SpendPage() {
  const { part } = useRoute();
  if (part === 'evidence') return <EvidencePage />;
  return part === 'statement' ? <StatementPage /> : <Spending />;
}

const TODAY: DateChoice = { ...ANY_DATE, span: 'today' };
const REFRESH = { on: ['ledger.changed'] } as const;

/** Four totals, the daily budget, the days and the table; at the right the decisions: one price, budgets, a bill. */
function Spending() {
  usePlace('spend');
  const now = useNow(60_000);
  const dates = useDates();
  const [chosen, setGroupBy] = useState<GroupBy>('model');
  useAskedSide();
  const side = useSide();
  const groupBy = chosen === 'gateway' && !hasGateways(side) ? 'model' : chosen;
  const { play, profileIds } = side;
  const whose = { play, ...(profileIds ? { profileIds } : {}) };
  const today = useCall('ledger.totals', { ...whose, groupBy: 'day', ...ledgerTimesOf(TODAY, now) }, REFRESH);
  const period = { ...whose, ...ledgerTimesOf(dates, now) };
  const days = useCall('ledger.totals', { ...period, groupBy: 'day' }, REFRESH);
  const grouped = useCall('ledger.totals', groupBy === 'day' ? null : { ...period, groupBy }, REFRESH);
  const totals = groupBy === 'day' ? days : grouped;
  const budgets = useBudgets(side);
  const words = wordsOfDates(dates, now);
  const highest = Math.max(0, ...(days.data?.rows ?? []).map(({ settledNano }) => settledNano));
  return (
    <main data-page="spend" className={`page ${styles.spend}`}>
      <h1 className="vh">{t`Spend`}</h1>
      <section className="scroll" aria-label={t`Spend`} data-panel tabIndex={-1}>
        <SpendBar asked={period} now={now} groupBy={groupBy} rows={totals.data?.rows} dates={dates} side={side} />
        <Head today={today.data?.sum} sum={days.data?.sum} period={words} side={side} />
        <SuggestedBudget budgets={budgets} highest={highest} period={words} side={side} />
        <ExportNote />
        <Reading of={days} rows={6}>
          {({ rows }) => <Days rows={rows} dates={dates} now={now} cap={dailyStop(budgets.data)} />}
        </Reading>
        {days.data && days.data.rows.length > 0 && (
          <>
            <div className="bar top-line">
              <Segmented aria-label={t`Group by`} options={groupsOf(side)} value={groupBy} onValue={setGroupBy} />
            </div>
            <Reading of={totals} rows={6}>
              {({ rows, sum }) => <Table {...{ groupBy, rows, sum, now }} period={words} />}
            </Reading>
            <Kept asked={period} />
          </>
        )}
      </section>
      <Panel label={t`Budgets and prices`}>
        <div className="scroll">
          {/* Keyed by profile, since an open form belongs to the price book it was opened in. */}
          <Prices key={side.profileId} profileId={side.profileId}>
            <Budgets read={budgets} side={side} />
            <CheckABill profileId={side.profileId} />
          </Prices>
        </div>
      </Panel>
    </main>
  );
}

const HEADS: Record<GroupBy, string> = {
  model: t`Model`,
  project: t`Project`,
  day: t`Day`,
  gateway: t`Gateway`,
};

const hasGateways = ({ play, options }: Side): boolean => !play && options.length > 2;
const groupsOf = (side: Side) =>
  GROUPS.filter((value) => value !== 'gateway' || hasGateways(side)).map((value) => ({ value, label: HEADS[value] }));

interface SpendBarProps {
  asked: { play: boolean; profileIds?: string[]; from?: number; to?: number };
  now: number;
  groupBy: GroupBy;
  /** Undefined until loaded. */
  rows: readonly TotalsRow[] | undefined;
  dates: DateChoice;
  side: Side;
}

function SpendBar({ asked, now, groupBy, rows = [], dates, side }: SpendBarProps) {
  const save = () => saveFile(`dailies-spend-by-${groupBy}.csv`, csvOf(rows, groupBy), 'text/csv');
  const records = () => {
    window.location.hash = evidenceOfMonth(monthShown(dates), side.profileId);
  };
  return (
    <div className="bar">
      <Whose side={side} />
      <span className="grow" />
      <span className={`row ${styles.period}`}>
        <DateFields label={t`Period`} dates={dates} onDates={chooseDates} />
      </span>
      <ExportMenu
        asked={asked}
        period={wordsOfDates(dates, now)}
        onTable={save}
        onRecords={records}
        isEmpty={rows.length === 0}
      />
    </div>
  );
}

/** Chooses real or test money, and a gateway if there are several. */
function Whose({ side }: { side: Side }) {
  const { options, gateway, play, choose } = side;
  const real = options.filter(({ value }) => !isPlayMoney(value));
  const [test] = options.filter(({ value }) => isPlayMoney(value));
  if (real.length === 0)
    return (
      <>
        <MoneyPlate play />
        <span className="t2 cut">{t`Not part of your spend or budgets.`}</span>
      </>
    );
  const sides = [
    { value: 'real', label: t`Real money` },
    { value: 'test', label: t`Test money` },
  ] as const;
  return (
    <>
      <Segmented
        aria-label={t`Money`}
        options={test ? sides : sides.slice(0, 1)}
        value={play ? 'test' : 'real'}
        onValue={(next) => choose(next === 'test' && test ? test.value : ALL_REAL)}
      />
      {!play && real.length > 2 && (
        <span className={styles.gateway}>
          <Select aria-label={t`Gateway`} options={real} value={gateway} onValue={choose} />
        </span>
      )}
    </>
  );
}

/** A time in the month whose job records are opened: the last one of the period. */
function monthShown(dates: DateChoice): number {
  const now = Date.now();
  const { from = now, to = now + 1 } = timesOf(dates, now);
  return Math.min(now, Math.max(from, to - 1));
}

const dayName = new Intl.DateTimeFormat(formatLocale(), { weekday: 'short', day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(formatLocale(), { day: 'numeric', month: 'short', year: 'numeric' });
const monthOfYear = new Intl.DateTimeFormat(formatLocale(), { month: 'short', year: 'numeric' });

/** The days of the chart: the whole period, or from the first day with spending if it has no start. */
function daysOf(rows: readonly TotalsRow[], dates: DateChoice, now: number): TotalsRow[] {
  const { from, to = now + 1 } = timesOf(dates, now);
  const first = from ?? (rows[0] ? new Date(`${rows[0].key}T00:00`).getTime() : now);
  return everyDay(rows, first, Math.min(to - 1, now));
}

/** A day's label includes the year if the period may span several. */
const nameOfDay = (key: string, isOfThisYear: boolean): string =>
  (isOfThisYear ? dayName : dayOfYear).format(new Date(`${key}T12:00`));

/** Label of a bar: the day of the month, or the month. */
const labelOf = (key: string): string =>
  key.length === '2026-11'.length ? monthOfYear.format(new Date(`${key}-15T12:00`)) : String(Number(key.slice(-2)));

interface DaysProps {
  rows: readonly TotalsRow[];
  dates: DateChoice;
  now: number;
  /** The daily budget, nano-dollars. */
  cap: Nano | undefined;
}

/** Bars for the days of the period, or for its months if it is long. */
function Days({ rows, dates, now, cap }: DaysProps) {
  const days = useMemo(() => daysOf(rows, dates, now), [rows, dates, now]);
  const bars = useMemo(() => barsOf(days), [days]);
  const labels = useMemo(() => bars.map(({ key }) => labelOf(key)), [bars]);
  const isByDay = bars.length === days.length;
  const line = useMemo(
    () => (cap !== undefined && isByDay ? { nano: cap, name: t`Daily budget ${formatNano(cap)}` } : undefined),
    [cap, isByDay],
  );
  if (rows.length === 0)
    return <EmptyState title={t`Nothing spent in this period`}>{t`Jobs appear here once they are queued.`}</EmptyState>;
  return (
    <>
      <div className="bar">
        <h2>{isByDay ? t`By day` : t`By month`}</h2>
      </div>
      <Chart rows={bars} labels={labels} cap={line} label={isByDay ? t`By day` : t`By month`} />
    </>
  );
}

interface TableProps {
  groupBy: GroupBy;
  rows: readonly TotalsRow[];
  sum: MoneyTotals;
  now: number;
  period: string;
}

function Table({ groupBy, rows, sum, now, period }: TableProps) {
  const plainName = useNames(groupBy);
  const isOfThisYear = rows.every(({ key }) => key.startsWith(String(new Date(now).getFullYear())));
  const nameOf = (key: string) => (groupBy === 'day' ? nameOfDay(key, isOfThisYear) : plainName(key) || t`None`);
  const shown = groupBy === 'day' ? rows.toReversed() : rows;
  return <TotalsTable head={HEADS[groupBy]} rows={shown} sum={sum} nameOf={nameOf} period={period} />;
}

/** Links to a gateway's bill beside the ledger, and says when the last one was read. */
function CheckABill({ profileId }: { profileId: string | undefined }) {
  const { data } = useCall('statement.list', profileId === undefined ? null : { profileId });
  const last = data?.statements.toSorted((a, b) => b.readAt - a.readAt)[0];
  return (
    <Section>
      {last && <p className="t3">{t`Last bill: ${dayOfYear.format(last.readAt)}, ${plural(last.lines, 'line')}.`}</p>}
      <Button onClick={() => navigate('spend', {}, 'statement')}>{t`Check a bill`}</Button>
    </Section>
  );
}
