import { type ReactNode, useState } from 'react';
import type { PriceMismatch } from '../../../shared/ledger.ts';
import { formatNano, formatNanoRange } from '../../../shared/money.ts';
import { rememberJobs, useCall, useJob } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { SpendDialog } from '../../media/SpendDialog.tsx';
import { formatClockSeconds, formatCount, PriceTag, plural, Thumb, WhyOff } from '../../ui/index.ts';
import { useTitleOf } from './titles.tsx';

type Way = 'adopt' | 'dispute' | 'once';

/** What stated costs have stopped, each with the ways on; nothing where everything agrees with the price book. */
export function PriceStops() {
  const { data, reload } = useCall('prices.mismatches', {}, { on: ['mismatch.changed', 'job.changed'] });
  const mismatches = data?.mismatches ?? [];
  if (mismatches.length === 0) return null;
  return (
    <section aria-label="Prices that do not agree">
      <div className="grp opens">
        <h3>Stopped, not the price</h3>
        <span className="t3">{formatCount(mismatches.length)}</span>
      </div>
      {mismatches.map((mismatch) => (
        <PriceStop key={mismatch.id} mismatch={mismatch} onChosen={reload} />
      ))}
    </section>
  );
}

const nameOf = ({ kind, model }: PriceMismatch): string => (model === '*' ? `${kind}s` : model);

function PriceStop({ mismatch, onChosen }: { mismatch: PriceMismatch; onChosen: () => void }) {
  const job = useJob(mismatch.jobId);
  const titleOf = useTitleOf();
  const { state, statedBy, at, waiting } = mismatch;
  return (
    <article className="dbox" aria-label={`Not the price: ${nameOf(mismatch)}`}>
      <div className="row dhead">
        <Thumb asset={job?.outputs[0]} />
        <span className="col grow">
          <b className="cut">{job ? titleOf(job) : nameOf(mismatch)}</b>
          <span className="t3 cut">
            {nameOf(mismatch)}, {plural(waiting.count, 'job')} {waiting.count === 1 ? 'waits' : 'wait'} for the price
          </span>
        </span>
      </div>
      <Figures mismatch={mismatch} />
      <ol className="tline solid">
        {job?.sentAt !== undefined && (
          <li>
            <span className="mono">{formatClockSeconds(job.sentAt)}</span>
            <span>Ordered</span>
          </li>
        )}
        <li>
          <span className="mono">{formatClockSeconds(at)}</span>
          <span>
            The answer states {formatNano(mismatch.statedNano)} in <span className="mono">{statedBy}</span>. Entered so,
            and stopped before the next order.
          </span>
        </li>
      </ol>
      <p className="t2">
        {state === 'disputed'
          ? 'Disputed: our figure is kept, the rest stands in doubt. It stays stopped until you go on.'
          : 'One job is not a rule, and a late bill can look like this. Nothing more is ordered at this price until you choose; other models go on.'}
      </p>
      <Ways mismatch={mismatch} onChosen={onChosen} />
    </article>
  );
}

/** Expected beside stated, and how far they are apart. */
function Figures({ mismatch: { expectedNano, expectedLowNano, statedNano } }: { mismatch: PriceMismatch }) {
  const apart = statedNano - expectedNano;
  return (
    <dl className="apart">
      <div>
        <dt>Expected</dt>
        <dd>{formatNanoRange(expectedLowNano, expectedNano)}</dd>
      </div>
      <div>
        <dt>Stated</dt>
        <dd>{formatNano(statedNano)}</dd>
      </div>
      <div className="end">
        <dt>Apart</dt>
        <dd>
          {apart > 0 ? '+' : ''}
          {formatNano(apart)}
        </dd>
      </div>
    </dl>
  );
}

function Ways({ mismatch, onChosen }: { mismatch: PriceMismatch; onChosen: () => void }) {
  const [busy, setBusy] = useState<Way>();
  const [error, setError] = useState<string>();
  const [offered, setOffered] = useState<keyof typeof RELEASES>();
  const { id, state, statedNano, expectedNano, waiting, adopts } = mismatch;
  const choose = async (as: Way) => {
    setBusy(as);
    const answer = await call('prices.resolveMismatch', { id, as });
    setBusy(undefined);
    if (!answer.ok) return answer.error.message;
    const job = await call('jobs.get', { id: mismatch.jobId });
    if (job.ok) rememberJobs([job.data]);
    onChosen();
    return undefined;
  };
  const now = async (as: Way) => setError(await choose(as));
  const way = (as: Way) => ({
    busy: busy !== undefined,
    // What lets waiting jobs go spends: their price is shown first.
    onChoose: () => (as === 'dispute' || waiting.count === 0 ? void now(as) : setOffered(as)),
  });
  const stated = formatNano(statedNano);
  const ours = formatNano(expectedNano);
  const all = `${plural(waiting.count, 'job')}, at most ${formatNano(waiting.thenNano)}`;
  return (
    <>
      <div className="ways">
        {adopts && (
          <WayOut {...way('adopt')} title={`Adopt ${stated}`} cost={waiting.count === 0 ? 'free' : all}>
            It is the price from now on, and what waits goes on at it. Entries made before stay.
          </WayOut>
        )}
        {state !== 'disputed' && (
          <WayOut {...way('dispute')} title={`Dispute, keep ${ours}`} cost="free">
            {statedNano > expectedNano
              ? `${formatNano(statedNano - expectedNano)} stands in doubt until a bill says. `
              : 'Our figure is kept until a bill says. '}
            This price stays stopped.
          </WayOut>
        )}
        {adopts && (
          <WayOut {...way('once')} title="Go on once" cost={waiting.count === 0 ? 'free' : all}>
            Only what waits now, set aside at what was stated. A later order stops again where it differs.
          </WayOut>
        )}
      </div>
      {offered && (
        <Release
          as={offered}
          mismatch={mismatch}
          onSend={() => choose(offered)}
          onClose={() => setOffered(undefined)}
        />
      )}
      {error && (
        <p className="t2" role="alert">
          {error}
        </p>
      )}
      <WhyOff>No way rewrites an entry: what follows is added.</WhyOff>
    </>
  );
}

const RELEASES = {
  adopt: { title: 'Adopt the price?', label: 'Adopt it' },
  once: { title: 'Go on once?', label: 'Go on once' },
};

interface ReleaseProps {
  as: keyof typeof RELEASES;
  mismatch: PriceMismatch;
  onSend: () => Promise<string | undefined>;
  onClose: () => void;
}

/** What waits for the price would be sent: how much of it, and at what price, before it is. */
function Release({ as, mismatch, onSend, onClose }: ReleaseProps) {
  const { statedNano, waiting } = mismatch;
  const many = plural(waiting.count, 'job');
  const price = (
    <div className="row between">
      <span className="t2">{many}, at most</span>
      <PriceTag nano={waiting.thenNano} lowNano={waiting.thenNano} />
    </div>
  );
  return (
    <SpendDialog {...RELEASES[as]} price={price} off={undefined} onSend={onSend} onClose={onClose}>
      {as === 'adopt'
        ? `${formatNano(statedNano)} is the price of ${nameOf(mismatch)} from now on. What waits for it goes on: ${many}.`
        : `What waits now goes on, set aside at what was stated: ${many}. The price book stays as it is.`}
    </SpendDialog>
  );
}

interface WayOutProps {
  title: string;
  cost: string;
  children: ReactNode;
  busy: boolean;
  onChoose: () => void;
}

function WayOut({ title, cost, children, busy, onChoose }: WayOutProps) {
  return (
    <div className="way">
      <div className="row">
        <button type="button" className="way-do" onClick={onChoose} disabled={busy}>
          {title}
        </button>
        <span className="grow" />
        <span className="t3 nums">{cost}</span>
      </div>
      <div className="t2">{children}</div>
    </div>
  );
}
