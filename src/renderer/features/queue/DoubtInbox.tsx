import { useMemo, useState } from 'react';
import type { Job, JobAttempt } from '../../../shared/job.ts';
import { formatNano } from '../../../shared/money.ts';
import { type Pages, useEntities, useJobPages, useKeyHint, useShortcut, useStudio } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import {
  CallError,
  DoubtGlyph,
  EmptyState,
  formatClockSeconds,
  formatCount,
  Kbd,
  LoadingBars,
  Panel,
  PriceTag,
  Thumb,
  toast,
} from '../../ui/index.ts';
import { jobDetail } from './JobRow.tsx';
import { OpenCosts, useOpenCosts } from './OpenCosts.tsx';
import { DOUBT_INBOX, selectJob, useQueueView } from './state.ts';
import { useTitleOf } from './titles.tsx';

/** Every open case with its evidence, then the ways out; below, what has ended while its cost is still open. */
export function DoubtInbox() {
  const stake = useStudio((state) => state.queue?.doubt);
  const { cases, pages } = useCases();
  const costs = useOpenCosts();
  const current = useCurrentCase(cases, costs.jobs);
  const count = stake?.count ?? cases.length;
  const isEmpty = cases.length === 0 && costs.jobs.length === 0;
  const error = pages.error ?? costs.pages.error;
  return (
    <Panel label="Doubt inbox" id={DOUBT_INBOX} className="side">
      <div className="bar">
        <span className={isEmpty ? 't3' : 'st uncertain'}>
          <DoubtGlyph />
        </span>
        <h2>Doubt inbox</h2>
        <span className="t3">{formatCount(count)}</span>
        <span className="grow" />
        {stake && stake.nano > 0 && <span className="price dash stake">{formatNano(stake.nano)} at stake</span>}
      </div>
      <div className="scroll">
        {isEmpty && error ? (
          <div className="pad">
            <CallError
              error={error}
              onRetry={() => {
                pages.reload();
                costs.pages.reload();
              }}
            />
          </div>
        ) : pages.loading || costs.pages.loading ? (
          <div className="pad">
            <LoadingBars rows={2} label="Reading the doubt inbox" />
          </div>
        ) : isEmpty ? (
          <EmptyState title="Nothing is in doubt">
            A job whose answer was lost is never sent again by itself. It would wait here, with what is known and what
            it may cost.
          </EmptyState>
        ) : (
          <>
            {cases.map((job) => (
              <DoubtCase key={job.id} job={job} current={job.id === current} />
            ))}
            <OpenCosts jobs={costs.jobs} pages={costs.pages} />
          </>
        )}
      </div>
    </Panel>
  );
}

/** The selected case, or the first one, takes the keys 1, 2, 3; none does while an open cost is being looked at. */
function useCurrentCase(cases: readonly Job[], costs: readonly Job[]): string | undefined {
  const selectedId = useQueueView((state) => state.selectedId);
  if (costs.some(({ id }) => id === selectedId)) return undefined;
  return (cases.find(({ id }) => id === selectedId) ?? cases[0])?.id;
}

function useCases(): { cases: Job[]; pages: Pages } {
  const pages = useJobPages({ states: ['uncertain'] });
  const jobs = useEntities((state) => state.jobs);
  const { ids } = pages;
  const cases = useMemo(
    () => ids.flatMap((id) => jobs.get(id) ?? []).filter(({ state }) => state === 'uncertain'),
    [ids, jobs],
  );
  return { cases, pages };
}

function DoubtCase({ job, current }: { job: Job; current: boolean }) {
  const title = useTitleOf()(job);
  const isToldAbove = job.attempts.some(({ message }) => message === job.error?.message);
  return (
    <article className={`dbox ${current ? 'current' : ''}`} aria-label={`In doubt: ${title}`}>
      <button type="button" className="row dhead" onClick={() => selectJob(job.id)} aria-pressed={current}>
        <Thumb asset={job.outputs[0]} />
        <span className="col grow">
          <b className="cut">{title}</b>
          <span className="t3 cut">
            {job.model ?? job.kind}, {jobDetail(job)}
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
          <span>Not sent again. {formatNano(job.money.uncertainNano)} is held, in doubt.</span>
        </li>
      </ol>
      <p className="t2">
        {isToldAbove ? '' : job.error?.message} The gateway may have made it and billed it. Dailies cannot know, so it
        waits for you.
      </p>
      <Ways job={job} keys={current} />
    </article>
  );
}

const OUTCOMES: Record<JobAttempt['outcome'], string> = {
  sending: 'Sent',
  accepted: 'Sent and accepted',
  done: 'Answered',
  refused: 'Refused',
  unsent: 'Not sent',
  unknown: 'Sent, no answer came',
  lost: 'Counted as lost',
};

function AttemptLine({ attempt }: { attempt: JobAttempt }) {
  const { status, requestId, message } = attempt;
  return (
    <li>
      <span className="mono">{formatClockSeconds(attempt.at)}</span>
      <span>
        {OUTCOMES[attempt.outcome]}
        {status !== undefined && `, status ${status}`}
        {message && `. ${message}`}
        {requestId && <span className="mono"> {requestId}</span>}
      </span>
    </li>
  );
}

type Way = 'lookup' | 'lost' | 'resend';

/** Look it up, count it as lost, or send again knowingly, each with what it costs at worst. */
function Ways({ job, keys }: { job: Job; keys: boolean }) {
  const [busy, setBusy] = useState<Way>();
  const [found, setFound] = useState<string>();
  const { estimateNano, estimateLowNano, uncertainNano } = job.money;
  const resolve = async (as: Way) => {
    setBusy(as);
    const answer = await call('jobs.resolve', { id: job.id, as });
    setBusy(undefined);
    if (!answer.ok) toast({ kind: 'fail', text: answer.error.message });
    else if (as === 'lookup' && answer.data.state === 'uncertain')
      setFound(
        job.remoteId
          ? 'The gateway says nothing final yet. Nothing was sent or billed by asking.'
          : 'Its request came back without a task id, so there is nothing to ask the gateway for yet. Nothing was sent.',
      );
  };
  const way = (as: Way) => ({ busy: busy === as, onChoose: () => void resolve(as), keys });
  return (
    <>
      <div className="ways">
        <WayButton
          {...way('lookup')}
          action="doubt.lookup"
          title={job.remoteId ? 'Check again' : 'Look it up'}
          cost={<span className="t3">free</span>}
        >
          {job.remoteId
            ? 'Ask the gateway once more about its task. If it is done, it is fetched and the price settles.'
            : 'Ask the gateway what became of it. If it is found, it is fetched and the price settles.'}
        </WayButton>
        <WayButton
          {...way('lost')}
          action="doubt.lost"
          title="Count it as lost"
          cost={<span className="t3">sends nothing</span>}
        >
          The job ends. {formatNano(uncertainNano)} stays on record as a possible charge.
        </WayButton>
        <WayButton
          {...way('resend')}
          action="doubt.resend"
          title="Send again knowingly"
          cost={<PriceTag nano={estimateNano} lowNano={estimateLowNano} />}
        >
          May be paid for twice: in the worst case {formatNano(uncertainNano + estimateNano)} for the two. Same
          idempotency key.
        </WayButton>
      </div>
      {found && (
        <p className="t2" role="status">
          {found}
        </p>
      )}
    </>
  );
}

interface WayButtonProps {
  action: 'doubt.lookup' | 'doubt.lost' | 'doubt.resend';
  title: string;
  cost: React.ReactNode;
  children: React.ReactNode;
  busy: boolean;
  keys: boolean;
  onChoose: () => void;
}

function WayButton({ action, title, cost, children, busy, keys, onChoose }: WayButtonProps) {
  const hint = useKeyHint(action);
  useShortcut(action, onChoose, keys && !busy);
  return (
    <div className="way">
      <div className="row">
        <button type="button" className="way-do" onClick={onChoose} disabled={busy}>
          {title}
        </button>
        <span className="grow" />
        {cost}
        {keys && <Kbd>{hint}</Kbd>}
      </div>
      <div className="t2">{children}</div>
    </div>
  );
}
