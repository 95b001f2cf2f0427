import { isTerminal, type Job } from '../../../../shared/jobs/job.ts';
import { undisplayedNote } from '../../../../shared/jobs/resultWords.ts';
import { t } from '../../../../shared/text/texts.ts';
import { useRunningWords } from '../../../app/index.ts';
import { DownloadNow } from '../../../media/DownloadNow.tsx';
import { SaveCopy } from '../../../media/SaveCopy.tsx';
import { AssetImage, Button, FailGlyph, ProgressBar, StorageGlyph } from '../../../ui/index.ts';
import { billSentence } from '../../../words/index.ts';
import { ownPicture, type TakeView } from '../model/view.ts';
import { TakeActions } from '../TakeActions.tsx';
import type { TakeProps } from '../tabProps.ts';
import { capital, waitingWords } from '../takeWords.ts';
import styles from './player.module.css';

/** Shown for a shot without a picture: why, and what to do. */
export function Placeholder({ board, shot, take }: TakeProps) {
  const picture = take ? undefined : ownPicture(shot.shot, board.media);
  return (
    <div className={styles.hold} data-look={take ? 'job' : 'none'}>
      {picture && <AssetImage asset={picture} className="fill" alt={t`Starts from`} />}
      <div className={styles.holdWords}>
        <Words take={take} />
      </div>
    </div>
  );
}

function Words({ take }: Pick<TakeProps, 'take'>) {
  if (!take) {
    return (
      <>
        <h3>{t`No take yet`}</h3>
        <p>{t`Write a prompt and make take 1.`}</p>
      </>
    );
  }
  const { job, number } = take;
  if (!job) return <p>{t`Loading`}</p>;
  if (take.clip) return <NotPlayable take={{ ...take, clip: take.clip }} />;
  if (job.state === 'failed') return <Failed job={job} number={number} />;
  if (isTerminal(job.state)) return <Ended title={t`Take ${number} was canceled`} job={job} />;
  if (job.state === 'uncertain') {
    return (
      <Ended title={t`Take ${number} is unconfirmed`} job={job}>
        {t`No reply from the gateway. The clip may exist. Dailies did not send the request again.`}
      </Ended>
    );
  }
  return <Making job={job} number={number} />;
}

/** A finished clip that cannot be played here. */
function NotPlayable({ take: { clip, number } }: { take: TakeView & { clip: NonNullable<TakeView['clip']> } }) {
  const note = undisplayedNote(clip);
  if (note !== undefined) return <SaveCopy asset={clip} why={note} />;
  return (
    <>
      <h3>
        {clip.state === 'remote' ? t`Take ${number} is only at the gateway` : t`The file of take ${number} is gone`}
      </h3>
      <p>
        <StorageGlyph storage={clip} />
      </p>
      {clip.state === 'remote' && <DownloadNow asset={clip} bare />}
    </>
  );
}

function Ended({ title, job, children }: { title: string; job: Job; children?: string }) {
  return (
    <>
      <h3>{title}</h3>
      {children && <p>{children}</p>}
      <TakeActions job={job} />
    </>
  );
}

function Failed({ job, number }: { job: Job; number: number }) {
  const isRefused = job.error?.kind === 'moderation';
  const edit = () => document.querySelector<HTMLElement>('main > aside textarea')?.focus();
  return (
    <>
      <span className="st failed">
        <FailGlyph />
      </span>
      <h3>{isRefused ? t`The gateway refused the content of take ${number}` : t`Take ${number} failed`}</h3>
      <p>{billSentence(job.money)}</p>
      {job.error && <blockquote>{job.error.message}</blockquote>}
      <div className="row">
        {isRefused && <Button onClick={edit}>{t`Edit prompt`}</Button>}
        <TakeActions job={job} />
      </div>
    </>
  );
}

function Making({ job, number }: { job: Job; number: number }) {
  const left = useRunningWords(job);
  const waits = waitingWords(job);
  return (
    <>
      <h3>{job.state === 'running' ? t`Making take ${number}` : t`Take ${number} is queued`}</h3>
      {(waits ?? left) && <p>{waits ?? capital(left ?? '')}</p>}
      <ProgressBar percent={job.progress} />
      {job.progress > 0 && <span>{`${Math.floor(job.progress)} %`}</span>}
    </>
  );
}
