import { useState } from 'react';
import type { Doubt } from '../../../shared/events.ts';
import type { Job, JobAttempt } from '../../../shared/job.ts';
import { kindOf } from '../../../shared/kinds/index.ts';
import { formatNano } from '../../../shared/money.ts';
import { isPlayMoney } from '../../../shared/profile.ts';
import { type Pages, useAction, useKeyHint, useShortcut, useStudio } from '../../app/index.ts';
import { sendOnce } from '../../spending/index.ts';
import {
  Button,
  CallError,
  DoubtGlyph,
  EmptyState,
  formatClockSeconds,
  formatCount,
  Kbd,
  LoadingBars,
  Panel,
  PriceTag,
  priceText,
  Refusal,
  TextAction,
  Thumb,
} from '../../ui/index.ts';
import { attemptWords } from '../../words/index.ts';
import { type Doubts, useDoubts } from './doubts.ts';
import { jobDetail } from './JobRow.tsx';
import { DoubtPrice, OpenCosts } from './OpenCosts.tsx';
import { PriceStops } from './prices/PriceStops.tsx';
import { SendJobDialog } from './SendJobDialog.tsx';
import { SmallDoubts } from './SmallDoubts.tsx';
import { DOUBT_INBOX, selectJob, useQueueView } from './state.ts';
import { useTitleOf } from './takeNames.tsx';

/** Every open case with its evidence, then the ways out; below, what has ended while its cost is still open. One side at a time. */
export function DoubtInbox() {
  const doubts = useDoubts();
  const { cases, ended, again, small, pages, play } = doubts;
  const stake = useStake(play);
  const current = useCurrentCase(cases, ended);
  const shown = cases.length + ended.length + again.length + small.length;
  const count = stake?.count ?? pages.total;
  return (
    <Panel label="Doubt inbox" id={DOUBT_INBOX} className="side">
      <div className="bar">
        <span className={shown === 0 ? 't3' : 'st uncertain'}>
          <DoubtGlyph />
        </span>
        <h2>Doubt inbox</h2>
        <span className="t3">
          {formatCount(count)}
          {play && ', play money'}
        </span>
        <span className="grow" />
        {stake && stake.count > 0 && <span className="price dash stake">{stakeWords(stake)} at stake</span>}
      </div>
      <OtherSide doubts={doubts} />
      <div className="scroll">
        <PriceStops />
        {shown === 0 && pages.error ? (
          <div className="pad">
            <CallError error={pages.error} onRetry={pages.reload} />
          </div>
        ) : pages.loading ? (
          <div className="pad">
            <LoadingBars rows={2} label="Reading the doubt inbox" />
          </div>
        ) : shown === 0 && !pages.hasMore ? (
          <EmptyState title="Nothing is in doubt">
            A job whose answer was lost is never sent again by itself. It would wait here, with what is known and what
            it may cost.
          </EmptyState>
        ) : (
          <>
            {cases.map((job) => (
              <DoubtCase key={job.id} job={job} current={job.id === current} />
            ))}
            <SentAgain jobs={again} />
            <OpenCosts jobs={ended} isWhole={!pages.hasMore} />
            <SmallDoubts jobs={small} />
            <MoreDoubts pages={pages} />
          </>
        )}
      </div>
    </Panel>
  );
}

/** The way to the cases that are not read yet, of whatever sort they are. */
function MoreDoubts({ pages }: { pages: Pages }) {
  if (!pages.hasMore) return null;
  return (
    <div className="pad">
      <Button variant="ghost" onClick={pages.more}>
        Show more
      </Button>
    </div>
  );
}

/** What the studio counts in doubt on one side: the same number and the same money everywhere. */
const useStake = (play: boolean): Doubt | undefined =>
  useStudio((state) =>
    isPlayMoney(state.activeProfileId ?? '') === play ? state.queue?.doubt : state.queue?.doubtElsewhere,
  );

const stakeWords = ({ nano, unpriced }: Doubt): string => priceText(nano, nano, 'range', unpriced);

/** Play money and real money are never in one list; the other one is a press away, and in view whatever else stands in the inbox. */
function OtherSide({ doubts: { play, switchSide } }: { doubts: Doubts }) {
  const other = useStake(!play);
  if (!other || other.count === 0) return null;
  return (
    <div className="row other-side">
      <span className="t2 grow">
        {formatCount(other.count)} in doubt in {play ? 'real money' : 'play money'}, {stakeWords(other)}
      </span>
      <TextAction onClick={switchSide}>Show</TextAction>
    </div>
  );
}

/** Under way again: nothing is to be done until they end. */
function SentAgain({ jobs }: { jobs: readonly Job[] }) {
  const titleOf = useTitleOf();
  if (jobs.length === 0) return null;
  return (
    <section aria-label="Sent again">
      {jobs.map((job) => (
        <article key={job.id} className="dbox ocost" aria-label={`Sent again: ${titleOf(job)}`}>
          <button type="button" className="row dhead" onClick={() => selectJob(job.id)}>
            <Thumb asset={job.outputs[0]} />
            <span className="col grow">
              <b className="cut">{titleOf(job)}</b>
              <span className="t3 cut">Sent again; an earlier request may be billed too</span>
            </span>
            <DoubtPrice job={job} />
          </button>
        </article>
      ))}
    </section>
  );
}

/** The selected case, or the first one, takes the keys 1, 2, 3; none does while an open cost is being looked at. */
function useCurrentCase(cases: readonly Job[], costs: readonly Job[]): string | undefined {
  const selectedId = useQueueView((state) => state.selectedId);
  if (costs.some(({ id }) => id === selectedId)) return undefined;
  return (cases.find(({ id }) => id === selectedId) ?? cases[0])?.id;
}

function DoubtCase({ job, current }: { job: Job; current: boolean }) {
  const title = useTitleOf()(job);
  const isShownAbove = job.attempts.some(({ message }) => message === job.error?.message);
  return (
    <article className={`dbox ${current ? 'current' : ''}`} aria-label={`In doubt: ${title}`}>
      <button type="button" className="row dhead" onClick={() => selectJob(job.id)} aria-pressed={current}>
        <Thumb asset={job.outputs[0]} />
        <span className="col grow">
          <b className="cut">{title}</b>
          <span className="t3 cut">
            {job.model ?? kindOf(job).words.title}, {jobDetail(job)}
          </span>
        </span>
      </button>
      <ol className="tline">
        {job.attempts.map((attempt) => (
          <AttemptLine key={attempt.at} attempt={attempt} />
        ))}
        {job.remoteId && (
          <li>
            <span className="mono">task</span>
            <span className="mono cut" title={job.remoteId}>
              {job.remoteId}
            </span>
          </li>
        )}
        <li>
          <span className="mono">now</span>
          <span>
            {job.money.unpriced
              ? 'Not sent again. What it may cost is not known.'
              : `Not sent again. ${formatNano(job.money.uncertainNano)} is held, in doubt.`}
          </span>
        </li>
      </ol>
      <p className="t2">
        {isShownAbove ? '' : job.error?.message} The gateway may have made it and billed it. Dailies cannot know, so it
        waits for you.
      </p>
      <DoubtActions job={job} keys={current} />
    </article>
  );
}

function AttemptLine({ attempt }: { attempt: JobAttempt }) {
  return (
    <li>
      <span className="mono">{formatClockSeconds(attempt.at)}</span>
      <span>
        {attemptWords(attempt)}
        {attempt.requestId && <span className="mono"> {attempt.requestId}</span>}
      </span>
    </li>
  );
}

type ResolveAs = 'lookup' | 'lost';

/** Look it up, count it as lost, or send again knowingly, each with what it costs at worst. */
function DoubtActions({ job, keys }: { job: Job; keys: boolean }) {
  const [busy, setBusy] = useState<ResolveAs>();
  const [found, setFound] = useState<string>();
  const { refusal, run } = useAction();
  const [offered, setOffered] = useState(false);
  const { estimateNano, estimateLowNano, uncertainNano } = job.money;
  const unpriced = job.money.unpriced ? 1 : 0;
  const resolve = async (as: ResolveAs) => {
    setBusy(as);
    const answer = await run(sendOnce('jobs.resolve', { id: job.id, as }));
    setBusy(undefined);
    if (answer.ok && as === 'lookup' && answer.data.state === 'uncertain')
      setFound('The gateway says nothing final yet. Nothing was sent or billed by asking.');
  };
  const way = (as: ResolveAs) => ({ busy: busy === as, onChoose: () => void resolve(as), keys });
  return (
    <>
      <div className="ways">
        <DoubtAction
          {...way('lookup')}
          action="doubt.lookup"
          title={job.remoteId ? 'Check again' : 'Look it up'}
          cost={<span className="t3">free</span>}
          off={job.cannotLookUp}
        >
          Ask the gateway once more about its task. If it is done, it is fetched and the price settles.
        </DoubtAction>
        <DoubtAction
          {...way('lost')}
          action="doubt.lost"
          title="Count it as lost"
          cost={<span className="t3">sends nothing</span>}
        >
          {unpriced
            ? 'The job ends. It stays on record as a possible charge that is not known.'
            : `The job ends. ${formatNano(uncertainNano)} stays on record as a possible charge.`}
        </DoubtAction>
        <DoubtAction
          busy={false}
          keys={keys}
          onChoose={() => setOffered(true)}
          action="doubt.resend"
          title="Send again knowingly"
          cost={<PriceTag nano={estimateNano} lowNano={estimateLowNano} unpriced={unpriced} />}
        >
          May be paid for twice
          {unpriced ? '.' : `: in the worst case ${formatNano(uncertainNano + estimateNano)} for the two.`} Same
          idempotency key.
        </DoubtAction>
      </div>
      {offered && <SendJobDialog job={job} kind="resend" onClose={() => setOffered(false)} />}
      <Refusal text={refusal} />
      {found && (
        <p className="t2" role="status">
          {found}
        </p>
      )}
    </>
  );
}

interface DoubtActionProps {
  action: 'doubt.lookup' | 'doubt.lost' | 'doubt.resend';
  title: string;
  cost: React.ReactNode;
  children: React.ReactNode;
  busy: boolean;
  keys: boolean;
  /** Why it is off, instead of what it would do. */
  off?: string | undefined;
  onChoose: () => void;
}

function DoubtAction({ action, title, cost, children, busy, keys, off, onChoose }: DoubtActionProps) {
  const hint = useKeyHint(action);
  useShortcut(action, onChoose, keys && !busy && off === undefined);
  return (
    <div className={`way ${off === undefined ? '' : 'off'}`}>
      <div className="row">
        <button type="button" className="way-do" onClick={onChoose} disabled={busy || off !== undefined}>
          {title}
        </button>
        <span className="grow" />
        {off === undefined && cost}
        {keys && off === undefined && <Kbd>{hint}</Kbd>}
      </div>
      <div className="t2">{off ?? children}</div>
    </div>
  );
}
