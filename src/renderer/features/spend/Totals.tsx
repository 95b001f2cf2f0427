import type { ReactNode } from 'react';
import { isPlayMoney } from '../../../shared/gateway/profile.ts';
import type { MoneyTotals, TotalsRow } from '../../../shared/money/ledger.ts';
import { formatNano, formatNanoRange, type Nano } from '../../../shared/money/money.ts';
import { t } from '../../../shared/text/texts.ts';
import { useStudio } from '../../app/index.ts';
import { formatCount, partText, plural, priceText, TableHead } from '../../ui/index.ts';
import type { Side } from './side.ts';
import styles from './spend.module.css';

/** The page with the options for each unconfirmed job. */
const UNCONFIRMED_HREF = '#/queue?filter=doubt';

interface HeadProps {
  today: MoneyTotals | undefined;
  /** Totals of the period. */
  sum: MoneyTotals | undefined;
  period: string;
  side: Pick<Side, 'play' | 'profileIds'>;
}

/** Four amounts that are never added up. */
export function Head({ today, sum, period, side }: HeadProps) {
  return (
    <dl className={styles.head}>
      <Charged title={t`Charged today`} totals={today} />
      <Charged title={t`Charged, ${period}`} totals={sum} />
      <Figure texture="r" title={t`Reserved`}>
        {sum && partText(sum.reservedNano, sum.unpriced)}
      </Figure>
      <Unconfirmed sum={sum} side={side} />
    </dl>
  );
}

interface FigureProps {
  texture: 's' | 'r' | 'd';
  title: string;
  note?: ReactNode;
  children: ReactNode;
}

const Figure = ({ texture, title, note, children }: FigureProps) => (
  <div>
    <dt>
      <i className={`sw ${texture}`} aria-hidden="true" />
      {title}
    </dt>
    <dd className={styles.figure}>{children ?? '\u00a0'}</dd>
    <dd className="t2">{note}</dd>
  </div>
);

/** At the higher price, with the lower one below. Jobs without a price are in neither amount and are counted. */
function Charged({ title, totals }: { title: string; totals: MoneyTotals | undefined }) {
  const { settledNano = 0, settledLowNano = 0, unpriced = 0 } = totals ?? {};
  const notes = [
    settledLowNano < settledNano && t`At least ${formatNano(settledLowNano)}`,
    unpriced > 0 && t`${plural(unpriced, 'job')} without a price`,
  ];
  return (
    <Figure texture="s" title={title} note={notes.filter(Boolean).join(', ')}>
      {totals &&
        (settledNano === 0 && unpriced > 0
          ? '–'
          : `${settledLowNano < settledNano ? '≤ ' : ''}${formatNano(settledNano)}`)}
    </Figure>
  );
}

/** Everything unconfirmed now, whenever it was sent, as in the status line. For a single gateway: the amount of the period. */
function Unconfirmed({ sum, side }: Pick<HeadProps, 'sum' | 'side'>) {
  const open = useStudio(({ activeProfileId = '', queue }) =>
    isPlayMoney(activeProfileId) === side.play ? queue?.doubt : queue?.doubtElsewhere,
  );
  const all = side.profileIds ? undefined : open;
  const { nano, unpriced } = all ?? { nano: sum?.uncertainNano ?? 0, unpriced: 0 };
  const isNone = nano === 0 && unpriced === 0;
  return (
    <Figure texture="d" title={t`Unconfirmed`} note={all && !isNone && plural(all.count, 'job')}>
      {isNone ? (
        formatNano(0)
      ) : (
        <a className="in-doubt" href={UNCONFIRMED_HREF}>
          {priceText(nano, nano, 'range', unpriced)}
        </a>
      )}
    </Figure>
  );
}

const orDash = (nano: Nano): string => (nano === 0 ? '–' : formatNano(nano));

/** The same numbers as the chart, for screen readers. */
export function TotalsTable(props: {
  head: string;
  rows: readonly TotalsRow[];
  sum: MoneyTotals;
  nameOf: (key: string) => string;
  period: string;
}) {
  const { head, rows, sum, nameOf, period } = props;
  const hasUnpriced = sum.unpriced > 0 || rows.some(({ unpriced }) => unpriced > 0);
  return (
    <table className="tbl">
      <caption className="vh">{t`Spend: ${head}`}</caption>
      <TableHead
        heads={[
          head,
          ...[t`Jobs`, t`Charged`, t`Reserved`, t`Unconfirmed`].map((figure) => [figure, 'r'] as const),
          hasUnpriced && [t`No price`, 'r', t`Not part of any total.`],
        ]}
      />
      <tbody>
        {rows.map((row) => (
          <Row
            key={row.key}
            name={nameOf(row.key)}
            jobs={formatCount(row.jobs)}
            totals={row}
            hasUnpriced={hasUnpriced}
          />
        ))}
        <Row name={period} jobs="" totals={sum} hasUnpriced={hasUnpriced} isSum />
      </tbody>
    </table>
  );
}

interface RowProps {
  name: string;
  jobs: string;
  totals: MoneyTotals;
  hasUnpriced: boolean;
  isSum?: boolean;
}

function Row({ name, jobs, totals, hasUnpriced, isSum }: RowProps) {
  const { settledNano, settledLowNano, reservedNano, uncertainNano, unpriced } = totals;
  return (
    <tr className={isSum ? 'sum' : undefined}>
      <td>{name}</td>
      <td className="r t3">{jobs}</td>
      <td className="r">{settledNano === 0 && unpriced > 0 ? '–' : formatNanoRange(settledLowNano, settledNano)}</td>
      <td className="r t2">{orDash(reservedNano)}</td>
      <td className={`r ${uncertainNano > 0 ? 'in-doubt' : 't3'}`}>{orDash(uncertainNano)}</td>
      {hasUnpriced && <td className={`r ${unpriced > 0 ? '' : 't3'}`}>{unpriced > 0 ? formatCount(unpriced) : '–'}</td>}
    </tr>
  );
}
