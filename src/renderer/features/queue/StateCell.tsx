import type { Job } from '../../../shared/job.ts';
import { kindOf, makesFiles } from '../../../shared/kinds/index.ts';
import { runningWords, useEntities, useIncidents, useNow, useStudio } from '../../app/index.ts';
import { formatSpan, hoursLeft, Icon, JobStateGlyph, ProgressBar } from '../../ui/index.ts';
import { billWords, FAILURE_WORDS, STATE_WORDS, STORAGE_WORDS, VERDICT_WORDS } from '../../words/index.ts';
import { RUNNING_STATES } from './state.ts';
import { useTitleOf } from './takeNames.tsx';
import { isLaneOf, tightestBudget, waitOf } from './waiting.ts';

/** What a job does, why it waits, or how it ended: glyph, words, and progress where it is known. */
export function StateCell({ job }: { job: Job }) {
  if (RUNNING_STATES.includes(job.state)) return <RunningCell job={job} />;
  if (job.state === 'queued' || job.state === 'blocked') return <WaitCell job={job} />;
  return <JobStateGlyph state={job.state}>{endWords(job)}</JobStateGlyph>;
}

function RunningCell({ job }: { job: Job }) {
  const titleOf = useTitleOf();
  const now = useNow(1_000);
  const spent = job.sentAt === undefined ? undefined : now - job.sentAt;
  const target = kindOf(job).targetMs(job.request);
  const fault = job.state === 'fetching' ? job.outputs.find((asset) => asset.state === 'remote')?.fault : undefined;
  const slow = spent !== undefined && target !== undefined && spent > target;
  const words = [
    job.state === 'fetching'
      ? fault
        ? `Waits: ${fault.replace(/\.$/, '')}`
        : STATE_WORDS.fetching.word
      : job.state === 'sending'
        ? STATE_WORDS.sending.word
        : undefined,
    job.state === 'running' ? runningWords(job, now) : spent === undefined ? undefined : formatSpan(spent),
    slow ? 'slower than usual' : undefined,
  ].filter(Boolean);
  return (
    <div className="runst">
      <JobStateGlyph state={job.state} progress={job.progress}>
        {words.join(', ') || STATE_WORDS.running.word}
      </JobStateGlyph>
      <ProgressBar percent={job.progress} label={`Progress of ${titleOf(job)}`} />
    </div>
  );
}

function WaitCell({ job }: { job: Job }) {
  const titleOf = useTitleOf();
  const now = useNow(1_000);
  const budgets = useStudio((state) => state.budgets);
  const profile = useStudio((state) => state.profiles.find(({ id }) => id === job.profileId));
  const dependency = useEntities((state) =>
    job.dependsOn.map((id) => state.jobs.get(id)).find((other) => other && other.state !== 'succeeded'),
  );
  const isLaneOut = useIncidents(({ incidents }) => incidents.some(({ lane }) => isLaneOf(job, lane)));
  const wait = waitOf(job, {
    now,
    isLaneOut,
    profile,
    budget: tightestBudget(budgets, job),
    dependency: dependency && { title: titleOf(dependency), state: dependency.state },
  });
  return (
    <div className="wait" title={`${wait.reason}. ${wait.release}`}>
      <Icon of={wait.icon} />
      <div>
        <div className="cut">{wait.reason}</div>
        <div className="cut t3">{wait.release}</div>
      </div>
    </div>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `Kept, on disk, verified`; `Refused, not billed`; `Only at gateway, 41 h left`. */
function endWords(job: Job): string {
  switch (job.state) {
    case 'succeeded':
      return capital([job.verdict && VERDICT_WORDS[job.verdict].judged, storageWords(job)].filter(Boolean).join(', '));
    case 'failed': {
      const word = job.error ? FAILURE_WORDS[job.error.kind] : STATE_WORDS.failed.word;
      return `${word}, ${billWords(job.money)}${againWords(job)}`;
    }
    case 'canceled': {
      const isOpen = job.money.uncertainNano > 0 || job.money.unpriced;
      return `${STATE_WORDS.canceled.word}${isOpen ? `, ${billWords(job.money)}` : ''}${againWords(job)}`;
    }
    default:
      return STATE_WORDS[job.state].word;
  }
}

const againWords = ({ retriedAs }: Job): string => (retriedAs === undefined ? '' : ', requested again');

function storageWords(job: Job): string {
  if (!makesFiles(kindOf(job))) return 'answered';
  const away = job.outputs.find(({ state }) => state !== 'local');
  const words = STORAGE_WORDS[away?.state ?? 'local'].title.toLowerCase();
  const hours = away?.state === 'remote' ? hoursLeft(away, Date.now()) : undefined;
  return hours === undefined ? words : `${words}, ${hours} h`;
}
