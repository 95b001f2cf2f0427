import { isPlayable, playedOf } from '../../../../shared/film/film.ts';
import type { ChannelLayout } from '../../../../shared/film/sound/layout.ts';
import type { GainKey, MixPlan } from '../../../../shared/film/sound/mixPlan.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { mediaUrl } from '../../../client/index.ts';
import { playedShots, type ShotView, type TakeView } from '../model/view.ts';
import type { HeardTrack } from './trackSound.ts';

/** The film as a playlist. */

/** What a player plays, one after the other: clips, and the places of shots without one, for their planned length. */
export interface PlayItem {
  shotId: string;
  /** Seconds of the film. */
  start: number;
  seconds: number;
  /** Of the clip; without it the place is held. */
  url?: string;
  /** The second of the file at which it begins, where it is trimmed. */
  from?: number;
  /** How loud its own sound is over the seconds of its file; unchanged if not said. */
  gains?: readonly GainKey[];
  /** What the channels of its sound are for, if known. */
  layout?: ChannelLayout | undefined;
}

/** The clip of a take on this disk. */
export function clipOf({ span, seconds }: ShotView, take: TakeView | undefined): PlayItem | undefined {
  const asset = take?.clip;
  if (!isPlayable(asset)) return undefined;
  const { shotId, start } = span;
  return { shotId, start, seconds, ...playedOf(take), url: mediaUrl(asset.id) };
}

/** A mix, and what the whole of it is multiplied by. */
export interface HeardMix {
  mix: Pick<MixPlan, 'sources'>;
  master: number;
  /** What the channels of each sound are for, by asset. */
  layouts?: ReadonlyMap<string, ChannelLayout>;
}

/** The film: what plays for each shot, as loud as it is heard. */
export function filmPlaylist(shots: readonly ShotView[], heard?: HeardMix): PlayItem[] {
  return playedShots(shots).map((view): PlayItem => {
    const clip = clipOf(view, view.active);
    if (!clip) return view.span;
    return heard ? { ...clip, gains: gainsOf(heard, view.shot.id), layout: layoutOf(heard, view) } : clip;
  });
}

const layoutOf = ({ layouts }: HeardMix, { active }: ShotView) => layouts?.get(active?.clip?.id ?? '');

/** How loud a shot is over the seconds of its file; silent where it is not in the mix. */
export function gainsOf({ mix, master }: HeardMix, shotId: string): GainKey[] {
  const source = mix.sources.find((one) => one.shotId === shotId);
  if (!source) return [{ at: 0, gain: 0 }];
  return source.keys.map(({ at, gain }) => ({ at: at - source.start + source.fileStart, gain: gain * master }));
}

/** The track of the film, where it is on this disk. */
export function trackOf({ mix, master, layouts, trackAsset }: HeardMix & { trackAsset: Asset | undefined }) {
  const source = mix.sources.find(({ from }) => from === 'track');
  if (!source || trackAsset?.state !== 'local') return undefined;
  const { assetId, start, end, fileStart } = source;
  const gains = source.keys.map(({ at, gain }) => ({ at: at - start + fileStart, gain: gain * master }));
  return { url: mediaUrl(assetId), start, end, fileStart, gains, layout: layouts?.get(assetId) } satisfies HeardTrack;
}
