import type { Job, Verdict } from '../../../shared/job.ts';
import { isTerminal, VERDICTS } from '../../../shared/job.ts';
import { formatNano } from '../../../shared/money.ts';
import { resultWords } from '../../../shared/resultWords.ts';
import { isSeedUnsent, UNSENT_SEED } from '../../../shared/sentSeed.ts';
import { t } from '../../../shared/texts.ts';
import { announce, saveVerdict, useRunningWords, useShortcut } from '../../app/index.ts';
import {
  Button,
  FailGlyph,
  formatStamp,
  JobStateGlyph,
  Kbd,
  listBox,
  Menu,
  PriceWords,
  Segmented,
  StoragePlate,
  TakeNumber,
  toast,
} from '../../ui/index.ts';
import { billWords, FAILURE_WORDS, STATE_WORDS, VERDICT_WORDS } from '../../words/index.ts';
import { ClipPicture } from './ClipPicture.tsx';
import { returnTake } from './model/shots.ts';
import { promotedFrom, seedOf, type TakeView } from './model/take.ts';
import type { ShotView } from './model/view.ts';
import styles from './storyboard.module.css';
import { TakeActions } from './TakeActions.tsx';
import { blockedWords, spokenTake } from './takeWords.ts';
import { type BoardHandle, playTake, selectClip, selectTake, useBoardView } from './useBoard.ts';

interface TakesProps {
  board: BoardHandle;
  shot: ShotView;
  take: TakeView | undefined;
}

/** The takes of a shot, newest first, and the verdict on the one in the viewer. */
export function Takes({ board, shot, take }: TakesProps) {
  const isOpen = useBoardView((view) => view.isTakesOpen);
  const newest = shot.takes.toReversed();
  const list = listBox({
    ids: newest.map(({ jobId }) => jobId),
    chosen: take?.jobId,
    onChoose: (jobId) => selectTake(shot.shot.id, jobId),
    onOpen: () => take && activate(board, shot, take),
    elementId: rowId,
  });
  return (
    <aside className={`${styles.sbTakes} ${isOpen ? styles.open : ''}`} aria-label={t`Takes`} data-panel tabIndex={-1}>
      <div className="bar sub">
        <h2 className="nw">{t`Takes of shot ${shot.number}`}</h2>
        <span className="grow" />
        <span className="t3 cut">{countsOf(shot.takes)}</span>
        <RemovedTakes board={board} shot={shot} />
      </div>
      {newest.length === 0 ? (
        <p
          className={`t2 ${styles.noTakes}`}
        >{t`No take yet. Each one is kept with its price, also those you refuse.`}</p>
      ) : (
        <div className={styles.takeList} role="listbox" aria-label={t`Takes of shot ${shot.number}`} {...list}>
          {newest.map((entry) => (
            <TakeRow
              key={entry.jobId}
              shot={shot.number}
              entry={entry}
              promoted={promotedFrom(entry, shot.takes)}
              isSelected={entry.jobId === take?.jobId}
              isActive={entry.jobId === shot.active?.jobId}
              onSelect={() => selectTake(shot.shot.id, entry.jobId)}
            />
          ))}
        </div>
      )}
      {take && <TakeFoot board={board} shot={shot} take={take} />}
    </aside>
  );
}

/** Takes that were taken out of the shot: they were paid for, and go back from here. */
function RemovedTakes({ board, shot: { shot } }: { board: BoardHandle; shot: ShotView }) {
  const removed = shot.removedTakes ?? [];
  if (removed.length === 0) return null;
  const items = removed.map((jobId) => {
    const job = board.media.jobs.get(jobId);
    const seed = seedOf({ job });
    const words = [job ? formatStamp(job.createdAt) : t`A take`, seed !== undefined && t`seed ${seed}`];
    return {
      id: jobId,
      label: t`Put back: ${words.filter(Boolean).join(', ')}`,
      onSelect: () => board.sync.edit(returnTake(shot.id, jobId)),
    };
  });
  return (
    <Menu
      label={t`Removed takes`}
      items={items}
      trigger={
        <Button variant="ghost" className="nw">
          {t`${removed.length} removed`}
        </Button>
      }
    />
  );
}

const rowId = (jobId: string): string => `take-${jobId}`;

export function countsOf(takes: readonly TakeView[]): string {
  const count = (has: (job: Job) => boolean) => takes.filter(({ job }) => job && has(job)).length;
  const parts: [number, string][] = [
    [count(({ state }) => state === 'succeeded'), STATE_WORDS.succeeded.now],
    [count(({ state }) => state === 'failed'), STATE_WORDS.failed.now],
    [count(({ state }) => state === 'uncertain'), STATE_WORDS.uncertain.now],
    [count(({ state }) => state === 'queued' || state === 'blocked'), STATE_WORDS.queued.now],
    [count(({ state }) => ['sending', 'running', 'fetching'].includes(state)), STATE_WORDS.running.now],
  ];
  return parts
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`)
    .join(', ');
}

interface RowProps {
  /** The shot's number. */
  shot: number;
  entry: TakeView;
  /** The take that it repeats in a better form. */
  promoted: TakeView | undefined;
  isSelected: boolean;
  isActive: boolean;
  onSelect: () => void;
}

function TakeRow({ shot, entry, promoted, isSelected, isActive, onSelect }: RowProps) {
  const { job } = entry;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list box holds the focus and names its active row.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box owns the keys.
    <div
      id={rowId(entry.jobId)}
      role="option"
      aria-selected={isSelected}
      className={`${styles.take} ${isSelected ? styles.sel : ''}`}
      onClick={onSelect}
    >
      <span className="vh">{spokenTake(shot, entry, isActive)}. </span>
      <TakePicture entry={entry} />
      <div className="col grow">
        <div className="row">
          <TakeNumber
            number={entry.number}
            verdict={job?.verdict}
            active={isActive}
            doubt={job?.state === 'uncertain'}
          />
          <Seed take={entry} />
          {job && <TakeMoney job={job} />}
        </div>
        <div className="row t3">
          {job ? <TakeWords job={job} /> : t`being read`}
          {promoted && <span className="nw">{t`from take ${promoted.number}`}</span>}
        </div>
      </div>
    </div>
  );
}

/** Shows all digits: a seed that is cut off could not be typed again. */
export function Seed({ take }: { take: TakeView | undefined }) {
  const seed = seedOf(take);
  if (take?.job && isSeedUnsent(take.job)) {
    return (
      <span className="t3 cut grow" title={UNSENT_SEED}>
        {t`seed not sent`}
      </span>
    );
  }
  if (seed === undefined) return <span className="t3 cut grow">{t`no seed`}</span>;
  return (
    <span className="row mono t3 nw grow" title={t`Seed ${seed}`}>
      <span className="vh">{t`seed`} </span>
      {seed}
    </span>
  );
}

function TakePicture({ entry: { job, clip, clips } }: { entry: TakeView }) {
  if (job?.state === 'failed') {
    return (
      <div className={`media ${styles.none}`}>
        <FailGlyph />
      </div>
    );
  }
  if (!clip) return <div className={`media ${styles.none}`} />;
  return (
    <div className="media">
      <ClipPicture clip={clip} />
      {clip.state !== 'local' && <StoragePlate storage={clip} />}
      {clips.length > 1 && <span className="ov br">{t`${clips.length} clips`}</span>}
    </div>
  );
}

export function TakeMoney({ job: { money, state } }: { job: Job }) {
  if (money.uncertainNano > 0)
    return (
      <span className="st uncertain">
        <span>{formatNano(money.uncertainNano)}</span>
      </span>
    );
  const unpriced = money.unpriced ? 1 : 0;
  if (isTerminal(state))
    return <PriceWords nano={money.chargedNano} lowNano={money.chargedLowNano} as="most" unpriced={unpriced} />;
  return <PriceWords nano={money.estimateNano} lowNano={money.estimateLowNano} as="range" unpriced={unpriced} />;
}

export function TakeWords({ job }: { job: Job }) {
  const running = useRunningWords(job);
  if (job.state === 'succeeded') {
    const when = formatStamp(job.finishedAt ?? job.createdAt);
    const differs = resultWords(job);
    if (differs === '') return <span className="cut grow">{when}</span>;
    return (
      <span className="cut whole grow" title={`${differs} ${when}`}>
        {differs}
      </span>
    );
  }
  if (job.state === 'failed') {
    return (
      <>
        <span className="st failed cut whole grow" title={job.error?.message}>
          {job.error?.kind === 'moderation'
            ? t`${FAILURE_WORDS.moderation} by the filter`
            : (job.error?.message ?? STATE_WORDS.failed.word)}
        </span>
        <span className="t3 nw">{billWords(job.money)}</span>
      </>
    );
  }
  return (
    <JobStateGlyph state={job.state} progress={job.progress}>
      {running ?? blockedWords(job)}
    </JobStateGlyph>
  );
}

const activate = (board: BoardHandle, shot: ShotView, take: TakeView): void => {
  if (take.job?.state === 'succeeded') playTake(board, shot.shot.id, take.jobId, take.clipIndex);
};

function TakeFoot({ board, shot, take }: { board: BoardHandle; shot: ShotView; take: TakeView }) {
  const { job } = take;
  if (!job) return null;
  const isActive = take.jobId === shot.active?.jobId;
  return (
    <div className={styles.ver}>
      {take.clips.length > 1 && <Candidates board={board} shot={shot} take={take} />}
      {job.state === 'succeeded' ? (
        <>
          <Verdicts job={job} take={take} />
          {isActive ? (
            <span className={`${styles.plays} t3`} title={t`This take plays for the shot`}>
              {t`plays`}
            </span>
          ) : (
            <Button
              variant="ghost"
              title={t`Let this take play for the shot`}
              onClick={() => activate(board, shot, take)}
            >
              {t`Use`}
            </Button>
          )}
        </>
      ) : (
        <TakeActions key={job.id} job={job} />
      )}
    </div>
  );
}

/** The candidates of one take, side by side. */
function Candidates({ board, shot, take }: { board: BoardHandle; shot: ShotView; take: TakeView }) {
  return (
    <div className={`row ${styles.candidates}`}>
      <span className="t3 grow">{t`Candidate`}</span>
      <Segmented
        small
        aria-label={t`Candidates of take ${take.number}`}
        value={String(take.clipIndex)}
        onValue={(index) => selectClip(board, shot, take.jobId, Number(index))}
        options={take.clips.map((_, index) => ({
          value: String(index),
          label: String(index + 1),
          name: t`Candidate ${index + 1}`,
        }))}
      />
    </div>
  );
}

function Verdicts({ job, take }: { job: Job; take: TakeView }) {
  const isLooped = useBoardView(({ loopedJoint }) => loopedJoint !== undefined);
  const judge = async (verdict: Verdict) => {
    if (isLooped) return toast({ text: t`The loop shows two takes. Stop it to rate one.` });
    const next = job.verdict === verdict ? undefined : verdict;
    if (!(await saveVerdict(job.id, next))) return;
    announce(t`Take ${take.number}: ${next ? VERDICT_WORDS[next].judged : t`verdict taken back`}`);
  };
  const hints = {
    keep: useShortcut('verdict.keep', () => void judge('keep')),
    maybe: useShortcut('verdict.maybe', () => void judge('maybe')),
    no: useShortcut('verdict.no', () => void judge('no')),
  };
  return (
    <Segmented
      full
      aria-label={t`Verdict`}
      value={job.verdict ?? null}
      onValue={(verdict) => void judge(verdict)}
      options={VERDICTS.map((value) => ({
        value,
        name: VERDICT_WORDS[value].label,
        label: (
          <>
            {VERDICT_WORDS[value].label} <Kbd>{hints[value]}</Kbd>
          </>
        ),
      }))}
    />
  );
}
