import { useState } from 'react';
import { VERDICTS, type Verdict } from '../../../shared/jobs/job.ts';
import { summableJobs } from '../../../shared/money/costPerKept.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { MoneyPlate, navigate, useAction, useShortcut } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Button, PriceWords, Refusal } from '../../ui/index.ts';
import { VERDICT_WORDS } from '../../words/index.ts';
import { Ripple } from '../storyboard/link/Ripple.tsx';
import type { BoardHandle } from '../storyboard/useBoard.ts';
import { isSelected } from './items.ts';
import styles from './review.module.css';
import type { Review } from './useReview.ts';
import { type Source, useUnratedCount } from './useSource.ts';

interface NothingLeftProps {
  review: Review;
  source: Source;
  board: BoardHandle | undefined;
}

/** Everything has a rating: what was kept and its cost, and at most three next steps. */
export function NothingLeft({ review, source, board }: NothingLeftProps) {
  const { scope, undo } = review;
  const undoHint = useShortcut('board.undo', () => undo?.(), undo !== undefined);
  const jobs = [...new Map(scope.flatMap(({ isNew, job }) => (isNew && job ? [[job.id, job] as const] : []))).values()];
  const of = (verdict: Verdict) => jobs.filter((job) => job.verdict === verdict);
  const kept = summableJobs(of('keep'));
  const sum = (nanoOf: (job: (typeof kept)[number]) => number) => kept.reduce((all, job) => all + nanoOf(job), 0);
  return (
    <section className={styles.done} aria-label={t`Nothing left to review`} data-panel tabIndex={-1}>
      <h2>{t`Nothing left to review`}</h2>
      <dl className={styles.counts}>
        {VERDICTS.map((verdict) => (
          <div key={verdict}>
            <dt>{VERDICT_WORDS[verdict]}</dt>
            <dd>{of(verdict).length}</dd>
          </div>
        ))}
        <div>
          <dt>{t`Cost of what you kept`}</dt>
          <dd>
            <PriceWords
              nano={sum(({ money }) => money.chargedNano)}
              lowNano={sum(({ money }) => money.chargedLowNano)}
              unpriced={kept.filter(({ money }) => money.unpriced).length}
              as="most"
            />{' '}
            {kept[0] && <MoneyPlate profileId={kept[0].profileId} />}
          </dd>
        </div>
      </dl>
      <div className={`stack ${styles.rvSteps}`}>
        {board && <Ripple board={board} isMain />}
        <MoreStep source={source} />
        <BinStep review={review} />
      </div>
      {undo && (
        <div className="row">
          <Button variant="ghost" kbd={undoHint} onClick={undo}>
            {t`Undo`}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Links to more unrated takes of a long run, otherwise to those made at other times. */
function MoreStep({ source }: { source: Source }) {
  const unrated = useUnratedCount() ?? 0;
  const count = source.more > 0 ? source.more : unrated;
  if (count === 0) return null;
  return (
    <div className="row between">
      <span>{t`${count} not rated`}</span>
      <Button
        onClick={() => (source.more > 0 || source.id === 'unrated' ? source.again() : navigate('review'))}
      >{t`Review ${counted(count, 'take')}`}</Button>
    </div>
  );
}

/** Bins the takes rated No, except those used in the film, with Undo in the same place. */
function BinStep({ review: { scope, groups } }: { review: Review }) {
  const { refusal, run } = useAction();
  const [binned, setBinned] = useState<string[]>();
  const shots = groups.flatMap(({ shot }) => shot ?? []);
  const ids = scope.flatMap((item) => {
    const { asset, job, isNew } = item;
    const isUsed = shots.some((shot) => isSelected(item, shot));
    return isNew && asset && job?.verdict === 'no' && !isUsed ? [asset.id] : [];
  });
  const count = binned?.length ?? ids.length;
  if (count === 0) return null;
  const move = async () => {
    const answer = await run(binned ? call('library.restore', { ids: binned }) : call('library.bin', { ids }));
    if (answer.ok) setBinned(binned ? undefined : ids);
  };
  return (
    <div className="row between">
      <span>{t`${counted(count, 'take')} rated No`}</span>
      <Refusal text={refusal} />
      <Button onClick={() => void move()}>
        {binned ? t`Restore ${counted(count, 'take')}` : t`Bin ${counted(count, 'take')}`}
      </Button>
    </div>
  );
}
