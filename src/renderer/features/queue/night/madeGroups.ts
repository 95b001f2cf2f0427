import { newByShot } from '../../../../shared/newTakes.ts';
import type { NightReport } from '../../../../shared/night.ts';
import { t } from '../../../../shared/texts.ts';
import type { ShotTakes } from '../takeNames.tsx';

/** What a night made, in the order of the film. */

export type Sent = NightReport['sent'][number];

export interface MadeTile {
  sent: Sent;
  /** `T6` of a shot, else its place among the others. */
  label: string;
}

export interface MadeGroup {
  key: string;
  title: string;
  /** `2 new, plays: 4` */
  note: string;
  tiles: MadeTile[];
}

export const isMade = ({ state }: Sent): boolean => state === 'succeeded';

/** The key of the group of what belongs to no shot. */
export const OTHERS = 'others';

/** The lists of the morning: what waits for a verdict, what has which, what was not made, and the night by the hour. */
export const MORNING_TABS = ['judge', 'kept', 'others', 'notMade', 'night'] as const;
export type MorningTab = (typeof MORNING_TABS)[number];

export const BELONGS: Record<Exclude<MorningTab, 'notMade' | 'night'>, (sent: Sent) => boolean> = {
  judge: (sent) => isMade(sent) && sent.verdict === undefined,
  kept: ({ verdict }) => verdict === 'keep',
  others: ({ verdict }) => verdict === 'maybe' || verdict === 'no',
};

const ENDED_BADLY: ReadonlySet<string> = new Set(['failed', 'uncertain', 'canceled']);

/** What was sent and has no result: refused, failed, in doubt, canceled. */
export const withoutResult = (sent: readonly Sent[]): Sent[] => sent.filter(({ state }) => ENDED_BADLY.has(state));

/** How many were sent and have no result, in doubt included: of a long night not all of them are listed. */
export const lostCount = ({ failed, refused, inDoubt, canceledSent }: NightReport): number =>
  failed + refused + inDoubt + canceledSent;

/** How many were sent: of a long night not all of them are listed. */
export const sentCount = (report: NightReport): number => report.made + lostCount(report) + report.underWay;

/**
 * The shots in the order of the film, then what belongs to none. Beside new takes of a shot stand those of it that were sent and were not
 * made, so that none seems to be missing; how many there are is said where all that were sent are listed (`areAll`).
 */
export function madeGroups(
  sent: readonly Sent[],
  shots: readonly ShotTakes[],
  tab: keyof typeof BELONGS,
  { areAll = true } = {},
): MadeGroup[] {
  const known = new Map(sent.map((one) => [one.jobId, one]));
  const wanted = sent.filter(BELONGS[tab]);
  const { ofShots, others } = newByShot(
    (tab === 'judge' ? [...wanted, ...withoutResult(sent)] : wanted).map(({ jobId }) => jobId),
    shots.map(({ takes }) => takes),
  );
  const isWanted = new Set(wanted.map(({ jobId }) => jobId));
  const groups = ofShots.flatMap(({ at, ids }): MadeGroup[] => {
    const shot = shots[at];
    if (!shot) return [];
    const tiles = ids.flatMap((id) => {
      const one = known.get(id);
      return one ? [{ sent: one, label: `T${shot.takes.indexOf(id) + 1}` }] : [];
    });
    return [{ key: `shot ${at}`, title: shot.title, note: noteOf(tiles, shot, areAll), tiles }];
  });
  const tiles = others.flatMap((id, index) => {
    const one = known.get(id);
    return one ? [{ sent: one, label: String(index + 1) }] : [];
  });
  const rest = {
    key: OTHERS,
    title: groups.length > 0 ? t`Others` : t`All`,
    note: noteOf(tiles, undefined, areAll),
    tiles,
  };
  return [...groups, rest].filter((group) => group.tiles.some(({ sent: { jobId } }) => isWanted.has(jobId)));
}

function noteOf(tiles: readonly MadeTile[], shot: ShotTakes | undefined, areAll: boolean): string {
  const count = (is: (sent: Sent) => boolean) => tiles.filter(({ sent }) => is(sent)).length;
  const plays = shot?.plays === undefined ? -1 : shot.takes.indexOf(shot.plays);
  const parts: [number, string][] = [
    [count(isMade), 'new'],
    [count(({ refused }) => refused === true), 'refused'],
    [count(({ state, refused }) => state === 'failed' && !refused), 'failed'],
    [count(({ state }) => state === 'uncertain'), t`in doubt`],
    [count(({ state }) => state === 'canceled'), 'canceled'],
  ];
  const words = parts.filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}`);
  // One new take is seen to be one.
  const said = !areAll || (plays >= 0 && tiles.length === 1) ? [] : words;
  return [...said, ...(plays < 0 ? [] : [t`plays: ${plays + 1}`])].join(', ');
}
