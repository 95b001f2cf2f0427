import { useState } from 'react';
import type { CallInput } from '../../../shared/contract/contract.ts';
import type { KeptRow, NotKept } from '../../../shared/money/kept.ts';
import { t } from '../../../shared/text/texts.ts';
import { hashOf, useCall } from '../../app/index.ts';
import {
  type DateChoice,
  formatCount,
  formatSeconds,
  PriceTag,
  partText,
  plural,
  priceText,
  Reading,
  Segmented,
  TableHead,
  TextAction,
} from '../../ui/index.ts';
import { useNames } from './names.ts';
import styles from './spend.module.css';

type GroupBy = CallInput<'spend.kept'>['groupBy'];

const GROUPS = { project: t`Project`, model: t`Model`, month: t`Month` } as const satisfies Record<GroupBy, string>;
const GROUP_OPTIONS = Object.entries(GROUPS).map(([value, label]) => ({ value: value as GroupBy, label }));

interface KeptProps {
  /** Whose money, and when. */
  asked: Omit<CallInput<'spend.kept'>, 'groupBy'>;
  dates: DateChoice;
}

/** What a kept second and a kept picture cost: everything that was spent on clips, or on pictures, for each one kept. */
export function Kept({ asked, dates }: KeptProps) {
  const [groupBy, setGroupBy] = useState<GroupBy>('project');
  const read = useCall('spend.kept', { ...asked, groupBy }, { on: ['ledger.changed', 'job.changed'], debounceMs: 500 });
  const plainName = useNames(groupBy);
  const nameOf = (key: string) => plainName(key) || t`No model`;
  return (
    <section className={styles.kept} aria-labelledby="sp-kept">
      <div className="bar">
        <h2 id="sp-kept">{t`Price of what you kept`}</h2>
        <Segmented aria-label={t`Kept by`} options={GROUP_OPTIONS} value={groupBy} onValue={setGroupBy} />
        <span className="grow" />
        <span className="t3">{t`at the higher price`}</span>
      </div>
      {/* The keys of another grouping have other names. */}
      <Reading of={read.stale ? {} : read} rows={3}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p className={styles.waste}>{t`No images or clips were charged in this period.`}</p>
          ) : (
            <>
              <KeptTable head={GROUPS[groupBy]} rows={rows} nameOf={nameOf} />
              <Wasted rows={rows} nameOf={nameOf} groupBy={groupBy} dates={dates} />
            </>
          )
        }
      </Reading>
    </section>
  );
}

/** `25 s`, `4 pictures`, or both. */
const amountText = (seconds: number, images: number): string =>
  [seconds > 0 && formatSeconds(seconds), images > 0 && plural(images, 'picture')].filter(Boolean).join(', ') || '–';

interface RowsProps {
  rows: readonly KeptRow[];
  nameOf: (key: string) => string;
}

function KeptTable({ head, rows, nameOf }: RowsProps & { head: string }) {
  const hasUnpriced = rows.some(({ unpriced }) => unpriced > 0);
  return (
    <table className="tbl">
      <caption className="vh">{t`Price of what you kept by ${head.toLowerCase()}`}</caption>
      <TableHead
        heads={[
          head,
          [t`Made`, 'r'],
          [t`Kept`, 'r'],
          t`Share kept`,
          [t`Per kept second`, 'r'],
          [t`Per kept picture`, 'r'],
          hasUnpriced && [t`No price`, 'r', t`Jobs without a price. No figure counts them.`],
        ]}
      />
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <td>{nameOf(row.key)}</td>
            <td className="r t3">{amountText(row.madeSeconds, row.madeImages)}</td>
            <td className="r">{amountText(row.keptSeconds, row.keptImages)}</td>
            <td>
              <Share row={row} />
            </td>
            <td className="r">
              <Each nano={row.perKeptSecondNano} lowNano={row.perKeptSecondLowNano} />
            </td>
            <td className="r">
              <Each nano={row.perKeptImageNano} lowNano={row.perKeptImageLowNano} />
            </td>
            {hasUnpriced && <td className="r">{row.unpriced > 0 ? formatCount(row.unpriced) : '–'}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Each({ nano, lowNano }: { nano: number | undefined; lowNano: number | undefined }) {
  return nano === undefined ? <span className="t3">–</span> : <PriceTag nano={nano} lowNano={lowNano} as="most" />;
}

/** By what was spent, since seconds and pictures do not add up. */
function Share({ row }: { row: KeptRow }) {
  if (row.spentNano <= 0) return <span className="t3">–</span>;
  const percent = Math.round(((row.spentNano - row.notKeptNano) / row.spentNano) * 100);
  return (
    <>
      <span className={styles.kb} aria-hidden="true">
        <i style={{ width: `${percent}%` }} />
      </span>
      <span className="t3">{t`${percent} % of the money`}</span>
    </>
  );
}

const WHY: Record<NotKept, string> = {
  no: t`rated No`,
  maybe: t`rated Maybe`,
  none: t`not rated`,
  failed: t`without a result`,
};
const FIRST = 3;

/** What was paid for and is not kept, the most money first. */
function Wasted({ rows, nameOf, groupBy, dates }: RowsProps & { groupBy: GroupBy; dates: DateChoice }) {
  const [isWhole, setWhole] = useState(false);
  const wasteful = rows.filter(({ notKeptNano }) => notKeptNano > 0).sort((a, b) => b.notKeptNano - a.notKeptNano);
  const shown = isWhole ? wasteful : wasteful.slice(0, FIRST);
  if (wasteful.length === 0) return null;
  return (
    <ul className={styles.waste} aria-label={t`What was not kept`}>
      {shown.map((row) => (
        <li key={row.key}>
          <b>
            {t`${priceText(row.notKeptNano)} of ${possessive(nameOf(row.key))} ${priceText(row.spentNano)} was not kept:`}
          </b>{' '}
          {row.notKept
            .map(
              ({ verdict, seconds, images, nano }) =>
                `${amountText(seconds, images)} ${WHY[verdict]} (${partText(nano, row.unpriced)})`,
            )
            .join(', ')}
          .{' '}
          {row.key !== '' && (
            <a className="lnk" href={listedAt(groupBy, row.key, dates)}>
              {t`Show in the Library`}
            </a>
          )}
        </li>
      ))}
      {shown.length < wasteful.length && (
        <li>
          <TextAction onClick={() => setWhole(true)}>{t`Show all ${formatCount(wasteful.length)}`}</TextAction>
        </li>
      )}
    </ul>
  );
}

const possessive = (name: string): string => (name.endsWith('s') ? `${name}’` : `${name}’s`);

/** The Library, narrowed to what is not kept of this row. */
function listedAt(groupBy: GroupBy, key: string, { span, from, to }: DateChoice): string {
  const month = (day: string) => ({ span: 'own', from: `${key}-01`, to: day });
  const when = groupBy === 'month' ? month(lastDayOf(key)) : { span, from, to };
  return hashOf('library', { verdict: 'no,maybe,none', ...(groupBy === 'month' ? {} : { [groupBy]: key }), ...when });
}

/** The last day of a month `2026-11`: `2026-11-30`. */
function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return `${month}-${new Date(year, number, 0).getDate()}`;
}
