import { TrendingUp } from 'lucide-react';
import { Fragment, useState } from 'react';
import { isPlayMoney } from '../../../../shared/gateway/profile.ts';
import type { Job } from '../../../../shared/jobs/job.ts';
import type { PriceMismatch } from '../../../../shared/money/ledger.ts';
import { formatNano, formatNanoRange } from '../../../../shared/money/money.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { evidenceOfJob, useCall, useNow } from '../../../app/index.ts';
import { ConfirmPriceDialog, risenPrice } from '../../../spending/index.ts';
import { Button, formatCount, formatWhen, Icon, KeyValue, priceText, Reading, TableHead } from '../../../ui/index.ts';
import styles from '../doubts.module.css';
import { nameOf, PriceDecisions } from './PriceDecisions.tsx';

/** Jobs stopped by stated costs, with the options; empty if everything agrees with the price book. */
export function PriceStops() {
  const { data, reload } = useCall('prices.mismatches', {}, { on: ['mismatch.changed', 'job.changed'] });
  const mismatches = data?.mismatches ?? [];
  if (mismatches.length === 0) return null;
  return (
    <section aria-label={t`Price decisions`}>
      <div className={`grp ${styles.opens}`}>
        <h3>{t`Price decisions`}</h3>
        <span className="t3">{formatCount(mismatches.length)}</span>
      </div>
      {mismatches.map((mismatch) => (
        <PriceStop key={mismatch.id} mismatch={mismatch} onChosen={reload} />
      ))}
    </section>
  );
}

/** The decision, shown once: our price and the gateway's, the waiting jobs, and the options. */
function PriceStop({ mismatch, onChosen }: { mismatch: PriceMismatch; onChosen: () => void }) {
  const { waiting, expectedNano, expectedLowNano, statedNano, statedBy, state } = mismatch;
  return (
    <article className="stack pad bottom-line" aria-label={t`Price of ${nameOf(mismatch)}`}>
      <div className="row between">
        <b className="cut">{nameOf(mismatch)}</b>
        <span className="t3">
          {state === 'disputed' ? t`Disputed, paused` : t`${counted(waiting.count, 'job')} waiting`}
        </span>
      </div>
      <KeyValue
        items={[
          [t`Expected`, formatNanoRange(expectedLowNano, expectedNano)],
          [
            t`Gateway`,
            <Fragment key="stated">
              {formatNano(statedNano)} <span className="mono t3">{statedBy}</span>
            </Fragment>,
          ],
        ]}
      />
      <PriceDecisions mismatch={mismatch} onChosen={onChosen} />
      <RequestsAtPrice mismatch={mismatch} />
      <a className="lnk" href={evidenceOfJob(mismatch.jobId)}>{t`Job record and letter`}</a>
    </article>
  );
}

/** The charges of the last requests at this price; read when opened. */
function RequestsAtPrice({ mismatch: { id } }: { mismatch: PriceMismatch }) {
  const [isOpen, setOpen] = useState(false);
  const read = useCall('prices.mismatch', isOpen ? { id } : null, { on: ['mismatch.changed'] });
  const now = useNow(60_000);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="t2">{t`Earlier requests`}</summary>
      {isOpen && (
        <Reading of={read} rows={4}>
          {({ made }) => (
            <table className="mini">
              <TableHead heads={[t`When`, [t`Expected`, 'r'], [t`Charged`, 'r'], t`Source`]} />
              <tbody>
                {made.map(({ jobId, at, expectedNano, nano, isStated }) => (
                  <tr key={jobId}>
                    <td>{formatWhen(at, now)}</td>
                    <td className="r">{formatNano(expectedNano)}</td>
                    <td className="r">{formatNano(nano)}</td>
                    <td>{isStated ? t`Gateway` : t`Price list`}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Reading>
      )}
    </details>
  );
}

/** The most jobs confirmed at once; the rest is offered afterwards. */
const MOST = 500;
const BLOCKED = { states: ['blocked' as const], order: 'queue' as const, limit: MOST };
/** Thousands of job changes cause one call. */
const REST_MS = 300;

/** Jobs waiting because their price rose: the confirmed price, the possible price now, and the action. Empty if there are none. */
export function RisenPrices() {
  const { data } = useCall('jobs.list', BLOCKED, { on: ['job.changed'], debounceMs: REST_MS });
  const risen = data?.jobs.filter(({ reason }) => reason === 'priceRose') ?? [];
  if (risen.length === 0) return null;
  const sides = [false, true].map((play) => risen.filter(({ profileId }) => isPlayMoney(profileId) === play));
  return (
    <section aria-label={t`Prices that rose`}>
      {sides.map((jobs) => jobs[0] && <RisenSide key={jobs[0].profileId} jobs={jobs} />)}
    </section>
  );
}

function RisenSide({ jobs }: { jobs: readonly Job[] }) {
  const [offered, setOffered] = useState(false);
  const { confirmedNano, now } = risenPrice(jobs);
  const was = formatNano(confirmedNano);
  const is = priceText(now.estimateNano, now.lowNano, 'range', now.unpriced);
  return (
    <div className="row pad bottom-line">
      <Icon of={TrendingUp} />
      <span className="grow">{t`${counted(jobs.length, 'job')} confirmed at ${was}. Price now: ${is}. Confirm it to send.`}</span>
      <Button onClick={() => setOffered(true)}>{t`Confirm price…`}</Button>
      {offered && <ConfirmPriceDialog jobs={jobs} onClose={() => setOffered(false)} />}
    </div>
  );
}
