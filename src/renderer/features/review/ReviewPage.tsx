import { useEffect, useState } from 'react';
import type { NightReport } from '../../../shared/jobs/night.ts';
import { plural, t } from '../../../shared/text/texts.ts';
import { usePlace, useProjectId, useShortcut } from '../../app/index.ts';
import { SyncPlayer } from '../../player/syncPlayer.ts';
import { Button, EmptyState, formatClock, formatStamp, PriceWords, Reading, Segmented } from '../../ui/index.ts';
import { type BoardHandle, useBoard } from '../storyboard/useBoard.ts';
import { About } from './About.tsx';
import {
  CHECK_WORDS,
  type Checked,
  CheckMark,
  type CheckState,
  itemsIn,
  nextFinding,
  STATES,
  useChecks,
} from './checks.tsx';
import { firstOf, isRateable, isUnrated, type ReviewGroup, type ReviewItem } from './items.ts';
import { NothingLeft } from './NothingLeft.tsx';
import { PictureLine } from './PictureLine.tsx';
import { PlayLine } from './PlayLine.tsx';
import { RateBar } from './RateBar.tsx';
import styles from './review.module.css';
import { Stage } from './Stage.tsx';
import { Strip } from './Strip.tsx';
import { type Review, useReview } from './useReview.ts';
import {
  SOURCES,
  type Source,
  type SourceId,
  useBack,
  useSource,
  useSourceLinks,
  useUnratedCount,
} from './useSource.ts';
import { isPicture } from './view.ts';

/** Takes of a shot, of an overnight run, unrated ones, or ones selected elsewhere: one by one or side by side, each with its rating. */
export function ReviewPage() {
  const projectId = useProjectId();
  return (
    <main data-page="review" className={`page ${styles.review}`}>
      {projectId === undefined ? <Opened board={undefined} /> : <OnBoard id={projectId} />}
    </main>
  );
}

function OnBoard({ id }: { id: string }) {
  const board = useBoard(id);
  if (board.board || board.error) return <Opened board={board} />;
  return (
    <>
      <div className="bar">
        <h1>{t`Review`}</h1>
      </div>
      <Reading of={{}} rows={6} />
    </>
  );
}

function Opened({ board }: { board: BoardHandle | undefined }) {
  const source = useSource(board);
  const [state, setState] = useState<CheckState>();
  const items = source.groups.flatMap(({ items }) => items);
  const checks = useChecks(source.id === 'night' ? items : NONE, board);
  const counted = (of: CheckState) =>
    itemsIn(
      items.filter(({ isNew }) => isNew),
      checks,
      of,
    ).length;
  const groups = state ? filtered(source.groups, itemsIn(items, checks, state)) : source.groups;
  const [first, ...rest] = groups;
  const start = first && startOf(groups, source);
  if (!first || !start)
    return (
      <>
        <Bar source={source} board={board} />
        {source.loading || source.error ? (
          <Reading of={{ ...source, data: undefined }} rows={6} />
        ) : (
          <section className={styles.done} aria-label={t`Nothing to review`} data-panel tabIndex={-1}>
            <EmptyState title={t`Nothing to review`}>{EMPTY[source.id]}</EmptyState>
          </section>
        )}
      </>
    );
  const key = `${window.location.hash} ${source.turn} ${state}`;
  return (
    <Reviewing
      key={key}
      source={source}
      groups={[first, ...rest]}
      start={start}
      board={board}
      night={source.id === 'night' ? checks : undefined}
    >
      {source.report && <CheckFilter report={source.report} countOf={counted} value={state} onValue={setState} />}
    </Reviewing>
  );
}

const EMPTY: Record<SourceId, string> = {
  shot: t`No shot has a take yet.`,
  night: t`This run has made nothing yet.`,
  unrated: t`Every take has a rating.`,
  chosen: t`Nothing found`,
};

/** The shot or job in the address, otherwise the first unrated take. */
function startOf(groups: readonly ReviewGroup[], { id, first }: Source): ReviewItem | undefined {
  const named = id === 'shot' ? groups.find(({ key }) => key === first) : undefined;
  if (named) return firstOf(named);
  const items = groups.flatMap((group) => group.items);
  return items.find(({ jobId }) => jobId === first) ?? items.find(isUnrated) ?? firstOf(groups[0]);
}

function filtered(groups: readonly ReviewGroup[], items: readonly ReviewItem[]): ReviewGroup[] {
  return groups
    .map((group) => ({ ...group, items: group.items.filter((item) => items.includes(item) || !item.isNew) }))
    .filter((group) => group.items.some(({ isNew }) => isNew));
}

const NONE: never[] = [];

interface ReviewingProps {
  source: Source;
  groups: readonly [ReviewGroup, ...ReviewGroup[]];
  start: ReviewItem;
  board: BoardHandle | undefined;
  /** The quality checks of all takes of an overnight run. */
  night: ReadonlyMap<string, Checked> | undefined;
  children: React.ReactNode;
}

function Reviewing({ source, groups, start, board, night, children }: ReviewingProps) {
  const [player] = useState(() => new SyncPlayer());
  useEffect(() => () => player.dispose(), [player]);
  const review = useReview({ groups, board, first: start, isOneShot: source.id === 'shot' });
  const { current, group, sides, scope } = review;
  const own = useChecks(night ? NONE : group.items, board);
  const checks = night ?? own;
  const [place, setPlace] = useState({ key: '', finding: 0 });
  const finding = place.key === current.key ? place.finding : -1;
  const at = checks.get(current.key)?.findings[finding]?.at;
  useEffect(() => {
    if (at === undefined) return;
    player.pause();
    player.seek(at);
  }, [player, at]);
  const onFinding = (next: number) => setPlace({ key: current.key, finding: next });
  const toNextFinding = () => {
    const next = nextFinding(night ? scope : group.items, checks, { key: current.key, finding });
    if (!next) return;
    review.show(next.key);
    setPlace(next);
  };
  usePlace(sides.every(isPicture) ? 'pictures' : 'review');
  useReviewKeys(review);
  useShortcut('review.nextFinding', toNextFinding);
  if (review.isDone)
    return (
      <>
        <Bar source={source} board={board} review={review} />
        <NothingLeft review={review} source={source} board={board} />
        <Strip review={review} checks={checks} />
      </>
    );
  return (
    <>
      <Bar source={source} board={board} review={review} />
      {children}
      <Stage review={review} player={player} checks={checks} />
      <About review={review} board={board} checks={checks} finding={finding} onFinding={onFinding} />
      {sides.every(isPicture) ? (
        <PictureLine review={review} />
      ) : (
        <PlayLine {...{ review, player, checks, finding, onFinding }} />
      )}
      <RateBar review={review} board={board} />
      <Strip review={review} checks={checks} />
    </>
  );
}

interface BarProps {
  source: Source;
  board: BoardHandle | undefined;
  review?: Review;
}

function Bar({ source, board, review }: BarProps) {
  const back = useBack(source.id);
  const leave = () => {
    window.location.hash = back.href;
  };
  const hint = useShortcut('page.leave', leave);
  return (
    <div className="bar">
      <h1>{t`Review`}</h1>
      <Sources source={source} board={board} review={review} />
      <span className="grow" />
      {review && <Rated items={review.scope} />}
      {review && <SideCount review={review} />}
      <Button variant="ghost" kbd={hint} onClick={leave}>
        {back.label}
      </Button>
    </div>
  );
}

function Sources({
  source,
  board,
  review,
}: {
  source: Source;
  board: BoardHandle | undefined;
  review: Review | undefined;
}) {
  const links = useSourceLinks(board);
  const unrated = useUnratedCount();
  const shot = source.id === 'shot' ? review?.group.shot : undefined;
  const words: Record<SourceId, string> = {
    shot: shot ? t`Shot ${shot.number}` : t`Shots`,
    night: source.report ? t`Overnight run ${source.report.run.number}` : t`Last night`,
    unrated: unrated === undefined ? t`Not rated` : t`${unrated} not rated`,
    chosen: t`Selection`,
  };
  return (
    <Segmented
      aria-label={t`Review`}
      value={source.id}
      onValue={(next) => {
        window.location.hash = links[next] ?? '';
      }}
      options={SOURCES.map((id) => ({ value: id, label: words[id], off: links[id] === undefined && id !== source.id }))}
    />
  );
}

function Rated({ items }: { items: readonly ReviewItem[] }) {
  const jobs = new Map(items.flatMap((item) => (item.isNew && isRateable(item) ? [[item.jobId, item.job]] : [])));
  const rated = [...jobs.values()].filter((job) => job?.verdict !== undefined).length;
  if (jobs.size === 0) return null;
  return (
    <span className="t2 nw" role="status">
      {t`${rated} of ${jobs.size} rated`}
    </span>
  );
}

function SideCount({ review: { sides, group, setCount } }: { review: Review }) {
  const most = Math.min(4, group.items.filter((item) => isRateable(item) || item.jobId === undefined).length);
  return (
    <>
      <span className="t2 nw">{t`Side by side`}</span>
      <Segmented
        aria-label={t`Side by side`}
        value={String(Math.max(1, sides.length))}
        onValue={(next) => setCount(Number(next))}
        options={[1, 2, 3, 4].map((count) => ({
          value: String(count),
          label: String(count),
          off: count > Math.max(1, most),
        }))}
      />
    </>
  );
}

function useReviewKeys(review: Review): void {
  const { step, stepGroup, beside, swap, group, show } = review;
  const take = (number: number) => {
    const item = group.items.find((one) => one.number === number);
    if (item) show(item.key);
  };
  useShortcut('review.before', () => step(-1));
  useShortcut('review.after', () => step(1));
  useShortcut('review.shotBefore', () => stepGroup(-1));
  useShortcut('review.shotAfter', () => stepGroup(1));
  useShortcut('review.beside', () => beside());
  useShortcut('review.swap', swap);
  useShortcut('review.take1', () => take(1));
  useShortcut('review.take2', () => take(2));
  useShortcut('review.take3', () => take(3));
  useShortcut('review.take4', () => take(4));
  useShortcut('review.take5', () => take(5));
  useShortcut('review.take6', () => take(6));
  useShortcut('review.take7', () => take(7));
  useShortcut('review.take8', () => take(8));
  useShortcut('review.take9', () => take(9));
}

interface CheckFilterProps {
  report: NightReport;
  countOf: (state: CheckState) => number;
  value: CheckState | undefined;
  onValue: (state: CheckState | undefined) => void;
}

/** The results of an overnight run, filtered by quality check. */
function CheckFilter({ report, countOf, value, onValue }: CheckFilterProps) {
  const { made, refused, spent, firstSentAt, lastEndedAt } = report;
  return (
    <div className={`row ${styles.night}`}>
      {firstSentAt !== undefined && (
        <b>
          {lastEndedAt === undefined
            ? formatStamp(firstSentAt)
            : `${formatStamp(firstSentAt)}–${formatClock(lastEndedAt)}`}
        </b>
      )}
      <span className="t2 cut">
        {[plural(made, 'new take'), refused > 0 && t`${refused} refused`].filter(Boolean).join(', ')} · {t`Charged`}{' '}
        <PriceWords nano={spent.settledNano} lowNano={spent.settledLowNano} as="most" unpriced={spent.unpriced} />
      </span>
      <span className="grow" />
      <Segmented
        small
        aria-label={t`Quality check`}
        value={value ?? 'all'}
        onValue={(next) => onValue(next === 'all' ? undefined : next)}
        options={[
          { value: 'all' as const, label: t`All` },
          ...STATES.map((state) => ({
            value: state,
            name: `${CHECK_WORDS[state]} ${countOf(state)}`,
            off: countOf(state) === 0 && state !== value,
            label: (
              <>
                <CheckMark state={state} /> {CHECK_WORDS[state]} {countOf(state)}
              </>
            ),
          })),
        ]}
      />
    </div>
  );
}
