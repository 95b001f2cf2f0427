import { isTerminal, type Job } from '../../../../shared/job.ts';
import { t } from '../../../../shared/texts.ts';
import { useNow } from '../../../app/index.ts';

type Jobs = Iterable<Job>;

/** Of the last few percent a service says nothing. */
const HONEST_PERCENT = 95;

/** How many milliseconds a take still needs: by its own progress, else by what takes of its model took; undefined where neither tells. */
export function timeLeft(job: Job, jobs: Jobs, now: number): number | undefined {
  const { progress, sentAt } = job;
  const elapsed = sentAt === undefined ? 0 : now - sentAt;
  if (progress > 0 && progress <= HONEST_PERCENT && elapsed > 0) return (elapsed * (100 - progress)) / progress;
  const usual = usualOf(job, jobs);
  return usual === undefined || usual <= elapsed ? undefined : usual - elapsed;
}

/** The middle of what takes of the same model took. */
function usualOf({ kind, model }: Job, jobs: Jobs): number | undefined {
  const took = [...jobs]
    .filter((job) => job.state === 'succeeded' && job.kind === kind && job.model === model)
    .flatMap(({ sentAt, finishedAt }) => (sentAt === undefined || finishedAt === undefined ? [] : finishedAt - sentAt))
    .toSorted((a, b) => a - b);
  return took[Math.floor(took.length / 2)];
}

/** `about 40 s`, `about 2 min`. */
export function aboutWords(ms: number): string {
  const seconds = Math.max(10, Math.round(ms / 10_000) * 10);
  return seconds < 60 ? t`about ${seconds} s` : t`about ${Math.round(seconds / 60)} min`;
}

/** The same of a take that is being made, counting down; undefined where nothing is known of it. */
export function useTimeLeft(job: Job | undefined, jobs: Jobs): string | undefined {
  const isOpen = job !== undefined && !isTerminal(job.state) && job.state !== 'uncertain';
  const now = useNow(isOpen ? 1_000 : undefined);
  const left = isOpen ? timeLeft(job, jobs, now) : undefined;
  return left === undefined ? undefined : aboutWords(left);
}
