import type { MoneyTotals, TotalsRow } from '../../../shared/ledger.ts';
import { formatNano, type Nano } from '../../../shared/money.ts';
import { isPlayMoney } from '../../../shared/profile.ts';
import { formatLocale, t } from '../../../shared/texts.ts';
import { useStudio } from '../../app/index.ts';
import { formatCount, MoneyTriple, PriceTag, plural, priceText, TableHead } from '../../ui/index.ts';
import type { Side } from './side.ts';
import styles from './spend.module.css';

const today = new Intl.DateTimeFormat(formatLocale(), { weekday: 'long', day: 'numeric' });

/** Where each order in doubt stands with its ways out. */
const DOUBT_HREF = '#/queue?filter=doubt';

interface HeadProps {
  day: MoneyTotals | undefined;
  sum: MoneyTotals | undefined;
  now: number;
  /** The words of the second figure's time. */
  period: string;
  side: Pick<Side, 'play' | 'profileIds'>;
}

/** Three figures for today and for a period, what is open in doubt, and the least that is settled where a price is open. */
export function Head({ day, sum, now, period, side }: HeadProps) {
  return (
    <div className={styles.head}>
      <Period title={t`Today, ${today.format(now)}`} totals={day} />
      <div className={styles.v} />
      <Period title={period} totals={sum} />
      <span className="grow" />
      {!side.profileIds && <OpenDoubt play={side.play} />}
      {sum && sum.settledLowNano < sum.settledNano && (
        <div className={styles.rng}>
          <span className="t3">{t`Settled of this, at least`}</span>
          <b>{formatNano(sum.settledLowNano)}</b>
          <span className="t3">{t`by the cheaper readings`}</span>
        </div>
      )}
    </div>
  );
}

/** The three figures of a time; requests that none of them holds, since nobody knows their price, are counted beside. */
const Period = ({ title, totals }: { title: string; totals: MoneyTotals | undefined }) => (
  <div>
    <h2 className="lab">
      {title}
      {totals && totals.unpriced > 0 && (
        <span className={styles.unp}>{t`${formatCount(totals.unpriced)} unpriced`}</span>
      )}
    </h2>
    {totals && <MoneyTriple totals={totals} big doubtHref={DOUBT_HREF} />}
  </div>
);

/** All that is in doubt, of whichever day: the same number and the same money as in the status line and the doubt inbox. */
function OpenDoubt({ play }: { play: boolean }) {
  const doubt = useStudio(({ activeProfileId = '', queue }) =>
    isPlayMoney(activeProfileId) === play ? queue?.doubt : queue?.doubtElsewhere,
  );
  if (!doubt || doubt.count === 0) return null;
  return (
    <div className={`${styles.rng} ${styles.open}`}>
      <span className="t3">{t`In doubt now`}</span>
      <a className="in-doubt" href={DOUBT_HREF}>
        <b>{priceText(doubt.nano, doubt.nano, 'range', doubt.unpriced)}</b>
      </a>
      <span className="t3">{plural(doubt.count, 'case')}</span>
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
  const hasUnpriced = sum.unpriced > 0 || rows.some(({ unpriced }) => unpriced > 0);
  return (
    <table className="tbl">
      <caption className="vh">{t`Spend by ${head.toLowerCase()}`}</caption>
      <TableHead
        heads={[
          head,
          ...[t`Jobs`, t`Settled`, t`At least`, t`Reserved`, t`In doubt`].map((figure) => [figure, 'r'] as const),
          hasUnpriced && [t`Unpriced`, 'r', t`Requests whose price is not known: they are in none of these figures`],
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
      <td className="r">
        {settledNano === 0 && unpriced > 0 ? '–' : <PriceTag nano={settledNano} lowNano={settledLowNano} as="most" />}
      </td>
      <td className="r t3">{settledLowNano === settledNano ? '' : formatNano(settledLowNano)}</td>
      <td className="r t2">{orDash(reservedNano)}</td>
      <td className={`r ${uncertainNano > 0 ? 'in-doubt' : 't3'}`}>{orDash(uncertainNano)}</td>
      {hasUnpriced && <td className={`r ${unpriced > 0 ? '' : 't3'}`}>{unpriced > 0 ? formatCount(unpriced) : '–'}</td>}
    </tr>
  );
}
