import { useRef, useState } from 'react';
import { type Job, resultsOf, type Verdict } from '../../../shared/jobs/job.ts';
import { t } from '../../../shared/text/texts.ts';
import { announce, saveVerdict } from '../../app/index.ts';
import { NOT_JUDGED, VERDICT_WORDS } from '../../words/index.ts';
import { patchShot } from '../storyboard/model/shots.ts';
import { type BoardHandle, playTake, shotNow } from '../storyboard/useBoard.ts';
import {
  firstOf,
  isRateable,
  isSelected,
  MOST,
  nextUnrated,
  type ReviewGroup,
  type ReviewItem,
  sidesOf,
  withAnother,
} from './items.ts';
import { setReviewView, useReviewView } from './view.ts';

export interface Review {
  groups: readonly ReviewGroup[];
  group: ReviewGroup;
  /** The take that a rating applies to. */
  current: ReviewItem;
  /** The takes side by side, A first. */
  sides: readonly ReviewItem[];
  /** The takes that arrow keys and ratings step through: those of the shot, or of the whole source. */
  scope: readonly ReviewItem[];
  /** Every take of the scope has a rating. */
  isDone: boolean;
  show: (key: string) => void;
  step: (by: 1 | -1) => void;
  stepGroup: (by: 1 | -1) => void;
  setCount: (count: number) => void;
  /** Adds this take beside the others, or the next one. */
  beside: (key?: string) => void;
  swap: () => void;
  rate: (verdict: Verdict) => void;
  /** Undoes the last rating and the selection it made. */
  undo: (() => void) | undefined;
}

/** The state before a rating, for Undo. */
interface Before {
  job: Job;
  key: string;
  /** The shot whose selected take changed. */
  shotId?: string | undefined;
  activeTake?: string | undefined;
  activeOutput?: number | undefined;
}

interface ReviewOf {
  groups: readonly [ReviewGroup, ...ReviewGroup[]];
  board: BoardHandle | undefined;
  /** The take shown first. */
  first: ReviewItem;
  /** Whether rating continues only within the shot. */
  isOneShot: boolean;
}

/** Steps through takes and rates them. Nothing is rated, selected or sent automatically. */
export function useReview({ groups, board, first, isOneShot }: ReviewOf): Review {
  const [at, setAt] = useState(first.key);
  const [isDone, setDone] = useState(false);
  /** The take just rated, until another is shown: a double press must not undo its rating. */
  const ratedKey = useRef<string>(undefined);
  const group = groups.find(({ items }) => items.some(({ key }) => key === at)) ?? groups[0];
  const current = group.items.find(({ key }) => key === at) ?? group.items[0] ?? first;
  const scope = isOneShot ? group.items : groups.flatMap(({ items }) => items);
  const { keys, replace, ...ways } = useSides(group, current);
  const show = (key: string) => {
    ratedKey.current = undefined;
    setDone(false);
    setAt(key);
    replace(key);
  };
  const showNext = (item: ReviewItem | undefined) => item && show(item.key);
  const rating = useRating(board, { group, current, show });
  const rate = async (verdict: Verdict) => {
    if (ratedKey.current === current.key) return;
    ratedKey.current = current.key;
    if (!(await rating.rate(verdict))) {
      ratedKey.current = undefined;
      return;
    }
    const next = nextUnrated(scope, current, verdict === 'no');
    // Unless the user has moved on meanwhile.
    setAt((now) => (now === current.key && next ? next.key : now));
    if (next) replace(next.key);
    setDone(!next);
  };
  return {
    ...ways,
    groups,
    group,
    current,
    sides: keys.flatMap((key) => group.items.find((item) => item.key === key) ?? []),
    scope,
    isDone,
    show,
    step: (by) => showNext(scope[scope.indexOf(current) + by]),
    stepGroup: (by) => showNext(firstOf(groups[groups.indexOf(group) + by])),
    rate: (verdict) => void rate(verdict),
    undo: rating.undo,
  };
}

/** The takes side by side; a newly chosen take replaces the current one. */
function useSides(group: ReviewGroup, current: ReviewItem) {
  const [sides, setSides] = useState<readonly string[]>();
  const count = useReviewView((view) => view.count);
  const isHere = (key: string) => group.items.some((item) => item.key === key);
  const kept = sides?.filter(isHere) ?? [];
  const keys = kept.includes(current.key) ? kept : sidesOf(group, current, count);
  return {
    keys,
    replace: (key: string) => {
      if (keys.length > 1 && !keys.includes(key) && isHere(key))
        setSides(keys.map((side) => (side === current.key ? key : side)));
    },
    setCount: (next: number) => {
      setReviewView({ count: next });
      setSides(sidesOf(group, current, next));
    },
    beside: (key?: string) => {
      const next = key === undefined ? withAnother(keys, group.items) : [...new Set([...keys, key])].slice(-MOST);
      if (next.join() === keys.join()) return;
      setReviewView({ count: next.length });
      setSides(next);
      announce(t`${group.items.find((item) => item.key === next.at(-1))?.name} was added to the comparison`);
    },
    swap: () => setSides([...keys.slice(0, 2).toReversed(), ...keys.slice(2)]),
  };
}

/** Saves ratings, newest last; Keep also selects the take. */
function useRating(board: BoardHandle | undefined, of: Pick<Review, 'group' | 'current' | 'show'>) {
  const { group, current, show } = of;
  const [done, setDone] = useState<readonly Before[]>([]);
  /** Resolves to whether to move to the next take: not after removing a rating. */
  const rate = async (verdict: Verdict): Promise<boolean> => {
    const { job, output, key, name } = current;
    if (!job || !isRateable(current)) return false;
    const selected = selectedBy(current, group, verdict);
    const next = isTakenBack(job, verdict) && !selected ? undefined : verdict;
    const isChanged = next !== job.verdict;
    if (isChanged && !(await saveVerdict(job.id, next))) return false;
    const { id: shotId, activeTake, activeOutput } = selected ?? {};
    if (board && shotId !== undefined) playTake(board, shotId, job.id, output);
    setDone((all) => [...all, { job, key, shotId, activeTake, activeOutput }]);
    announce(`${name}: ${next ? VERDICT_WORDS[next] : NOT_JUDGED}`);
    return next !== undefined;
  };
  const undo = async ({ job, key, shotId, activeTake, activeOutput }: Before) => {
    if (!(await saveVerdict(job.id, job.verdict))) return;
    // Keeps a later selection.
    if (board && shotId !== undefined && shotNow(board, shotId)?.activeTake === job.id)
      board.sync.edit(patchShot(shotId, { activeTake, activeOutput }));
    setDone((all) => all.slice(0, -1));
    show(key);
    announce(NOT_JUDGED);
  };
  const last = done.at(-1);
  return { rate, undo: last && (() => void undo(last)) };
}

/** The shot in which Keep selects this clip; undefined if it is selected already. */
const selectedBy = (item: ReviewItem, { shot }: ReviewGroup, verdict: Verdict) =>
  verdict !== 'keep' || isSelected(item, shot) ? undefined : shot?.shot;

/** The same rating again removes it, unless it was meant for another clip of the take. */
const isTakenBack = (job: Job, verdict: Verdict): boolean => job.verdict === verdict && resultsOf(job).length < 2;
