import type { MoneyTotals, TotalsRow } from '../../../shared/ledger.ts';
import { formatNano, type Nano } from '../../../shared/money.ts';
import { formatCount, MoneyTriple, PriceTag } from '../../ui/index.ts';

const month = new Intl.DateTimeFormat('en-GB', { month: 'long' });
const today = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric' });

/** Where each order in doubt stands with its ways out. */
const DOUBT_HREF = '#/queue?filter=doubt';

/** Three figures for today and for the month, and the least that is settled where a price is open. */
export function Head({ day, sum, now }: { day: MoneyTotals | undefined; sum: MoneyTotals | undefined; now: number }) {
  return (
    <div className="sp-head">
      <div>
        <h2 className="lab">Today, {today.format(now)}</h2>
        {day && <MoneyTriple totals={day} big doubtHref={DOUBT_HREF} />}
      </div>
      <div className="v" />
      <div>
        <h2 className="lab">{month.format(now)} so far</h2>
        {sum && <MoneyTriple totals={sum} big doubtHref={DOUBT_HREF} />}
      </div>
      <span className="grow" />
      {sum && sum.settledLowNano < sum.settledNano && (
        <div className="rng">
          <span className="t3">Settled this month, at least</span>
          <b>{formatNano(sum.settledLowNano)}</b>
          <span className="t3">by the cheaper readings</span>
        </div>
      )}
    </div>
  );
}

const orDash = (nano: Nano): string => (nano === 0 ? '–' : formatNano(nano));

/** The chart's twin: the same figures, readable without seeing. */
export function TotalsTable(props: {
  head: string;
  rows: readonly TotalsRow[];
  sum: MoneyTotals;
  nameOf: (key: string) => string;
  period: string;
}) {
  const { head, rows, sum, nameOf, period } = props;
  return (
    <table className="tbl">
      <caption className="vh">Spend by {head.toLowerCase()}</caption>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <th scope="col" className="r">
            Jobs
          </th>
          <th scope="col" className="r">
            Settled
          </th>
          <th scope="col" className="r">
            At least
          </th>
          <th scope="col" className="r">
            Reserved
          </th>
          <th scope="col" className="r">
            In doubt
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.key} name={nameOf(row.key)} jobs={formatCount(row.jobs)} totals={row} />
        ))}
        <Row name={period} jobs="" totals={sum} isSum />
      </tbody>
    </table>
  );
}

function Row({ name, jobs, totals, isSum }: { name: string; jobs: string; totals: MoneyTotals; isSum?: boolean }) {
  const { settledNano, settledLowNano, reservedNano, uncertainNano } = totals;
  return (
    <tr className={isSum ? 'sum' : undefined}>
      <td>{name}</td>
      <td className="r t3">{jobs}</td>
      <td className="r">
        <PriceTag nano={settledNano} lowNano={settledLowNano} as="most" />
      </td>
      <td className="r t3">{settledLowNano === settledNano ? '' : formatNano(settledLowNano)}</td>
      <td className="r t2">{orDash(reservedNano)}</td>
      <td className={`r ${uncertainNano > 0 ? 'in-doubt' : 't3'}`}>{orDash(uncertainNano)}</td>
    </tr>
  );
}
