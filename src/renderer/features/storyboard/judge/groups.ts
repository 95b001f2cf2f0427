import { newByShot } from '../../../../shared/newTakes.ts';
import type { NightReport } from '../../../../shared/night.ts';
import { t } from '../../../../shared/texts.ts';
import type { ShotView } from '../model/view.ts';

/** What is judged together: the new takes of a shot, or pictures that belong to none. */
export interface JudgeGroup {
  key: string;
  title: string;
  /** Jobs whose results are new. */
  ids: readonly string[];
  shot?: ShotView;
}

/** As many pictures as are shown at once. */
export const AT_ONCE = 4;

/** The jobs of a night that have a result, in the order in which they were sent. */
export const madeIn = ({ sent }: NightReport): string[] =>
  sent.filter(({ state }) => state === 'succeeded').map(({ jobId }) => jobId);

/** How many more wait for a verdict than are listed: they are, once these are judged. */
export const moreToJudge = ({ made, judged, sent }: NightReport): number =>
  made - judged - sent.filter(({ state, verdict }) => state === 'succeeded' && verdict === undefined).length;

/** The shots in the order of the film, then everything that is no take of this board; never more at once than can be shown. */
export function groupsToJudge(ids: readonly string[], shots: readonly ShotView[]): JudgeGroup[] {
  const { ofShots, others } = newByShot(
    ids,
    shots.map(({ takes }) => takes.map(({ jobId }) => jobId)),
  );
  const byShot = ofShots.flatMap(({ at, ids: own }): JudgeGroup[] => {
    const shot = shots[at];
    if (!shot) return [];
    const parts = partsOf(own, (id) => shot.takes.find(({ jobId }) => jobId === id)?.clips.length ?? 1, AT_ONCE - 1);
    return parts.map((part, n) => ({
      key: `${shot.shot.id} ${n}`,
      title: t`Shot ${shot.number}${ofText(n, parts.length)}`,
      ids: part,
      shot,
    }));
  });
  const parts = partsOf(others, () => 1, AT_ONCE);
  const rest = parts.map((part, n): JudgeGroup => {
    const title = parts.length === 1 ? t`Others, ${others.length}` : `Others${ofText(n, parts.length)}`;
    return { key: `others ${n}`, title, ids: part };
  });
  return [...byShot, ...rest];
}

const ofText = (n: number, count: number): string => (count === 1 ? '' : t`, ${n + 1} of ${count}`);

/** In their order, so many pictures at once as there is room for; one that has more than that stands alone. */
function partsOf(ids: readonly string[], picturesOf: (id: string) => number, room: number): string[][] {
  const parts: string[][] = [];
  let left = 0;
  for (const id of ids) {
    const count = Math.max(1, picturesOf(id));
    if (parts.length === 0 || count > left) {
      parts.push([]);
      left = room;
    }
    parts.at(-1)?.push(id);
    left -= count;
  }
  return parts;
}

/** Groups with one of these jobs before the others, each in its order: what was found clean can be judged first. */
export const withFirst = (groups: readonly JudgeGroup[], first: ReadonlySet<string>): JudgeGroup[] => {
  const isFirst = ({ ids }: JudgeGroup) => ids.some((id) => first.has(id));
  return [...groups.filter(isFirst), ...groups.filter((group) => !isFirst(group))];
};
