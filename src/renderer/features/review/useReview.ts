import { useState } from 'react';
import { type Job, resultsOf, type Verdict } from '../../../shared/job.ts';
import { t } from '../../../shared/texts.ts';
import { announce, saveVerdict } from '../../app/index.ts';
import { VERDICT_WORDS } from '../../words/index.ts';
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
  /** That a rating is for. */
  current: ReviewItem;
  /** What stands side by side, A first. */
  sides: readonly ReviewItem[];
  /** What is gone through: the shot, or all of the source. */
  scope: readonly ReviewItem[];
  /** All of it has a rating. */
  isDone: boolean;
  show: (key: string) => void;
  step: (by: 1 | -1) => void;
  stepGroup: (by: 1 | -1) => void;
  setCount: (count: number) => void;
  /** Puts this one beside, or the next one. */
  beside: (key?: string) => void;
  swap: () => void;
  rate: (verdict: Verdict) => void;
  /** Takes the last rating back, and what it selected. */
  undo: (() => void) | undefined;
}

/** What was there before a rating. */
interface Before {
  job: Job;
  key: string;
  /** That the take was selected for. */
  shotId?: string | undefined;
  activeTake?: string | undefined;
  activeOutput?: number | undefined;
}

interface ReviewOf {
  groups: readonly [ReviewGroup, ...ReviewGroup[]];
  board: BoardHandle | undefined;
  /** What is shown first. */
  first: ReviewItem;
  /** A rating goes on within its shot only. */
  isOneShot: boolean;
}

/** Goes through takes and rates them. Nothing is rated, selected or sent by itself. */
export function useReview({ groups, board, first, isOneShot }: ReviewOf): Review {
  const [at, setAt] = useState(first.key);
  const [sideKeys, setSides] = useState<readonly string[]>();
  const [isDone, setDone] = useState(false);
  const count = useReviewView((view) => view.count);
  const holds = (key: string) => groups.find(({ items }) => items.some((item) => item.key === key));
  const group = holds(at) ?? groups[0];
  const current = group.items.find(({ key }) => key === at) ?? group.items[0] ?? first;
  const scope = isOneShot ? group.items : groups.flatMap(({ items }) => items);
  const kept = sideKeys?.filter((key) => group.items.some((item) => item.key === key)) ?? [];
  const keys = kept.includes(current.key) ? kept : sidesOf(group, current, count);
  const sides = keys.flatMap((key) => group.items.find((item) => item.key === key) ?? []);
  const show = (key: string) => {
    setDone(false);
    setAt(key);
    if (keys.includes(key) || keys.length < 2 || holds(key) !== group) return;
    setSides(keys.map((side) => (side === current.key ? key : side)));
  };
  const showNext = (item: ReviewItem | undefined) => item && show(item.key);
  const setCount = (next: number) => {
    setReviewView({ count: next });
    setSides(sidesOf(group, current, next));
  };
  const beside = (key?: string) => {
    const next = key === undefined ? withAnother(keys, group.items) : [...new Set([...keys, key])].slice(-MOST);
    if (next.join() === keys.join()) return;
    setReviewView({ count: next.length });
    setSides(next);
    announce(t`${group.items.find((item) => item.key === next.at(-1))?.name} is beside them now`);
  };
  const rating = useRating(board, { group, current, show });
  const rate = async (verdict: Verdict) => {
    if (!(await rating.rate(verdict))) return;
    const next = nextUnrated(scope, current, verdict === 'no');
    // Unless the user has gone on to another one by then.
    setAt((now) => (now === current.key && next ? next.key : now));
    if (next && !keys.includes(next.key) && keys.length > 1 && group.items.includes(next))
      setSides(keys.map((side) => (side === current.key ? next.key : side)));
    setDone(!next);
  };
  return {
    groups,
    group,
    current,
    sides,
    scope,
    isDone,
    show,
    step: (by) => showNext(scope[scope.indexOf(current) + by]),
    stepGroup: (by) => showNext(firstOf(groups[groups.indexOf(group) + by])),
    setCount,
    beside,
    swap: () => setSides([...keys.slice(0, 2).toReversed(), ...keys.slice(2)]),
    rate: (verdict) => void rate(verdict),
    undo: rating.undo,
  };
}

/** Saves ratings, newest last; Keep also selects the take. */
function useRating(board: BoardHandle | undefined, of: Pick<Review, 'group' | 'current' | 'show'>) {
  const { group, current, show } = of;
  const [done, setDone] = useState<readonly Before[]>([]);
  /** Whether it goes on to the next one: not where a rating was taken back. */
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
    announce(`${name}: ${next ? VERDICT_WORDS[next].judged : t`rating taken back`}`);
    return next !== undefined;
  };
  const undo = async ({ job, key, shotId, activeTake, activeOutput }: Before) => {
    if (!(await saveVerdict(job.id, job.verdict))) return;
    // What was selected since stays.
    if (board && shotId !== undefined && shotNow(board, shotId)?.activeTake === job.id)
      board.sync.edit(patchShot(shotId, { activeTake, activeOutput }));
    setDone((all) => all.slice(0, -1));
    show(key);
    announce(t`Taken back: rating and selected take are as before.`);
  };
  const last = done.at(-1);
  return { rate, undo: last && (() => void undo(last)) };
}

/** The shot that Keep selects this clip for; undefined where it is selected already. */
const selectedBy = (item: ReviewItem, { shot }: ReviewGroup, verdict: Verdict) =>
  verdict !== 'keep' || isSelected(item, shot) ? undefined : shot?.shot;

/** The same rating once more takes it back; of several clips it is meant for another one. */
const isTakenBack = (job: Job, verdict: Verdict): boolean => job.verdict === verdict && resultsOf(job).length < 2;
