import { isTerminal, type Job } from '../../../shared/jobs/job.ts';
import { isSeedUnsent, UNSENT_SEED } from '../../../shared/jobs/resultWords.ts';
import { formatNano } from '../../../shared/money/money.ts';
import { t } from '../../../shared/text/texts.ts';
import { navigate, useRunningWords, useShortcut } from '../../app/index.ts';
import {
  Button,
  FailGlyph,
  formatStamp,
  listBox,
  Menu,
  ProgressBar,
  priceText,
  StoragePlate,
  TakeNumber,
} from '../../ui/index.ts';
import { failureWord, NOT_JUDGED, STATE_WORDS, VERDICT_WORDS } from '../../words/index.ts';
import { ClipPicture, ClipPreview } from './ClipPicture.tsx';
import { returnTake } from './model/shots.ts';
import { promotedFrom, type ShotView, seedOf, type TakeView } from './model/view.ts';
import styles from './storyboard.module.css';
import type { TakeProps } from './tabProps.ts';
import { capital, spokenTake, waitingWords } from './takeWords.ts';
import { type BoardHandle, chooseTake } from './useBoard.ts';

/** The takes of a shot, newest first: a click selects one for the film. */
export function Takes({ board, shot, take }: TakeProps) {
  const newest = shot.takes.toReversed();
  const choose = (jobId: string) => {
    const chosen = newest.find((one) => one.jobId === jobId);
    if (chosen) chooseTake(board, shot, chosen);
  };
  const ids = newest.map(({ jobId }) => jobId);
  const list = listBox({ ids, chosen: take?.jobId, onChoose: choose, onOpen: choose, elementId: rowId });
  return (
    <aside className={styles.sbTakes} aria-label={t`Takes`} data-panel tabIndex={-1}>
      <header className={`row ${styles.viewHead}`}>
        <h2>{t`Takes`}</h2>
        <span className="grow" />
        <RemovedTakes board={board} shot={shot} />
        <ReviewButton shot={shot} />
      </header>
      {newest.length === 0 ? (
        <p className="t2 pad">{t`No take yet`}</p>
      ) : (
        <div className={styles.takeList} role="listbox" aria-label={t`Takes of shot ${shot.number}`} {...list}>
          {newest.map((entry) => (
            <TakeRow
              key={entry.jobId}
              shot={shot}
              entry={entry}
              isShown={entry.jobId === take?.jobId}
              onSelect={() => chooseTake(board, shot, entry)}
            />
          ))}
        </div>
      )}
    </aside>
  );
}

function ReviewButton({ shot: { shot, takes } }: { shot: ShotView }) {
  const off = takes.length === 0 ? t`No take yet` : undefined;
  const open = () => navigate('review', { shot: shot.id });
  const hint = useShortcut('board.review', open, off === undefined);
  if (off) return null;
  return (
    <Button variant="ghost" kbd={hint} onClick={open}>
      {t`Review`}
    </Button>
  );
}

/** Takes removed from the shot: they were paid for, and can be restored here. */
function RemovedTakes({ board, shot: { shot } }: { board: BoardHandle; shot: ShotView }) {
  const removed = shot.removedTakes ?? [];
  if (removed.length === 0) return null;
  const items = removed.map((jobId) => {
    const job = board.media.jobs.get(jobId);
    const words = [job ? formatStamp(job.createdAt) : t`Take`, seedWords(job)].filter(Boolean).join(', ');
    return {
      id: jobId,
      label: t`Restore: ${words}`,
      onSelect: () => board.sync.edit(returnTake(shot.id, jobId)),
    };
  });
  return (
    <Menu
      label={t`Removed takes`}
      items={items}
      trigger={<Button variant="ghost">{t`${removed.length} removed`}</Button>}
    />
  );
}

const rowId = (jobId: string): string => `take-${jobId}`;

interface RowProps {
  shot: ShotView;
  entry: TakeView;
  isShown: boolean;
  onSelect: () => void;
}

function TakeRow({ shot, entry, isShown, onSelect }: RowProps) {
  const { job, number, jobId, clip } = entry;
  const isSelected = jobId === shot.active?.jobId;
  const details = job && detailsOf(job, promotedFrom(entry, shot.takes));
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list box holds the focus and names its active row.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box owns the keys.
    <div
      id={rowId(jobId)}
      role="option"
      aria-selected={isShown}
      className={`${styles.take} ${isShown ? styles.sel : ''}`}
      title={details}
      onClick={onSelect}
    >
      <span className="vh">
        {spokenTake(shot.number, entry, isSelected)}, {details}.{' '}
      </span>
      <div className={`media ${clip ? '' : styles.none}`}>
        {clip && (isSelected ? <ClipPicture clip={clip} /> : <ClipPreview clip={clip} />)}
        {clip && clip.state !== 'local' && <StoragePlate storage={clip} />}
        {job?.state === 'failed' && (
          <span className="st failed">
            <FailGlyph />
          </span>
        )}
        {job && !isTerminal(job.state) && <ProgressBar percent={job.progress} />}
      </div>
      <div className="col grow" aria-hidden="true">
        <b>
          {t`Take`} <TakeNumber number={number} verdict={job?.verdict} uncertain={job?.state === 'uncertain'} />
        </b>
        <TakeState job={job} />
      </div>
    </div>
  );
}

/** The rating, or the state of the take. */
function TakeState({ job }: { job: Job | undefined }) {
  const left = useRunningWords(job);
  if (!job) return <span className="t2">{t`Loading`}</span>;
  const { state, verdict } = job;
  if (state === 'succeeded') return <span className="t2">{verdict ? VERDICT_WORDS[verdict] : NOT_JUDGED}</span>;
  if (state === 'failed') return <span className="st failed">{failureWord(job)}</span>;
  const words = waitingWords(job) ?? (left ? capital(left) : STATE_WORDS[state]);
  return <span className={`st cut ${state}`}>{words}</span>;
}

/** All digits: a clipped seed could not be typed again. */
function seedWords(job: Job | undefined): string | undefined {
  if (job && isSeedUnsent(job)) return UNSENT_SEED;
  const seed = seedOf({ job });
  return seed === undefined ? undefined : t`Seed ${seed}`;
}

/** Seed, price and date of a take, and the take that it remakes in higher quality. */
function detailsOf(job: Job, promoted: TakeView | undefined): string {
  const { money, state, finishedAt, createdAt } = job;
  const { chargedNano, chargedLowNano, estimateNano, estimateLowNano, uncertainNano, unpriced } = money;
  const price =
    uncertainNano > 0
      ? t`${formatNano(uncertainNano)} unconfirmed`
      : isTerminal(state)
        ? priceText(chargedNano, chargedLowNano, 'most', unpriced ? 1 : 0)
        : priceText(estimateNano, estimateLowNano, 'range', unpriced ? 1 : 0);
  const from = promoted && t`From take ${promoted.number}`;
  return [seedWords(job), price, formatStamp(finishedAt ?? createdAt), from].filter(Boolean).join(', ');
}
