import { Clapperboard, Columns2, Star, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { Result } from '../../../shared/contract/result.ts';
import { VERDICTS, type Verdict } from '../../../shared/jobs/job.ts';
import type { ChosenAssetFigures } from '../../../shared/library/chosenAssets.ts';
import { t } from '../../../shared/text/texts.ts';
import {
  ActionButton,
  chosenCount,
  chosenInput,
  navigate,
  RatingChoice,
  useAction,
  useCall,
  useEntities,
  useShortcut,
} from '../../app/index.ts';
import { Button, formatBytes, formatCount, formatSeconds, Icon, Refusal } from '../../ui/index.ts';
import { useIsBin } from './Bin.tsx';
import {
  binChosen,
  exportChosen,
  isLong,
  judgeChosen,
  MOST_AT_ONCE,
  MOST_IN_EXPORT,
  restoreChosen,
  starChosen,
  useUnderWay,
} from './bulkActions.ts';
import { EmptyBinDialog } from './EmptyBin.tsx';
import { type AssetChoice, chooseNone, useLibraryView } from './state.ts';
import { TagButton } from './TagDialog.tsx';
import styles from './table.module.css';

const atMost = (count: number): string => t`Select at most ${formatCount(count)} items.`;

/** Calls about the selection wait this long after its last change. */
const REST_MS = 150;

/** Totals of all selected assets; a single one is in the cache. */
export function useChosenFigures(choice: AssetChoice) {
  const isMany = choice.all !== undefined || choice.ids.size > 1;
  const read = useCall('library.chosen', isMany ? chosenInput(choice) : null, {
    on: ['asset.changed', 'job.changed'],
    debounceMs: REST_MS,
  });
  return { figures: isMany && !read.stale ? read.data : undefined, error: isMany ? read.error : undefined };
}

interface BulkBarProps {
  /** For more than one; undefined until known. */
  figures: ChosenAssetFigures | undefined;
}

export function BulkBar({ figures }: BulkBarProps) {
  const choice = useLibraryView((view) => view.choice);
  const isBin = useIsBin();
  const { refusal, run } = useAction();
  const count = figures?.count ?? chosenCount(choice);
  const act = (action: Promise<Result<unknown>>) => void run(action);
  useShortcut('page.leave', chooseNone);
  const underWay = useUnderWay();
  if (isLong(underWay)) return <LongAction {...underWay} />;
  return (
    <section className={`note-bar ${styles.bulk}`} aria-label={t`Selection`}>
      <span className="nw" role="status">
        <b>{t`${formatCount(count)} selected`}</b> <SizeWords figures={figures} />
      </span>
      {isBin ? (
        <>
          <Refusal text={refusal} />
          <span className="grow" />
          <ActionButton variant="ghost" action="library.restore" onDo={() => act(restoreChosen(choice))}>
            <Icon of={Undo2} />
            {t`Restore`}
          </ActionButton>
          <DeleteForEver choice={choice} count={count} />
        </>
      ) : (
        <Actions figures={figures} count={count} refusal={refusal} act={act} />
      )}
    </section>
  );
}

/** Blocks other actions on the selection while this one runs. */
function LongAction({ done, of }: { done: number; of: number }) {
  return (
    <section className={`note-bar ${styles.bulk}`} aria-label={t`Selection`}>
      <span className="nw" role="status">
        {t`${formatCount(done)} of ${formatCount(of)}`}
      </span>
    </section>
  );
}

/** Deletes individually selected files; the whole bin is emptied from its own bar. */
function DeleteForEver({ choice, count }: { choice: AssetChoice; count: number }) {
  // The confirmed files are deleted, even if the selection behind the dialog changes meanwhile.
  const [asked, setAsked] = useState<string[]>();
  const isTooMany = choice.all !== undefined || count > MOST_AT_ONCE;
  return (
    <>
      <Button
        variant="ghost-danger"
        off={isTooMany ? atMost(MOST_AT_ONCE) : undefined}
        onClick={() => setAsked([...choice.ids])}
      >
        {t`Delete for good`}
      </Button>
      {asked && <EmptyBinDialog ids={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

interface ActionsProps extends BulkBarProps {
  count: number;
  refusal: string | undefined;
  act: (action: Promise<Result<unknown>>) => void;
}

function Actions({ figures, count, refusal, act }: ActionsProps) {
  const choice = useLibraryView((view) => view.choice);
  const isStarred = useIsStarred(choice);
  const tooMany = count > MOST_IN_EXPORT ? atMost(MOST_IN_EXPORT) : undefined;
  return (
    <>
      {count > 1 && (
        <>
          <span className="sepv" />
          <JudgeMany figures={figures} onJudge={(verdict) => act(judgeChosen(choice, verdict))} />
        </>
      )}
      <ReviewButton />
      <ActionButton
        variant="ghost"
        action="library.star"
        title={t`Star`}
        onDo={() => act(starChosen(choice, !isStarred))}
      >
        <Icon of={Star} />
        <span className={styles.word}>{isStarred ? t`Unstar` : t`Star`}</span>
      </ActionButton>
      <TagButton />
      <PutOnBoard />
      <Refusal text={refusal} />
      <span className="grow" />
      <ActionButton
        variant="ghost"
        action="library.export"
        title={t`Export`}
        off={tooMany}
        onDo={() => act(exportChosen(choice))}
      >
        {t`Export`}
      </ActionButton>
      <ActionButton variant="ghost" action="library.bin" title={t`Bin`} onDo={() => act(binChosen(choice))}>
        <Icon of={Trash2} />
        {t`Bin`}
      </ActionButton>
    </>
  );
}

/** All selected assets known here are favourites, so the next press removes the mark. */
function useIsStarred({ ids, all }: AssetChoice): boolean {
  return useEntities(({ assets }) => !all && [...ids].every((id) => assets.get(id)?.starred));
}

function SizeWords({ figures }: BulkBarProps) {
  const onlyId = useLibraryView(({ choice: { ids, all } }) => (!all && ids.size === 1 ? [...ids][0] : undefined));
  const own = useEntities(({ assets }) => (onlyId === undefined ? undefined : assets.get(onlyId)));
  const known = figures ?? (own && { bytes: own.bytes, seconds: own.seconds ?? 0 });
  if (!known) return null;
  const parts = [formatBytes(known.bytes), known.seconds > 0 && formatSeconds(known.seconds)];
  return <span className="t3">{parts.filter(Boolean).join(', ')}</span>;
}

function JudgeMany({ figures, onJudge }: BulkBarProps & { onJudge: (verdict: Verdict | null) => void }) {
  const [first, second] = figures?.verdicts ?? [];
  const shared = second ? undefined : VERDICTS.find((verdict) => verdict === first?.value);
  const judge = (verdict: Verdict) => onJudge(shared === verdict ? null : verdict);
  return <RatingChoice aria-label={t`Rating`} small value={shared ?? null} onValue={judge} />;
}

const MOST_REVIEWED = 100;

function ReviewButton() {
  const { ids, all } = useLibraryView((view) => view.choice);
  const off = all || ids.size > MOST_REVIEWED ? atMost(MOST_REVIEWED) : undefined;
  return (
    <ActionButton
      variant="ghost"
      action="library.compare"
      title={t`Review`}
      off={off}
      onDo={() => navigate('review', { assets: [...ids].join(',') })}
    >
      <Icon of={Columns2} />
      <span className={styles.word}>{t`Review`}</span>
    </ActionButton>
  );
}

/** The most assets that become shots at once: more would be hard to find on the board. */
const MOST_ON_BOARD = 100;

function PutOnBoard() {
  const { ids, all } = useLibraryView((view) => view.choice);
  const off = all || ids.size > MOST_ON_BOARD ? atMost(MOST_ON_BOARD) : undefined;
  return (
    <ActionButton
      variant="ghost"
      action="library.board"
      title={t`Add to board`}
      off={off}
      onDo={() => navigate('storyboard', { add: [...ids].join(',') })}
    >
      <Icon of={Clapperboard} />
      <span className={styles.word}>{t`Add to board`}</span>
    </ActionButton>
  );
}
