import { Printer } from 'lucide-react';
import { isPlayMoney } from '../../../shared/gateway/profile.ts';
import type { MoneyTotals, TotalsRow } from '../../../shared/money/ledger.ts';
import { t } from '../../../shared/text/texts.ts';
import { navigate, useCall, useNow, usePlace, useRoute, useShortcut, useStudio } from '../../app/index.ts';
import {
  Button,
  formatCount,
  formatStamp,
  Icon,
  monthKey,
  monthOf,
  partText,
  Reading,
  TableHead,
} from '../../ui/index.ts';
import { dayName, GROUPS, type GroupBy, monthName } from './figures.ts';
import { useNames } from './names.ts';
import styles from './print.module.css';
import { ALL_REAL, useSide } from './side.ts';

const REFRESH = { on: ['ledger.changed'] } as const;

/** A month on paper: its sums by day, model, project and gateway. */
export function PrintMonth() {
  const now = useNow(600_000);
  const { params } = useRoute();
  const month = monthOf(params.get('month')) ?? monthOf(monthKey(now)) ?? { from: now, to: now };
  const side = useSide();
  const gateway = params.get('gateway') ?? side.gateway;
  const play = isPlayMoney(gateway);
  const asked = { play, ...(gateway === ALL_REAL || play ? {} : { profileIds: [gateway] }), ...month };
  const profiles = useStudio((state) => state.profiles);
  const whose = gateway === ALL_REAL ? t`All gateways` : (profiles.find(({ id }) => id === gateway)?.name ?? gateway);
  const back = () => navigate('spend');
  usePlace('spend');
  useShortcut('page.leave', back);
  useShortcut('spend.print', () => window.print());
  const name = monthName.format(month.from);
  return (
    <main data-page="print" className={`page ${styles.printPage}`}>
      <div className={`bar ${styles.printBar}`}>
        <Button variant="ghost" onClick={back}>
          {t`Back to Spend`}
        </Button>
        <span className="grow" />
        <Button variant="primary" onClick={() => window.print()}>
          <Icon of={Printer} />
          {t`Print`}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by key. */}
      <section className={`scroll ${styles.printScroll}`} data-panel tabIndex={0} aria-label={name}>
        <article className={styles.sheet}>
          <h1>{name}</h1>
          <p>{play ? t`${whose}, test money, ${formatStamp(now, now)}` : t`${whose}, ${formatStamp(now, now)}`}</p>
          {GROUPS.map((groupBy) => (
            <Sums key={groupBy} asked={asked} groupBy={groupBy} />
          ))}
          <footer>{t`“At least” uses the lower price where the unit is not known. No sum has jobs without a price.`}</footer>
        </article>
      </section>
    </main>
  );
}

const TITLES: Record<GroupBy, readonly [title: string, head: string]> = {
  model: [t`By model`, t`Model`],
  project: [t`By project`, t`Project`],
  day: [t`By day`, t`Day`],
  gateway: [t`By gateway`, t`Gateway`],
};

interface SumsProps {
  asked: { play: boolean; profileIds?: string[]; from: number; to: number };
  groupBy: GroupBy;
}

function Sums({ asked, groupBy }: SumsProps) {
  const read = useCall('ledger.totals', { ...asked, groupBy }, REFRESH);
  const [title, head] = TITLES[groupBy];
  return (
    <section>
      <h2>{title}</h2>
      {/* Sums of another month are never under this one's name. */}
      <Reading of={read.stale ? {} : read} rows={3}>
        {({ rows, sum }) => (
          <table aria-label={title}>
            <TableHead heads={[head, t`Jobs`, t`Charged`, t`At least`, t`Reserved`, t`Unconfirmed`, t`No price`]} />
            <SumRows groupBy={groupBy} rows={rows} sum={sum} />
          </table>
        )}
      </Reading>
    </section>
  );
}

interface SumRowsProps {
  groupBy: GroupBy;
  rows: readonly TotalsRow[];
  sum: MoneyTotals;
}

function SumRows({ groupBy, rows, sum }: SumRowsProps) {
  const plainName = useNames(groupBy);
  const nameOf = (key: string) =>
    groupBy === 'day' ? dayName.format(new Date(`${key}T12:00`)) : plainName(key) || t`None`;
  return (
    <tbody>
      {rows.map((row) => (
        <Line key={row.key} name={nameOf(row.key)} jobs={formatCount(row.jobs)} totals={row} />
      ))}
      <Line name={t`Together`} jobs="" totals={sum} />
    </tbody>
  );
}

function Line({ name, jobs, totals }: { name: string; jobs: string; totals: MoneyTotals }) {
  const { settledNano, settledLowNano, reservedNano, uncertainNano, unpriced } = totals;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{jobs}</td>
      <td>{partText(settledNano, unpriced, settledLowNano)}</td>
      <td>{partText(settledLowNano, unpriced)}</td>
      <td>{partText(reservedNano, unpriced)}</td>
      <td>{partText(uncertainNano, unpriced)}</td>
      <td>{unpriced === 0 ? '' : formatCount(unpriced)}</td>
    </tr>
  );
}
