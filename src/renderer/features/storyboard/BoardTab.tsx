import { playedOf } from '../../../shared/film/film.ts';
import { isTerminal, type Job, type Verdict } from '../../../shared/jobs/job.ts';
import { resultWords } from '../../../shared/jobs/resultWords.ts';
import { isRequestOf, KINDS } from '../../../shared/kinds/index.ts';
import { t } from '../../../shared/text/texts.ts';
import { announce, RatingChoice, saveVerdict } from '../../app/index.ts';
import { PriceRow, SpendDialog } from '../../spending/index.ts';
import { Segmented } from '../../ui/index.ts';
import { STATE_WORDS, VERDICT_WORDS } from '../../words/index.ts';
import { Cards } from './Cards.tsx';
import { chainAt, shotsText, takesText } from './link/chains.ts';
import { LinkMenu } from './link/LinkMenu.tsx';
import { useLinkKey, useLinkView } from './link/linkChoices.ts';
import { useChain } from './link/useChain.ts';
import type { ShotView, TakeView } from './model/view.ts';
import { Notice } from './Notice.tsx';
import { PlayRow } from './player/Transport.tsx';
import { Viewer } from './player/Viewer.tsx';
import { useFilmSound } from './sound/useFilmSound.ts';
import styles from './storyboard.module.css';
import { TakeActions } from './TakeActions.tsx';
import { Takes } from './Takes.tsx';
import type { BoardTabProps, TakeProps } from './tabProps.ts';
import { takeName } from './takeWords.ts';
import { type BoardHandle, playTake } from './useBoard.ts';

/** The viewer with the takes of a shot, the film strip, the notice and the cards. */
export function BoardTab({ board, shot, take, actions, player, onPlayer }: BoardTabProps) {
  useLinkKey(board, shot);
  const sound = useFilmSound(board);
  return (
    <>
      <div className={styles.view}>
        <ViewHead board={board} shot={shot} take={take} />
        <Viewer board={board} shot={shot} onPlayer={onPlayer} heard={sound} />
        <Takes board={board} shot={shot} take={take} />
      </div>
      <PlayRow board={board} shot={shot} player={player} sound={sound} />
      <section className={styles.strip} data-panel tabIndex={-1} aria-label={t`Shots of the film`}>
        <Notice board={board} shot={shot} actions={actions} />
        <Cards board={board} selected={shot} onRemove={actions.remove} onMove={actions.move} />
        <LinkMenu board={board} />
        <ChainDialog board={board} />
      </section>
    </>
  );
}

/** The name of the shown take, and its rating. */
function ViewHead({ board, shot, take }: TakeProps) {
  const job = take?.job;
  const facts = take && factsOf(take);
  const whole = take?.trim && take.clip?.seconds;
  return (
    <header className={`row ${styles.viewHead}`}>
      <h2>{takeName(shot, take)}</h2>
      <span
        className={`t2 cut grow ${styles.facts}`}
        title={whole === undefined ? facts : t`${facts}. Trimmed from ${lengthOf(whole)}.`}
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

/** `Selected take, 4 s, 720p`, with differences from the request. */
function factsOf(take: TakeView): string | undefined {
  const { job } = take;
  if (!job) return t`Loading`;
  if (job.state !== 'succeeded') return isTerminal(job.state) ? undefined : STATE_WORDS[job.state];
  const size = isRequestOf(KINDS.video, job.request) ? job.request.config?.resolution : undefined;
  const seconds = playedOf(take)?.seconds;
  const facts = [t`Selected take`, seconds !== undefined && lengthOf(seconds), size];
  return [facts.filter(Boolean).join(', '), resultWords(job)].filter(Boolean).join('. ');
}

const lengthOf = (seconds: number): string => t`${Number(seconds.toFixed(1))} s`;

function Rating({ job, number }: { job: Job; number: number }) {
  const judge = async (verdict: Verdict) => {
    const next = job.verdict === verdict ? undefined : verdict;
    if (!(await saveVerdict(job.id, next))) return;
    announce(next ? t`Take ${number}: ${VERDICT_WORDS[next]}` : t`Take ${number}: ${t`Not rated`}`);
  };
  return (
    <div className={`rating ${styles.ver}`}>
      <RatingChoice aria-label={t`Rating`} value={job.verdict ?? null} onValue={(verdict) => void judge(verdict)} />
    </div>
  );
}

/** The chain of a shot with its price; enqueued whole, now or tonight. */
function ChainDialog({ board }: { board: BoardHandle }) {
  const chainOf = useLinkView((view) => view.chainOf);
  const view = board.shots.find(({ shot }) => shot.id === chainOf);
  return view ? <OpenChain board={board} shots={chainAt(board.shots, view)} /> : null;
}

const close = () => useLinkView.setState({ chainOf: undefined });

function OpenChain({ board, shots }: { board: BoardHandle; shots: readonly ShotView[] }) {
  const chain = useChain(board, shots);
  const { now, off, seconds } = chain;
  const label = t`Make ${shots.length} takes`;
  return (
    <SpendDialog
      title={t`Make ${shotsText(shots)}?`}
      label={label}
      off={off}
      {...chain.order(label)}
      onClose={close}
      price={<PriceRow what={takesText(shots.length, seconds)} now={now} kind="video" />}
    >
      {t`Each shot starts from the last frame before it. If one fails, the rest are not sent.`}
    </SpendDialog>
  );
}
