import './spend.css';
import { Download, ToyBrick } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { MoneyTotals, TotalsRow } from '../../../shared/ledger.ts';
import { useCall, useNow, useStudio } from '../../app/index.ts';
import { revokeLater } from '../../media/revokeLater.ts';
import {
  Button,
  CallError,
  EmptyState,
  Icon,
  LoadingBars,
  MoneySwatch,
  Panel,
  Segmented,
  Select,
  startOfDay,
} from '../../ui/index.ts';
import { Account } from './Account.tsx';
import { Budgets } from './Budgets.tsx';
import { Chart } from './Chart.tsx';
import { csvOf, everyDay, type GroupBy, startOfMonth } from './figures.ts';
import { Prices } from './Prices.tsx';
import { type Side, useSide } from './side.ts';
import { Head, TotalsTable } from './Totals.tsx';

/** Three figures, the days, the table; budgets and open prices at the right, since they are acted on. */
export function SpendPage() {
  const now = useNow(60_000);
  const today = startOfDay(now);
  const month = startOfMonth(now);
  const [groupBy, setGroupBy] = useState<GroupBy>('day');
  const side = useSide();
  const { play, profileIds } = side;
  const whose = { play, ...(profileIds ? { profileIds } : {}) };
  const refresh = { on: ['ledger.changed'] } as const;
  const day = useCall('ledger.totals', { ...whose, groupBy: 'day', from: today }, refresh);
  const totals = useCall('ledger.totals', { ...whose, groupBy, from: month }, refresh);
  return (
    <main className="page spend">
      <h1 className="vh">Spend</h1>
      <section className="sp-main scroll" aria-label="Spend" data-panel tabIndex={-1}>
        {play && <PlayNote />}
        <Head day={day.data?.sum} sum={totals.data?.sum} now={now} side={side} />
        <SpendBar groupBy={groupBy} onGroup={setGroupBy} rows={totals.data?.rows ?? []} side={side} />
        {totals.loading && (
          <div className="pad">
            <LoadingBars rows={6} media={false} label="Reading the ledger" />
          </div>
        )}
        {totals.error && !totals.data && (
          <div className="pad">
            <CallError error={totals.error} onRetry={totals.reload} />
          </div>
        )}
        {totals.data && (
          <Figures
            groupBy={groupBy}
            rows={totals.data.rows}
            sum={totals.data.sum}
            month={month}
            now={now}
            isActive={side.isActive}
          />
        )}
      </section>
      <Panel label="Budgets and prices" className="side">
        <div className="scroll">
          <Account profileId={side.profileId} />
          <Budgets side={side} />
          <Prices profileId={side.profileId} />
        </div>
      </Panel>
    </main>
  );
}

/** Nobody may take it for a bill. */
function PlayNote() {
  return (
    <p className="play-note" role="note">
      <Icon of={ToyBrick} />
      <span>
        <b>Play money of the sandbox.</b> Nothing of it is on a bill, and it is in none of your real sums and budgets.
      </span>
    </p>
  );
}

const HEADS: Record<GroupBy, string> = { day: 'Day', model: 'Model', kind: 'Kind', project: 'Project' };

interface SpendBarProps {
  groupBy: GroupBy;
  onGroup: (next: GroupBy) => void;
  rows: readonly TotalsRow[];
  side: Side;
}

function SpendBar({ groupBy, onGroup, rows, side }: SpendBarProps) {
  const options = (Object.keys(HEADS) as GroupBy[]).map((value) => ({ value, label: HEADS[value] }));
  const save = () => {
    const file = new Blob([csvOf(rows, groupBy)], { type: 'text/csv' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = `dailies-spend-by-${groupBy}.csv`;
    link.click();
    revokeLater(link.href);
  };
  return (
    <div className="bar">
      <Segmented aria-label="Group by" options={options} value={groupBy} onValue={onGroup} />
      {side.options.length > 1 && (
        <span className="sp-gateway">
          <Select aria-label="Gateway" options={side.options} value={side.gateway} onValue={side.choose} />
        </span>
      )}
      <span className="grow" />
      <span className="row legend">
        <span>
          <MoneySwatch of="settled" />
          Settled
        </span>
        <span>
          <MoneySwatch of="reserved" />
          Reserved
        </span>
        <span>
          <MoneySwatch of="doubt" />
          In doubt
        </span>
      </span>
      <Button variant="ghost" onClick={save} off={rows.length === 0 ? 'There is nothing to export yet.' : undefined}>
        <Icon of={Download} />
        CSV
      </Button>
    </div>
  );
}

interface FiguresProps {
  groupBy: GroupBy;
  rows: readonly TotalsRow[];
  sum: MoneyTotals;
  month: number;
  now: number;
  /** The caps that are known are those of the active side. */
  isActive: boolean;
}

const dayName = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long' });

function Figures({ groupBy, rows, sum, month, now, isActive }: FiguresProps) {
  const projects = useStudio((state) => state.projects);
  const ownCap = useStudio((state) => state.budgets.find(({ scope }) => scope === 'day')?.hardNano);
  const cap = isActive ? ownCap : undefined;
  const shown = useMemo(() => (groupBy === 'day' ? everyDay(rows, month, now) : rows), [groupBy, rows, month, now]);
  const nameOf = (key: string) =>
    groupBy === 'day'
      ? dayName.format(new Date(`${key}T12:00`))
      : groupBy === 'project'
        ? (projects.find(({ id }) => id === key)?.name ?? 'No project')
        : key || 'none';
  const labels = useMemo(
    () =>
      shown.map(({ key }) => {
        if (groupBy === 'day') return String(Number(key.slice(-2)));
        return groupBy === 'project' ? (projects.find(({ id }) => id === key)?.name ?? 'No project') : key;
      }),
    [shown, groupBy, projects],
  );
  const dayCap = useMemo(
    () => (groupBy === 'day' && cap !== undefined ? { nano: cap, name: 'day cap' } : undefined),
    [groupBy, cap],
  );
  if (rows.length === 0) {
    return (
      <EmptyState title="Nothing spent this month">
        Every job is written here with its price when it is queued, and settles when it is done.
      </EmptyState>
    );
  }
  return (
    <>
      <Chart rows={shown} labels={labels} cap={dayCap} label={`Spend by ${groupBy}`} />
      <TotalsTable
        head={HEADS[groupBy]}
        rows={groupBy === 'day' ? [...rows].reverse() : rows}
        sum={sum}
        nameOf={nameOf}
        period={monthName.format(now)}
      />
    </>
  );
}
