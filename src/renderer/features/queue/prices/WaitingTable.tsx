import type { MismatchEvidence } from '../../../../shared/money/ledger.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { ROW_TITLE_LENGTH, useNow } from '../../../app/index.ts';
import { EmptyState, formatCount, Icon, TableHead } from '../../../ui/index.ts';
import { jobDetail } from '../JobRow.tsx';
import { useHeldUntil } from '../nightOfList.tsx';
import { useTitleOf } from '../takeNames.tsx';
import { waitOf } from '../waiting.ts';
import styles from './prices.module.css';

type Amount = (nano: number) => string;

/** What waits for the choice, at the price it was ordered at and at the stated one or the one that is kept, summed row by row; dashed where the caps end. */
export function WaitingTable({ evidence: { mismatch, waiting, leftNano } }: { evidence: MismatchEvidence }) {
  const { count, nowNano, thenNano } = mismatch.waiting;
  const ratio: Amount = (nano) => (mismatch.adopts || mismatch.keeps ? formatNano(nano) : t`not known`);
  if (count === 0) {
    return (
      <EmptyState
        title={t`Nothing waits for this price`}
      >{t`A later request at it waits here until you choose.`}</EmptyState>
    );
  }
  let together = 0;
  const rows = waiting.map((row) => {
    together += row.thenNano;
    return { ...row, together, isOver: leftNano !== undefined && together > leftNano };
  });
  const lastFits = rows.findLastIndex(({ isOver }) => !isOver);
  const isCut = rows.some(({ isOver }) => isOver);
  return (
    <div className="scroll">
      <table className={`tbl ${styles.stp}`}>
        <TableHead
          heads={[
            t`Waiting, ${counted(count, 'job')}`,
            t`State`,
            [t`As requested`, 'r'],
            [mismatch.keeps ? t`When it goes on` : t`At the stated price`, 'r'],
            [t`Together`, 'r'],
          ]}
        />
        <tbody>
          {rows.map((row, n) => (
            <WaitingRow key={row.job.id} row={row} isLast={isCut && n === lastFits} ratio={ratio} />
          ))}
          {count > rows.length && (
            <tr>
              <td colSpan={5} className="t3">
                {t`and ${formatCount(count - rows.length)} more`}
              </td>
            </tr>
          )}
          <tr className="sum">
            <td colSpan={2}>
              {t`All ${formatCount(count)}`}
              {leftNano !== undefined && (
                <span className="t3">
                  {' '}
                  {isCut
                    ? t`dashed: left under your limits, ${formatNano(leftNano)}`
                    : t`left under your limits, ${formatNano(leftNano)}`}
                </span>
              )}
            </td>
            <td className="r">{formatNano(nowNano)}</td>
            <td className="r">{ratio(thenNano)}</td>
            <td />
          </tr>
        </tbody>
      </table>
    </div>
  );
}

interface WaitingRowProps {
  row: MismatchEvidence['waiting'][number] & { together: number; isOver: boolean };
  /** Whether it is the last that fits under the caps. */
  isLast: boolean;
  ratio: Amount;
}

function WaitingRow({ row: { job, nowNano, thenNano, together, isOver }, isLast, ratio }: WaitingRowProps) {
  const titleOf = useTitleOf();
  const { icon, reason } = waitOf(job, { now: useNow(1_000), heldUntil: useHeldUntil(job.runId) });
  return (
    <tr className={isLast ? styles.capl : undefined}>
      <td className="max">
        <span className="row">
          <span className="cut">{titleOf(job, ROW_TITLE_LENGTH)}</span>
          <span className="t3 cut">{jobDetail(job)}</span>
        </span>
      </td>
      <td>
        <span className="row t2">
          <Icon of={icon} />
          {reason}
        </span>
      </td>
      <td className="r t2">{formatNano(nowNano)}</td>
      <td className="r">
        <span className="price">{ratio(thenNano)}</span>
      </td>
      <td className="r t2">
        {isOver && <span className="t3">{t`over`} </span>}
        {ratio(together)}
      </td>
    </tr>
  );
}
