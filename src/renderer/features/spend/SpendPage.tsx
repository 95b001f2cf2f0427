import { FileCheck, ReceiptText, RefreshCw, ToyBrick } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { MoneyTotals, TotalsRow } from '../../../shared/ledger.ts';
import { formatNano } from '../../../shared/money.ts';
import { formatLocale, t } from '../../../shared/texts.ts';
import { evidenceOfMonth, navigate, useCall, useNow, usePlace, useRoute, useStudio } from '../../app/index.ts';
import { ExportNote } from '../../media/ExportNote.tsx';
import { saveFile } from '../../media/saveText.ts';
import {
  ANY_DATE,
  Button,
  type DateChoice,
  DateFields,
  EmptyState,
  formatClock,
  Icon,
  IconButton,
  ledgerTimesOf,
  MoneyLegend,
  Panel,
  Reading,
  Segmented,
  Select,
  timesOf,
  wordsOfDates,
} from '../../ui/index.ts';
import { Budgets } from './Budgets.tsx';
import { Chart } from './Chart.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { EvidencePage } from './evidence/EvidencePage.tsx';
import { barsOf, csvOf, dayName, everyDay, type GroupBy } from './figures.ts';
import { Kept } from './Kept.tsx';
import { useNames } from './names.ts';
import { Prices } from './Prices.tsx';
import { PrintMonth } from './PrintMonth.tsx';
import { chooseDates, type Side, useAskedSide, useDates, useSide } from './side.ts';
import styles from './spend.module.css';
import { StatementPage } from './statement/StatementPage.tsx';
import { Head, TotalsTable } from './Totals.tsx';

/** What was spent, or a part with an address of its own: a gateway's bill beside the ledger, the evidence of a dispute, a month on paper. */
export function SpendPage() {
  const { part } = useRoute();
  if (part === 'evidence') return <EvidencePage />;
  if (part === 'statement') return <StatementPage />;
  return part === 'print' ? <PrintMonth /> : <Spending />;
}

const TODAY: DateChoice = { ...ANY_DATE, span: 'today' };

/** Three figures, the days, the table; budgets and open prices at the right, since they are acted on. */
function Spending() {
  usePlace('spend');
  const now = useNow(60_000);
  const dates = useDates();
  const [groupBy, setGroupBy] = useState<GroupBy>('day');
  useAskedSide();
  const side = useSide();
  const { play, profileIds } = side;
  const whose = { play, ...(profileIds ? { profileIds } : {}) };
  const refresh = { on: ['ledger.changed'] } as const;
  const day = useCall('ledger.totals', { ...whose, groupBy: 'day', ...ledgerTimesOf(TODAY, now) }, refresh);
  const period = { ...whose, ...ledgerTimesOf(dates, now) };
  const totals = useCall('ledger.totals', { ...period, groupBy }, refresh);
  return (
    <main data-page="spend" className={`page ${styles.spend}`}>
      <h1 className="vh">{t`Spend`}</h1>
      <section className="scroll" aria-label={t`Spend`} data-panel tabIndex={-1}>
        {play && <PlayNote />}
        <Head day={day.data?.sum} sum={totals.data?.sum} now={now} period={wordsOfDates(dates, now)} side={side} />
        <SpendBar
          asked={period}
          now={now}
          groupBy={groupBy}
          onGroup={setGroupBy}
          rows={totals.data?.rows ?? []}
          dates={dates}
          side={side}
        />
        <ExportNote />
        <Reading of={totals} rows={6} label={t`Reading the ledger`}>
          {({ rows, sum }) => <Figures {...{ groupBy, rows, sum, dates, now }} isActive={side.isActive} />}
        </Reading>
        <Kept asked={period} dates={dates} />
      </section>
      <Panel label={t`Budgets and prices`}>
        <div className="scroll">
          <Account profileId={side.profileId} />
          <Budgets side={side} />
          {/* What is open, or being written, is of the book that it was opened in. */}
          <Prices key={side.profileId} profileId={side.profileId} />
        </div>
      </Panel>
    </main>
  );
}

/** Nobody may take it for a bill. */
const PlayNote = () => (
  <p className={styles.playNote} role="note">
    <Icon of={ToyBrick} />
    <span>
      <b>{t`Test money of the sandbox.`}</b>{' '}
      {t`Nothing of it is on a bill, and it is in none of your real sums and budgets.`}
    </span>
  </p>
);

const HEADS: Record<GroupBy, string> = {
  day: t`Day`,
  model: t`Model`,
  kind: t`Kind`,
  project: t`Project`,
  gateway: t`Gateway`,
};

interface SpendBarProps {
  asked: { play: boolean; profileIds?: string[]; from?: number; to?: number };
  now: number;
  groupBy: GroupBy;
  onGroup: (next: GroupBy) => void;
  rows: readonly TotalsRow[];
  dates: DateChoice;
  side: Side;
}

function SpendBar({ asked, now, groupBy, onGroup, rows, dates, side }: SpendBarProps) {
  const options = (Object.keys(HEADS) as GroupBy[]).map((value) => ({ value, label: HEADS[value] }));
  const save = () => saveFile(`dailies-spend-by-${groupBy}.csv`, csvOf(rows, groupBy), 'text/csv');
  return (
    <div className={`bar ${styles.spBar}`}>
      <Segmented aria-label={t`Group by`} options={options} value={groupBy} onValue={onGroup} />
      <span className={styles.period}>
        <DateFields label={t`Period`} dates={dates} onDates={chooseDates} />
      </span>
      {side.options.length > 1 && (
        <span className={styles.gateway}>
          <Select aria-label={t`Gateway`} options={side.options} value={side.gateway} onValue={side.choose} />
        </span>
      )}
      <span className="grow" />
      <MoneyLegend />
      <Button variant="ghost" onClick={() => navigate('spend', {}, 'statement')}>
        <Icon of={ReceiptText} />
        {t`Statement`}
      </Button>
      <Button
        variant="ghost"
        onClick={() => {
          window.location.hash = evidenceOfMonth(monthShown(dates), side.profileId);
        }}
        off={rows.length === 0 ? t`Nothing was sent in this time.` : undefined}
      >
        <Icon of={FileCheck} />
        {t`Evidence`}
      </Button>
      <ExportMenu
        asked={asked}
        period={wordsOfDates(dates, now)}
        gateway={side.gateway}
        now={now}
        onTable={save}
        isEmpty={rows.length === 0}
      />
    </div>
  );
}

/** A moment of the month whose evidence is opened: the last one of the time that is looked at. */
function monthShown(dates: DateChoice): number {
  const now = Date.now();
  const { from = now, to = now + 1 } = timesOf(dates, now);
  return Math.min(now, Math.max(from, to - 1));
}

interface FiguresProps {
  groupBy: GroupBy;
  rows: readonly TotalsRow[];
  sum: MoneyTotals;
  dates: DateChoice;
  now: number;
  /** The caps that are known are those of the active side. */
  isActive: boolean;
}

const dayOfYear = new Intl.DateTimeFormat(formatLocale(), { day: 'numeric', month: 'short', year: 'numeric' });
const monthOfYear = new Intl.DateTimeFormat(formatLocale(), { month: 'short', year: 'numeric' });

/** The days of the chart: all of the period, or from the first one with spending where it has no beginning. */
function daysOf(rows: readonly TotalsRow[], dates: DateChoice, now: number): TotalsRow[] {
  const { from, to = now + 1 } = timesOf(dates, now);
  const first = from ?? (rows[0] ? new Date(`${rows[0].key}T00:00`).getTime() : now);
  return everyDay(rows, first, Math.min(to - 1, now));
}

/** A day's name has its year where the period may hold another one. */
const nameOfDay = (key: string, isOfThisYear: boolean): string =>
  (isOfThisYear ? dayName : dayOfYear).format(new Date(`${key}T12:00`));

/** Under a bar: the day of the month, or the month. */
const labelOf = (key: string): string =>
  key.length === '2026-11'.length ? monthOfYear.format(new Date(`${key}-15T12:00`)) : String(Number(key.slice(-2)));

function Figures({ groupBy, rows, sum, dates, now, isActive }: FiguresProps) {
  const ownCap = useStudio((state) => state.budgets.find(({ scope }) => scope === 'day')?.hardNano);
  const days = useMemo(() => (groupBy === 'day' ? daysOf(rows, dates, now) : undefined), [groupBy, rows, dates, now]);
  const bars = useMemo(() => (days ? barsOf(days) : rows), [days, rows]);
  const isByDay = days !== undefined && bars.length === days.length;
  const cap = isActive && isByDay ? ownCap : undefined;
  const isOfThisYear = rows.every(({ key }) => key.startsWith(String(new Date(now).getFullYear())));
  const plainName = useNames(groupBy);
  const nameOf = (key: string) => (groupBy === 'day' ? nameOfDay(key, isOfThisYear) : plainName(key) || 'none');
  const labels = useMemo(
    () => bars.map(({ key }) => (groupBy === 'day' ? labelOf(key) : plainName(key))),
    [bars, groupBy, plainName],
  );
  const dayCap = useMemo(() => (cap !== undefined ? { nano: cap, name: t`day cap` } : undefined), [cap]);
  if (rows.length === 0) {
    return (
      <EmptyState title={t`Nothing was spent in this time`}>
        {t`Every job is written here with its price when it is queued, and settles when it is done.`}
      </EmptyState>
    );
  }
  return (
    <>
      <Chart rows={bars} labels={labels} cap={dayCap} label={t`Spend by ${groupBy}`} />
      <TotalsTable
        head={HEADS[groupBy]}
        rows={groupBy === 'day' ? [...rows].reverse() : rows}
        sum={sum}
        nameOf={nameOf}
        period={wordsOfDates(dates, now)}
      />
    </>
  );
}

/** What the service says is left; nothing where it does not say. */
export function Account({ profileId }: { profileId: string | undefined }) {
  const profile = useStudio((state) => state.profiles.find(({ id }) => id === profileId));
  const asked = profile && !profile.builtin && profile.key !== null ? { id: profile.id } : null;
  const { data, stale, reload } = useCall('profiles.balance', asked);
  // What another gateway has said is not under this one's name.
  if (!asked || !data || stale || data.balanceNano === null) return null;
  return (
    <>
      <div className="bar">
        <h2>{t`Account`}</h2>
        <span className="grow" />
        <IconButton label={t`Ask the service again`} onClick={reload}>
          <Icon of={RefreshCw} />
        </IconButton>
      </div>
      <div className="sec row between">
        <b className="nums">{t`${formatNano(data.balanceNano)} left`}</b>
        <span className="t3 cut">{t`says ${profile?.name}, ${formatClock(data.at)}`}</span>
      </div>
    </>
  );
}
