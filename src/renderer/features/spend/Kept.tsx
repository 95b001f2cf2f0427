import { useState } from 'react';
import type { CallInput } from '../../../shared/contract/contract.ts';
import type { KeptRow } from '../../../shared/money/kept.ts';
import { formatNano } from '../../../shared/money/money.ts';
import { t } from '../../../shared/text/texts.ts';
import { hashOf, useCall } from '../../app/index.ts';
import {
  type DateChoice,
  formatCount,
  formatSeconds,
  PriceTag,
  partText,
  plural,
  Reading,
  Segmented,
  TableHead,
} from '../../ui/index.ts';
import { useNames } from './names.ts';

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
    <section className="mt top-line" aria-labelledby="sp-kept">
      <div className="bar">
        <h2 id="sp-kept">{t`Price of what you kept`}</h2>
        <Segmented aria-label={t`Kept by`} options={GROUP_OPTIONS} value={groupBy} onValue={setGroupBy} />
      </div>
      {/* The keys of another grouping have other names. */}
      <Reading of={read.stale ? {} : read} rows={3}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p className="pad t2">{t`No images or clips were charged in this period.`}</p>
          ) : (
            <KeptTable
              head={GROUPS[groupBy]}
              rows={rows}
              nameOf={nameOf}
              hrefOf={(key) => listedAt(groupBy, key, dates)}
            />
          )
        }
      </Reading>
    </section>
  );
}

/** `25 s`, `4 pictures`, or both. */
const amountText = (seconds: number, images: number): string =>
  [seconds > 0 && formatSeconds(seconds), images > 0 && plural(images, 'picture')].filter(Boolean).join(', ') || '–';

interface KeptTableProps {
  head: string;
  rows: readonly KeptRow[];
  nameOf: (key: string) => string;
  /** Where what is not kept is listed. */
  hrefOf: (key: string) => string;
}

function KeptTable({ head, rows, nameOf, hrefOf }: KeptTableProps) {
  const hasUnpriced = rows.some(({ unpriced }) => unpriced > 0);
  return (
    <table className="tbl">
      <caption className="vh">{t`Price of what you kept by ${head.toLowerCase()}`}</caption>
      <TableHead
        heads={[
          head,
          [t`Made`, 'r'],
          [t`Kept`, 'r'],
          [t`Per kept second`, 'r'],
          [t`Per kept picture`, 'r'],
          [t`Spent on the rest`, 'r'],
          hasUnpriced && [t`No price`, 'r', t`Jobs without a price. No figure counts them.`],
        ]}
      />
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <td>{nameOf(row.key)}</td>
            <td className="r t3">{amountText(row.madeSeconds, row.madeImages)}</td>
            <td className="r">{amountText(row.keptSeconds, row.keptImages)}</td>
            <td className="r">
              <Each nano={row.perKeptSecondNano} lowNano={row.perKeptSecondLowNano} />
            </td>
            <td className="r">
              <Each nano={row.perKeptImageNano} lowNano={row.perKeptImageLowNano} />
            </td>
            <td className="r">
              {row.key === '' || row.notKeptNano === 0 ? (
                partText(row.notKeptNano, row.unpriced)
              ) : (
                <a className="lnk" href={hrefOf(row.key)}>
                  {formatNano(row.notKeptNano)}
                </a>
              )}
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
