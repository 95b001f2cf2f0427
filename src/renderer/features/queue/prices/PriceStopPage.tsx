import type { MismatchEvidence, PriceMismatch } from '../../../../shared/money/ledger.ts';
import { ALLOWED_APART } from '../../../../shared/money/ledger.ts';
import { formatNano, formatNanoRange } from '../../../../shared/money/money.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { BackButton, evidenceOfJob, navigate, useCall, usePlace } from '../../../app/index.ts';
import { Figure, formatClock, formatClockSeconds, formatCount, KeyValue, Panel, Reading } from '../../../ui/index.ts';
import queueStyles from '../queue.module.css';
import { nameOf, PriceDecisions } from './PriceDecisions.tsx';
import { PriceLine } from './PriceLine.tsx';
import { MismatchHistory, StoppedBy } from './PriceStops.tsx';
import pricesStyles from './prices.module.css';
import { WaitingTable } from './WaitingTable.tsx';

const leave = (): void => navigate('queue');

/** One price that an answer did not agree with: expected beside stated, every order before it, what waits, and the three ways on. */
export function PriceStopPage({ id }: { id: string }) {
  const read = useCall('prices.mismatch', { id }, { on: ['mismatch.changed', 'job.changed'] });
  const { data, reload } = read;
  usePlace('prices');
  return (
    <main data-page="price-stop" className={`page ${pricesStyles.priceStop}`}>
      <h1 className="vh">{t`A price that does not agree`}</h1>
      <section className="col" aria-label={t`Job record`} data-panel tabIndex={-1}>
        <Head mismatch={data?.mismatch} />
        <Reading of={read} rows={6}>
          {(evidence) => <Evidence evidence={evidence} />}
        </Reading>
      </section>
      {data && <Choice mismatch={data.mismatch} onChosen={reload} />}
    </main>
  );
}

const Head = ({ mismatch }: { mismatch: PriceMismatch | undefined }) => (
  <div className="bar">
    <BackButton onLeave={leave}>{t`Queue`}</BackButton>
    {mismatch && (
      <>
        <h2 className="cut">{t`Price of ${nameOf(mismatch)}`}</h2>
        <span className="t3 cut">{t`not the book’s since ${formatClock(mismatch.at)}`}</span>
      </>
    )}
  </div>
);

function Evidence({ evidence }: { evidence: MismatchEvidence }) {
  const { mismatch, made } = evidence;
  return (
    <>
      <PriceDifference evidence={evidence} />
      <div className="bar sub">
        <h2>{t`Job by job`}</h2>
        <span className="t3">{t`the last ${counted(made.length, 'request')}, what each was charged`}</span>
        <span className="grow" />
        <span className="row legend t2" aria-hidden="true">
          <span>
            <i className={pricesStyles.lgStated} />
            {t`stated`}
          </span>
          <span>
            <i className={pricesStyles.lgBook} />
            {t`by the price book`}
          </span>
        </span>
      </div>
      <PriceLine made={made} mismatch={mismatch} />
      <div className="grp">
        {t`Stopped`}
        <span className="t3">
          {mismatch.runId === undefined
            ? t`${nameOf(mismatch)}; other models go on`
            : t`${nameOf(mismatch)} and its overnight run; other models go on`}
        </span>
      </div>
      <WaitingTable evidence={evidence} />
    </>
  );
}

/** The two figures that do not agree, and how far they are apart. */
function PriceDifference({ evidence: { mismatch, made } }: { evidence: MismatchEvidence }) {
  const { expectedNano, expectedLowNano, statedNano, statedBy, at } = mismatch;
  const apart = statedNano - expectedNano;
  const stated = made.filter(({ isStated }) => isStated).length;
  return (
    <dl className={`figbar ${pricesStyles.stf}`}>
      <Figure name={t`Expected`} value={formatNanoRange(expectedLowNano, expectedNano)}>{t`by the price book`}</Figure>
      <Figure className={pricesStyles.unlike} name={t`Stated`} value={formatNano(statedNano)}>
        <span className="mono">{statedBy}</span>, {formatClockSeconds(at)}
      </Figure>
      <Figure
        className="end"
        name={t`Apart`}
        value={expectedNano > 0 ? `${(statedNano / expectedNano).toFixed(2)} ×` : formatNano(apart)}
      >
        {t`${apart > 0 ? '+' : ''}${formatNano(apart)}; ${formatCount(stated)} of ${formatCount(made.length)} stated a cost`}
      </Figure>
    </dl>
  );
}

const evidenceOfMismatch = ({ jobId, profileId, runId, at }: PriceMismatch): string =>
  evidenceOfJob({ id: jobId, profileId, ...(runId === undefined ? {} : { runId }), createdAt: at });

/** The dispute with the gateway, beside the choice here: it changes nothing. */
function EvidenceLink({ mismatch }: { mismatch: PriceMismatch }) {
  const { data } = useCall('evidence.journal', { jobId: mismatch.jobId });
  return (
    <div className="sec">
      <a className="lnk" href={evidenceOfMismatch(mismatch)}>
        {data ? t`Dispute, with ${counted(data.records.length, 'record')}` : t`Dispute`}
      </a>
      <p className="t3">{t`Opens the job record, with a letter to your gateway. Free.`}</p>
    </div>
  );
}

const ENDS: Record<'adopted' | 'kept' | 'once', string> = {
  adopted: t`Adopted. What was stated is the price from now on, and what waited goes on at it.`,
  kept: t`Adopted. What waited goes on at the price that the price book has now.`,
  once: t`Gone on once. What waited goes on at what was stated; a later request stops again where it differs.`,
};

function Choice({ mismatch, onChosen }: { mismatch: PriceMismatch; onChosen: () => void }) {
  const { state, statedNano, expectedNano, runId, keeps } = mismatch;
  const above = statedNano - expectedNano;
  const isOver = state === 'adopted' || state === 'once';
  return (
    <Panel label={t`Three ways on`} className={queueStyles.side}>
      <div className="bar">
        <h2>{isOver ? t`Chosen` : runId === undefined ? t`Requests stopped` : t`Requests and run stopped`}</h2>
        <span className="grow" />
        <span className="price">
          {formatNano(Math.abs(above))} {above < 0 ? t`below` : t`above`}
        </span>
      </div>
      <div className="scroll">
        <div className="sec col gap">
          <StoppedBy mismatch={mismatch}>{nameOf(mismatch)}</StoppedBy>
          {isOver ? (
            <p className="t2">{ENDS[state === 'adopted' && keeps ? 'kept' : state]}</p>
          ) : (
            <MismatchHistory mismatch={mismatch} />
          )}
        </div>
        {!isOver && (
          <div className="sec col gap">
            <PriceDecisions mismatch={mismatch} onChosen={onChosen} keys />
          </div>
        )}
        <EvidenceLink mismatch={mismatch} />
        <div className="sec">
          <h3>{t`When a price stops`}</h3>
          <KeyValue
            items={[
              [
                t`Apart by`,
                t`more than ${ALLOWED_APART.share * 100} %, and more than ${formatNano(ALLOWED_APART.nano)}`,
              ],
              [t`Reads`, t`what an answer states in dollars`],
              [t`Not`, t`a stated zero, rounding, a small minimum, what a cache saves`],
            ]}
          />
        </div>
      </div>
    </Panel>
  );
}
