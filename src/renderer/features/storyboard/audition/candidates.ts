import type { Asset } from '../../../../shared/asset.ts';
import { t } from '../../../../shared/texts.ts';
import type { TakeView } from '../model/take.ts';
import type { ShotView } from '../model/view.ts';

/** One clip that can be heard and seen against others of its shot: a take, or one of its candidates. */
export interface Candidate {
  key: string;
  take: TakeView;
  clip: Asset;
  /** Place among the candidates of its take. */
  index: number;
  /** `take 4`, or `take 4, 2 of 3`. */
  words: string;
}

/** As many as are shown at once. */
export const MOST = 4;

/** Every clip of a shot's takes, newest take first; also those that are not on this disk. */
export function candidatesOf({ takes }: Pick<ShotView, 'takes'>): Candidate[] {
  return takes.toReversed().flatMap((take) => {
    if (!take.job) return [];
    const count = take.clips.length;
    return take.clips
      .map((clip, index) => ({
        key: `${take.jobId} ${index}`,
        take,
        clip,
        index,
        words: count > 1 ? t`take ${take.number}, ${index + 1} of ${count}` : t`take ${take.number}`,
      }))
      .filter(({ clip }) => clip.mime === '' || clip.mime.startsWith('video/'));
  });
}

/** What is shown first: the newest ones, and what plays for the shot, which comes first. */
export function firstChoice({ active }: Pick<ShotView, 'active'>, all: readonly Candidate[]): string[] {
  const plays = all.find(({ take, index }) => take.jobId === active?.jobId && index === active.clipIndex);
  const others = all.filter((candidate) => candidate !== plays);
  return (plays ? [plays, ...others] : others).slice(0, MOST).map(({ key }) => key);
}

/** In or out; where there is no room the last one makes some. Fewer than two are nothing to compare. */
export function toggled(chosen: readonly string[], key: string): readonly string[] {
  if (chosen.includes(key)) return chosen.length > 2 ? chosen.filter((other) => other !== key) : chosen;
  return [...chosen.slice(0, MOST - 1), key];
}

/** Why a shot cannot be auditioned; undefined where it can. */
export function auditionOff(shot: Pick<ShotView, 'number' | 'takes'>): string | undefined {
  const count = candidatesOf(shot).length;
  if (count > 1) return undefined;
  return t`An audition compares two to four takes. Shot ${shot.number} has ${count === 0 ? t`none` : t`one`} that is done.`;
}
