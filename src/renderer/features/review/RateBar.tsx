import { Info, RotateCcw } from 'lucide-react';
import { useMemo } from 'react';
import { VERDICTS } from '../../../shared/jobs/job.ts';
import { languageTag, t } from '../../../shared/text/texts.ts';
import { useShortcut } from '../../app/index.ts';
import { Button, Icon, PriceTag } from '../../ui/index.ts';
import { VERDICT_WORDS } from '../../words/index.ts';
import { shotsText } from '../storyboard/link/chains.ts';
import { useChain } from '../storyboard/link/useChain.ts';
import { type ShotView, viewOf } from '../storyboard/model/view.ts';
import type { BoardHandle } from '../storyboard/useBoard.ts';
import { isRateable, isSelected, type ReviewItem } from './items.ts';
import styles from './review.module.css';
import type { Review } from './useReview.ts';

/** The rating of one take, beside what Keep would make outdated. */
export function RateBar({ review, board }: { review: Review; board: BoardHandle | undefined }) {
  const { current, group, rate, undo } = review;
  const hints = {
    keep: useShortcut('verdict.keep', () => rate('keep')),
    maybe: useShortcut('verdict.maybe', () => rate('maybe')),
    no: useShortcut('verdict.no', () => rate('no')),
  };
  const undoHint = useShortcut('board.undo', () => undo?.(), undo !== undefined);
  const off = whyOff(current);
  // Only English lower-cases the name within a sentence; German, for example, capitalizes nouns.
  const name = languageTag() === 'en' ? current.name.charAt(0).toLowerCase() + current.name.slice(1) : current.name;
  const verdict = current.job?.verdict;
  return (
    <section className={`row ${styles.rate}`} aria-label={t`Rate ${name}`} data-panel tabIndex={-1}>
      <div className={`${styles.effect} grow`}>
        {off !== undefined ? (
          <Effect isQuiet>{off}</Effect>
        ) : board && group.shot ? (
          <IfKept board={board} shot={group.shot} item={current} name={name} />
        ) : (
          <Effect isQuiet>{t`Not a take of a shot: Keep only rates it.`}</Effect>
        )}
      </div>
      {undo && (
        <Button variant="ghost" kbd={undoHint} onClick={undo}>
          {t`Undo`}
        </Button>
      )}
      <fieldset className={`row rating ${styles.ratings}`} aria-label={t`Rating`}>
        {VERDICTS.map((value) => (
          <Button
            key={value}
            variant={value === 'keep' ? 'primary' : 'secondary'}
            kbd={hints[value]}
            off={off}
            aria-pressed={verdict === value}
            onClick={() => rate(value)}
          >
            {value === 'keep' ? t`Keep ${name}` : VERDICT_WORDS[value]}
          </Button>
        ))}
      </fieldset>
    </section>
  );
}

function whyOff(item: ReviewItem): string | undefined {
  if (item.jobId === undefined) return t`Imported files have no rating.`;
  return isRateable(item) ? undefined : t`This take was not made.`;
}

interface EffectProps {
  isQuiet?: boolean;
  note?: React.ReactNode;
  children: React.ReactNode;
}

function Effect({ isQuiet = false, note, children }: EffectProps) {
  return (
    <>
      <Icon of={isQuiet ? Info : RotateCcw} />
      <div>
        <div>{children}</div>
        {note && <div className="t2">{note}</div>}
      </div>
    </>
  );
}

const NONE: never[] = [];

interface IfKeptProps {
  board: BoardHandle;
  shot: ShotView;
  item: ReviewItem;
  name: string;
}

/** Shots that would be outdated if the take were selected for its shot, and the price to remake them. */
function IfKept({ board, shot, item, name }: IfKeptProps) {
  const { shots, media } = board;
  const cast = board.board?.cast;
  const { jobId, output } = item;
  const { kept, stale } = useMemo(() => {
    if (jobId === undefined) return { kept: shots, stale: NONE };
    const selected = { activeTake: jobId, activeOutput: output };
    const edited = shots.map((view) => (view.shot.id === shot.shot.id ? { ...view.shot, ...selected } : view.shot));
    const before = new Set(shots.filter(({ state }) => state.isStale).map((view) => view.shot.id));
    const views = viewOf(edited, media, cast);
    return { kept: views, stale: views.filter(({ shot: one, state }) => state.isStale && !before.has(one.id)) };
  }, [shots, media, cast, shot.shot.id, jobId, output]);
  const { price } = useChain({ ...board, shots: kept }, stale).now;
  if (isSelected(item, shot)) return <Effect isQuiet>{t`Shot ${shot.number} uses ${name}.`}</Effect>;
  if (stale.length === 0)
    return <Effect isQuiet>{t`Shot ${shot.number} will use ${name}. Nothing becomes outdated.`}</Effect>;
  const note = price && (
    <>
      {t`Remaking costs`} <PriceTag nano={price.estimateNano} lowNano={price.lowNano} unpriced={price.unpriced} />
    </>
  );
  return <Effect note={note}>{t`Keeping ${name} makes ${shotsText(stale)} outdated.`}</Effect>;
}
