import { WAITS_FOR_KEY } from '../../../shared/gateway/profile.ts';
import { isTerminal, isWithoutResult, type Job } from '../../../shared/jobs/job.ts';
import { kindOf, makesFiles } from '../../../shared/kinds/index.ts';
import { ASSUMED_LINK_LIFE_MS } from '../../../shared/library/asset.ts';
import { t } from '../../../shared/text/texts.ts';
import { runningWords, useEntities, useIncidents, useNow, useStudio } from '../../app/index.ts';
import { formatSpan, Icon, JobStateGlyph, ProgressBar, useStorage } from '../../ui/index.ts';
import { billWords, failureWord, STATE_WORDS, VERDICT_WORDS } from '../../words/index.ts';
import { useHeldUntil } from './nightOfList.tsx';
import styles from './queue.module.css';
import { RUNNING_STATES } from './state.ts';
import { useTitleOf } from './takeNames.tsx';
import { isLaneOf, tightestBudget, waitOf, waitsForKey } from './waiting.ts';

/** The state of a job, why it waits or how it ended: icon, text, and progress if known. */
export function StateCell({ job }: { job: Job }) {
  if (RUNNING_STATES.includes(job.state)) return <RunningCell job={job} />;
  if (job.state === 'queued' || job.state === 'blocked') return <WaitCell job={job} />;
  return job.state === 'succeeded' ? (
    <MadeCell job={job} />
  ) : (
    <JobStateGlyph state={job.state}>{endWords(job)}</JobStateGlyph>
  );
}

const ON_DISK = { state: 'local' } as const;

/** Links of a running job are not requested yet; their life is assumed to begin when it was sent. */
const assumedAt = ({ sentAt }: Job) =>
  sentAt === undefined
    ? ON_DISK
    : ({ state: 'remote', expiresAt: sentAt + ASSUMED_LINK_LIFE_MS, expiryAssumed: true } as const);

/** `Keep, Stored here`; `At the gateway, 41 h left`. */
function MadeCell({ job }: { job: Job }) {
  const away = job.outputs.find(({ state }) => state !== 'local');
  const { words, isSoon } = useStorage(away ?? ON_DISK);
  const where = away || makesFiles(kindOf(job)) ? words : t`Answered`;
  const parts = [job.verdict && VERDICT_WORDS[job.verdict], where].filter(Boolean);
  return (
    <JobStateGlyph state={job.state}>
      <span className={isSoon ? 'cust remote' : undefined}>{parts.join(', ')}</span>
    </JobStateGlyph>
  );
}

function waitWords(job: Job, fault: string | undefined): string | undefined {
  if (job.state === 'sending') return STATE_WORDS.sending;
  if (job.state !== 'fetching') return undefined;
  if (waitsForKey(job)) return WAITS_FOR_KEY;
  return fault ? t`Waiting: ${fault.replace(/\.$/, '')}` : STATE_WORDS.fetching;
}

function RunningCell({ job }: { job: Job }) {
  const titleOf = useTitleOf();
  const now = useNow(1_000);
  const spent = job.sentAt === undefined ? undefined : now - job.sentAt;
  const target = kindOf(job).targetMs(job.request);
  const away = job.state === 'fetching' ? job.outputs.find(({ state }) => state === 'remote') : undefined;
  const fault = away?.fault;
  const lacksKey = waitsForKey(job);
  const { left } = useStorage(away ?? (lacksKey ? assumedAt(job) : ON_DISK));
  const slow = !lacksKey && spent !== undefined && target !== undefined && spent > target;
  const words = [
    waitWords(job, fault),
    job.state === 'running' ? runningWords(job, now) : spent === undefined ? undefined : formatSpan(spent),
    slow ? t`Slower than usual` : undefined,
    left && t`Link expires in ${left}`,
  ].filter(Boolean);
  return (
    <div className="num stack gap-s">
      <JobStateGlyph state={job.state} progress={job.progress}>
        {words.join(', ') || STATE_WORDS.running}
      </JobStateGlyph>
      <ProgressBar percent={job.progress} label={t`Progress of ${titleOf(job)}`} />
    </div>
  );
}

function WaitCell({ job }: { job: Job }) {
  const titleOf = useTitleOf();
  const now = useNow(1_000);
  const budgets = useStudio((state) => state.budgets);
  const profile = useStudio((state) => state.profiles.find(({ id }) => id === job.profileId));
  const dependency = useEntities((state) =>
    job.dependsOn
      .map((id) => state.jobs.get(id))
      .find((other) => other && (isWithoutResult(other) || !isTerminal(other.state))),
  );
  const isLaneOut = useIncidents(({ incidents }) => incidents.some(({ lane }) => isLaneOf(job, lane)));
  const wait = waitOf(job, {
    now,
    isLaneOut,
    heldUntil: useHeldUntil(job.runId),
    profile,
    budget: tightestBudget(budgets, job),
    dependency: dependency && { title: titleOf(dependency), state: dependency.state },
  });
  return (
    <div className={`num row ${styles.waiting}`}>
      <Icon of={wait.icon} />
      <div>
        <div>{wait.reason}</div>
        <div className="t3">{wait.release}</div>
      </div>
    </div>
  );
}

/** `Refused, not billed`. */
function endWords(job: Job): string {
  switch (job.state) {
    case 'failed':
      return [failureWord(job), billWords(job.money), ...againWords(job)].join(', ');
    case 'canceled': {
      const isOpen = job.money.uncertainNano > 0 || job.money.unpriced;
      return [STATE_WORDS.canceled, ...(isOpen ? [billWords(job.money)] : []), ...againWords(job)].join(', ');
    }
    default:
      return STATE_WORDS[job.state];
  }
}

const againWords = ({ retriedAs }: Job): string[] => (retriedAs === undefined ? [] : [t`Requested again`]);
