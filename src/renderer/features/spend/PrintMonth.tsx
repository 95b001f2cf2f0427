import { ChevronLeft, ChevronRight, Printer } from 'lucide-react';
import { isPlayMoney } from '../../../shared/gateway/profile.ts';
import type { MoneyTotals, TotalsRow } from '../../../shared/money/ledger.ts';
import { formatNano } from '../../../shared/money/money.ts';
import type { PeriodReview } from '../../../shared/money/moneyCalls.ts';
import { t } from '../../../shared/text/texts.ts';
import { navigate, useCall, useNow, usePlace, useRoute, useShortcut, useStudio } from '../../app/index.ts';
import {
  Button,
  formatCount,
  formatStamp,
  Icon,
  IconButton,
  monthKey,
  monthLater,
  monthOf,
  partText,
  plural,
  priceText,
  Reading,
  rich,
  TableHead,
} from '../../ui/index.ts';
import { dayName, monthName } from './figures.ts';
import { useNames } from './names.ts';
import styles from './print.module.css';
import { ALL_REAL, useSide } from './side.ts';

const REFRESH = { on: ['ledger.changed'] } as const;

/** A month on paper: its sums by day, model, project and gateway, what is in doubt, corrections, and what has no price. */
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
  const go = (key: string) => navigate('spend', { month: key, gateway }, 'print');
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
        <IconButton label={t`The month before`} onClick={() => go(monthLater(month.from, -1))}>
          <Icon of={ChevronLeft} />
        </IconButton>
        <span>{name}</span>
        <IconButton label={t`The month after`} onClick={() => go(monthLater(month.from, 1))}>
          <Icon of={ChevronRight} />
        </IconButton>
        <span className="grow" />
        <Button variant="primary" onClick={() => window.print()}>
          <Icon of={Printer} />
          {t`Print`}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by key. */}
      <section className={`scroll ${styles.printScroll}`} data-panel tabIndex={0} aria-label={t`The sheet of ${name}`}>
        <Sheet asked={asked} name={name} whose={whose} play={play} now={now} />
      </section>
    </main>
  );
}

interface SheetProps {
  asked: { play: boolean; profileIds?: string[]; from: number; to: number };
  name: string;
  whose: string;
  play: boolean;
  now: number;
}

function Sheet({ asked, name, whose, play, now }: SheetProps) {
  const day = useCall('ledger.totals', { ...asked, groupBy: 'day' }, REFRESH);
  const model = useCall('ledger.totals', { ...asked, groupBy: 'model' }, REFRESH);
  const project = useCall('ledger.totals', { ...asked, groupBy: 'project' }, REFRESH);
  const gateway = useCall('ledger.totals', { ...asked, groupBy: 'gateway' }, REFRESH);
  const review = useCall('ledger.review', asked, REFRESH);
  const projectName = useNames('project');
  const gatewayName = useNames('gateway');
  const failed = [day, model, project, gateway, review].find(({ error }) => error)?.error;
  const all = [day, model, project, gateway].flatMap(({ data }) => data ?? []);
  // Sums of another month are never under this one's name.
  const isStale = [day, model, project, gateway, review].some(({ stale }) => stale);
  if (failed || isStale || !day.data || !review.data || all.length < 4)
    return <Reading of={{ error: failed }} rows={12} />;
  return (
    <article className={styles.sheet}>
      <header>
        <h1>{name}</h1>
        <p>
          {rich`${whose}${play && t`, test money of the sandbox: nothing of it is on a bill`}. As of ${formatStamp(now, now)}.`}
        </p>
      </header>
      <Figures sum={day.data.sum} />
      <Sums title={t`By gateway`} head={t`Gateway`} of={gateway.data} nameOf={gatewayName} />
      <Sums title={t`By project`} head={t`Project`} of={project.data} nameOf={projectName} />
      <Sums title={t`By model`} head={t`Model`} of={model.data} nameOf={(key) => key || t`no model`} />
      <Sums title={t`By day`} head={t`Day`} of={day.data} nameOf={(key) => dayName.format(new Date(`${key}T12:00`))} />
      <Doubts review={review.data} />
      <Corrections review={review.data} />
      <footer>
        {t`Charged, reserved and unconfirmed are counted separately. “At least” uses the lower price where the unit is not known. Requests without a price are counted, but in no sum.`}
      </footer>
    </article>
  );
}

function Figures({ sum }: { sum: MoneyTotals }) {
  const { settledNano, settledLowNano, reservedNano, uncertainNano, unpriced } = sum;
  const figures: [string, string][] = [
    [t`Charged`, partText(settledNano, unpriced, settledLowNano)],
    [t`At least`, partText(settledLowNano, unpriced)],
    [t`Reserved`, partText(reservedNano, unpriced)],
    [t`Unconfirmed`, partText(uncertainNano, unpriced)],
    [t`Without a price`, plural(unpriced, 'request')],
  ];
  return (
    <dl className={styles.sheetFigures}>
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface SumsProps {
  title: string;
  /** Of the first column. */
  head: string;
  of: { rows: readonly TotalsRow[]; sum: MoneyTotals } | undefined;
  nameOf: (key: string) => string;
}

function Sums({ title, head, of, nameOf }: SumsProps) {
  if (!of) return null;
  return (
    <section>
      <h2>{title}</h2>
      <table className={styles.sums} aria-label={title}>
        <TableHead heads={[head, t`Jobs`, t`Charged`, t`At least`, t`Reserved`, t`Unconfirmed`, t`No price`]} />
        <tbody>
          {of.rows.map((row) => (
            <Line key={row.key} name={nameOf(row.key)} jobs={formatCount(row.jobs)} totals={row} />
          ))}
        </tbody>
        <tfoot>
          <Line name={t`Together`} jobs="" totals={of.sum} />
        </tfoot>
      </table>
    </section>
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

interface ListedProps {
  title: string;
  /** Said where there is none. */
  none: string;
  /** What the amounts are of. */
  heads: readonly string[];
  rows: readonly { id: string; at: number; what: string; amounts: readonly string[] }[];
  /** Said of those that are not listed. */
  more: string | false;
}

const Listed = ({ title, none, heads, rows, more }: ListedProps) => (
  <section>
    <h2>{title}</h2>
    {rows.length === 0 ? (
      <p>{none}</p>
    ) : (
      <table className={styles.listed} aria-label={title}>
        <TableHead heads={[t`When`, t`What`, ...heads]} />
        <tbody>
          {rows.map(({ id, at, what, amounts }) => (
            <tr key={id}>
              <th scope="row">{formatStamp(at)}</th>
              <td className={styles.words}>{what}</td>
              {heads.map((head, index) => (
                <td key={head}>{amounts[index]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    )}
    {more && <p>{more}</p>}
  </section>
);

const Doubts = ({ review: { doubts, doubtCount } }: { review: PeriodReview }) => (
  <Listed
    title={t`Unconfirmed`}
    none={t`Nothing is unconfirmed.`}
    heads={[t`Unconfirmed`]}
    rows={doubts.map(({ jobId, at, kind, model, nano, unpriced }) => ({
      id: jobId,
      at,
      what: model || kind,
      amounts: [priceText(nano, nano, 'range', unpriced)],
    }))}
    more={doubtCount > doubts.length && t`${formatCount(doubtCount - doubts.length)} more are not listed.`}
  />
);

function Corrections({ review: { corrections, correctionCount } }: { review: PeriodReview }) {
  const rest = correctionCount - corrections.length;
  return (
    <Listed
      title={t`Corrections`}
      none={t`Nothing was corrected.`}
      heads={[t`Charged`, t`Unconfirmed`]}
      rows={corrections.map(({ id, at, kind, model, note, settledNano, uncertainNano }) => ({
        id: String(id),
        at,
        what: [model || kind, note].filter(Boolean).join(': '),
        amounts: [formatNano(settledNano), formatNano(uncertainNano)],
      }))}
      more={rest > 0 && t`${formatCount(rest)} earlier ones are not listed.`}
    />
  );
}
