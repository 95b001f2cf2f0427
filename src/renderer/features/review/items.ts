import { newByShot } from '../../../shared/board/newTakes.ts';
import { type Job, resultsOf } from '../../../shared/jobs/job.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { t } from '../../../shared/text/texts.ts';
import type { ShotView, TakeView } from '../storyboard/model/view.ts';

/** One result: a clip, picture or text; none if the take was not made. */
export interface ReviewItem {
  key: string;
  /** Undefined for imported files, which have no rating. */
  jobId: string | undefined;
  job: Job | undefined;
  asset: Asset | undefined;
  /** The result's index within its job. */
  output: number;
  /** The number of its take, otherwise its place in the group. */
  number: number;
  /** `Take 6`, `Take 6, 2 of 2`, `Picture 9`. */
  name: string;
  /** Whether it is to be rated here; others are shown for comparison. */
  isNew: boolean;
  take?: TakeView;
}

/** Results reviewed together: the takes of a shot, or results that belong to none. */
export interface ReviewGroup {
  key: string;
  title: string;
  items: readonly ReviewItem[];
  shot?: ShotView;
}

type Jobs = ReadonlyMap<string, Job>;

export const isRateable = ({ jobId, job }: ReviewItem): boolean => jobId !== undefined && job?.state === 'succeeded';

export const isUnrated = (item: ReviewItem): boolean =>
  item.isNew && isRateable(item) && item.job?.verdict === undefined;

/** The first result to show: the first unrated one, otherwise the selected one, otherwise the first that can be rated. */
export const firstOf = (group: Pick<ReviewGroup, 'items' | 'shot'> | undefined): ReviewItem | undefined =>
  group &&
  (group.items.find(isUnrated) ??
    group.items.find((item) => isSelected(item, group.shot)) ??
    group.items.find(isRateable) ??
    group.items[0]);

/** Whether this is the take and clip used in the film. */
export const isSelected = ({ jobId, output }: ReviewItem, shot: ShotView | undefined): boolean =>
  jobId !== undefined && jobId === shot?.active?.jobId && output === shot.active.clipIndex;

const isSeen = (asset: Asset): boolean => !asset.mime.startsWith('audio/');

/** Every clip of these takes of a shot, oldest first; takes that were not made are included. */
function itemsOfShot(takes: readonly TakeView[], isNew: (jobId: string) => boolean): ReviewItem[] {
  return takes.flatMap((take): ReviewItem[] => {
    const { jobId, job, number, clips } = take;
    const of = { jobId, job, number, take, isNew: isNew(jobId) };
    if (clips.length === 0) return [{ ...of, key: `${jobId} 0`, output: 0, asset: undefined, name: t`Take ${number}` }];
    return clips.map((asset, output) => ({
      ...of,
      key: `${jobId} ${output}`,
      output,
      asset,
      name: clips.length > 1 ? t`Take ${number}, ${output + 1} of ${clips.length}` : t`Take ${number}`,
    }));
  });
}

function nameOf(asset: Asset | undefined, number: number): string {
  if (!asset) return t`Text ${number}`;
  return asset.mime.startsWith('image/') ? t`Picture ${number}` : t`Clip ${number}`;
}

/** The results of jobs that are not takes of a shot. */
function itemsOfJobs(ids: readonly string[], jobs: Jobs): ReviewItem[] {
  const results = ids.flatMap((jobId) => {
    const job = jobs.get(jobId);
    const assets = job ? resultsOf(job).filter(isSeen) : [];
    return (assets.length > 0 ? assets : [undefined]).map((asset, output) => ({ jobId, job, asset, output }));
  });
  return results.map((result, at) => ({
    ...result,
    key: `${result.jobId} ${result.output}`,
    number: at + 1,
    name: nameOf(result.asset, at + 1),
    isNew: true,
  }));
}

/** Every shot with its takes, in film order. */
export const shotGroups = (shots: readonly ShotView[]): ReviewGroup[] =>
  shots
    .filter(({ takes }) => takes.length > 0)
    .map((shot) => ({ ...groupOf(shot), items: itemsOfShot(shot.takes, () => true) }));

const groupOf = (shot: ShotView) => ({ key: shot.shot.id, title: t`Shot ${shot.number}`, shot });

/** New jobs by shot, each with the take to compare them with; then jobs without a shot. */
export function newGroups(ids: readonly string[], shots: readonly ShotView[], jobs: Jobs): ReviewGroup[] {
  const { ofShots, others } = newByShot(
    ids,
    shots.map(({ takes }) => takes.map(({ jobId }) => jobId)),
  );
  const groups = ofShots.flatMap(({ at, ids: own }): ReviewGroup[] => {
    const shot = shots[at];
    if (!shot) return [];
    const isNew = new Set(own);
    const beside = keptBeside(shot, isNew)?.jobId;
    const takes = shot.takes.filter(({ jobId }) => isNew.has(jobId) || jobId === beside);
    return [{ ...groupOf(shot), items: itemsOfShot(takes, (jobId) => isNew.has(jobId)) }];
  });
  const rest = itemsOfJobs(others, jobs);
  return rest.length === 0 ? groups : [...groups, { key: 'others', title: t`Others`, items: rest }];
}

/** Results selected on another page, in order. */
export const chosenGroups = (assets: readonly Asset[], jobs: Jobs): ReviewGroup[] =>
  assets.length === 0
    ? []
    : [
        {
          key: 'chosen',
          title: t`Selection`,
          items: assets.map((asset, at) => {
            const job = jobs.get(asset.jobId ?? '');
            const output = Math.max(0, job ? resultsOf(job).findIndex(({ id }) => id === asset.id) : 0);
            const of = { asset, job, jobId: asset.jobId, output, number: at + 1, isNew: true };
            return { ...of, key: asset.id, name: nameOf(asset, at + 1) };
          }),
        },
      ];

/**
 * The take to compare new ones with: the selected one; if that is new itself, the selected one before it, otherwise the newest kept one,
 * otherwise the newest not rated No.
 */
export function keptBeside(
  { shot, takes, active }: Pick<ShotView, 'shot' | 'takes' | 'active'>,
  isNew: ReadonlySet<string>,
): TakeView | undefined {
  const older = takes.filter(({ jobId, job }) => !isNew.has(jobId) && job?.state === 'succeeded');
  const named = (id: string | undefined) => older.find(({ jobId }) => jobId === id);
  return (
    named(active?.jobId) ??
    named(shot.meanwhile?.take) ??
    older.findLast(({ job }) => job?.verdict === 'keep') ??
    older.findLast(({ job }) => job?.verdict !== 'no')
  );
}

/** The most results shown at once. */
export const MOST = 4;

/** The results side by side, A first: the selected take, then the current one, then later ones, then earlier ones. */
export function sidesOf({ items, shot }: ReviewGroup, current: ReviewItem, count: number): string[] {
  const shown = items.filter(isRateableOrImported);
  const at = shown.indexOf(current);
  const selected = count > 1 ? shown.filter((item) => isSelected(item, shot)) : [];
  const all = [...selected, current, ...shown.slice(at + 1), ...shown.slice(0, Math.max(0, at)).toReversed()];
  return [...new Set(all.map(({ key }) => key))].slice(0, count);
}

const isRateableOrImported = (item: ReviewItem): boolean => isRateable(item) || item.jobId === undefined;

/** Adds one result; if there is no room, the next one replaces the last, cycling. */
export function withAnother(shown: readonly string[], items: readonly ReviewItem[]): string[] {
  const fixed = shown.slice(0, MOST - 1);
  const others = items.filter(isRateableOrImported).flatMap(({ key }) => (fixed.includes(key) ? [] : [key]));
  const next = others[(others.indexOf(shown[MOST - 1] ?? '') + 1) % others.length];
  return next === undefined ? [...shown] : [...fixed, next];
}

/** The next unrated result after this one, cycling; after a No to one clip of a take, its next clip. */
export function nextUnrated(items: readonly ReviewItem[], { key, jobId }: ReviewItem, isNo: boolean) {
  const at = items.findIndex((item) => item.key === key);
  const later = items.slice(at + 1);
  const nextClip = isNo ? later.find((item) => item.jobId === jobId && jobId !== undefined) : undefined;
  return nextClip ?? [...later, ...items.slice(0, at)].find((item) => isUnrated(item) && item.jobId !== jobId);
}
