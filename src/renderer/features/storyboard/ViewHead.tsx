import { playedOf } from '../../../shared/film.ts';
import { isTerminal, type Job, type Verdict } from '../../../shared/job.ts';
import { isRequestOf, KINDS } from '../../../shared/kinds/index.ts';
import { resultWords } from '../../../shared/resultWords.ts';
import { t } from '../../../shared/texts.ts';
import { announce, RatingChoice, saveVerdict } from '../../app/index.ts';
import { Segmented, toast } from '../../ui/index.ts';
import { STATE_WORDS, VERDICT_WORDS } from '../../words/index.ts';
import type { TakeView } from './model/take.ts';
import styles from './storyboard.module.css';
import { TakeActions } from './TakeActions.tsx';
import type { TakeProps } from './tabProps.ts';
import { takeName } from './takeWords.ts';
import { playTake, useBoardView } from './useBoard.ts';

/** What the viewer shows, and the rating of it. */
export function ViewHead({ board, shot, take }: TakeProps) {
  const job = take?.job;
  const facts = take && factsOf(take);
  const whole = take?.trim && take.clip?.seconds;
  return (
    <header className={styles.viewHead}>
      <h2>{takeName(shot, take)}</h2>
      <span
        className={`t2 cut grow ${styles.facts}`}
        title={whole === undefined ? facts : t`${facts}. Trimmed, of ${lengthOf(whole)}`}
      >
        {facts}
      </span>
      {take && take.clips.length > 1 && (
        <Segmented
          small
          aria-label={t`Variations of take ${take.number}`}
          value={String(take.clipIndex)}
          onValue={(index) => playTake(board, shot.shot.id, take.jobId, Number(index))}
          options={take.clips.map((_, index) => ({
            value: String(index),
            label: String(index + 1),
            name: t`Variation ${index + 1}`,
          }))}
        />
      )}
      {job?.state === 'succeeded' && <Rating job={job} number={take?.number ?? 0} />}
      {job && !isTerminal(job.state) && job.state !== 'uncertain' && <TakeActions key={job.id} job={job} />}
    </header>
  );
}

/** `Selected take, 4 s, 720p`; what differs from the request is said too. */
function factsOf(take: TakeView): string | undefined {
  const { job } = take;
  if (!job) return t`Loading`;
  if (job.state !== 'succeeded') return isTerminal(job.state) ? undefined : STATE_WORDS[job.state].word;
  const size = isRequestOf(KINDS.video, job.request) ? job.request.config?.resolution : undefined;
  const seconds = playedOf(take)?.seconds;
  const facts = [t`Selected take`, seconds !== undefined && lengthOf(seconds), size];
  return [facts.filter(Boolean).join(', '), resultWords(job)].filter(Boolean).join('. ');
}

const lengthOf = (seconds: number): string => t`${Number(seconds.toFixed(1))} s`;

function Rating({ job, number }: { job: Job; number: number }) {
  const isLooped = useBoardView(({ loopedJoint }) => loopedJoint !== undefined);
  const judge = async (verdict: Verdict) => {
    if (isLooped) return toast({ text: t`The loop shows two takes. Stop it to rate one.` });
    const next = job.verdict === verdict ? undefined : verdict;
    if (!(await saveVerdict(job.id, next))) return;
    announce(next ? t`Take ${number}: ${VERDICT_WORDS[next].label}` : t`Take ${number}: rating removed`);
  };
  return (
    <div className={`rating ${styles.ver}`}>
      <RatingChoice aria-label={t`Rating`} value={job.verdict ?? null} onValue={(verdict) => void judge(verdict)} />
    </div>
  );
}
