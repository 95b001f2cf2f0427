import { useState } from 'react';
import type { CallInput } from '../../../shared/contract/contract.ts';
import type { KeptRow } from '../../../shared/money/costPerKept.ts';
import { t } from '../../../shared/text/texts.ts';
import { useCall } from '../../app/index.ts';
import {
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

type GroupBy = keyof typeof GROUPS;

const GROUPS = { project: t`Project`, model: t`Model` } as const;
const GROUP_OPTIONS = Object.entries(GROUPS).map(([value, label]) => ({ value: value as GroupBy, label }));

interface KeptProps {
  /** Side, gateways and period. */
  asked: Omit<CallInput<'spend.kept'>, 'groupBy'>;
}

/** The cost of a kept second and a kept picture: everything spent on clips, or on pictures, divided by what was kept. */
export function Kept({ asked }: KeptProps) {
  const [groupBy, setGroupBy] = useState<GroupBy>('project');
  const read = useCall('spend.kept', { ...asked, groupBy }, { on: ['ledger.changed', 'job.changed'], debounceMs: 500 });
  const plainName = useNames(groupBy);
  const nameOf = (key: string) => plainName(key) || t`No model`;
  return (
    <section className="mt top-line" aria-labelledby="sp-kept">
      <div className="bar">
        <h2 id="sp-kept">{t`Cost of what you kept`}</h2>
        <Segmented aria-label={t`Group kept by`} options={GROUP_OPTIONS} value={groupBy} onValue={setGroupBy} />
      </div>
      {/* Rows of the previous grouping have keys of another kind, so they are not shown with these names. */}
      <Reading of={read.stale ? {} : read} rows={3}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p className="pad t2">{t`No images or clips were charged in this period.`}</p>
          ) : (
            <KeptTable head={GROUPS[groupBy]} rows={rows} nameOf={nameOf} />
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
}

function KeptTable({ head, rows, nameOf }: KeptTableProps) {
  const hasUnpriced = rows.some(({ unpriced }) => unpriced > 0);
  return (
    <table className="tbl">
      <caption className="vh">{t`Cost of what you kept: ${head}`}</caption>
      <TableHead
        heads={[
          head,
          [t`Made`, 'r'],
          [t`Kept`, 'r'],
          [t`Per kept second`, 'r'],
          [t`Per kept picture`, 'r'],
          [t`Spent on the rest`, 'r'],
          hasUnpriced && [t`No price`, 'r', t`Not part of any total.`],
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
            <td className="r">{partText(row.notKeptNano, row.unpriced)}</td>
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
