import { isPlayable, playedOf } from '../../../../shared/film/film.ts';
import type { ChannelLayout } from '../../../../shared/film/sound/layout.ts';
import type { GainKey, MixPlan } from '../../../../shared/film/sound/mixPlan.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { mediaUrl } from '../../../client/index.ts';
import { playedShots, type ShotView, type TakeView } from '../model/view.ts';
import type { HeardTrack } from './trackSound.ts';

/** The film as a playlist. */

/** An item of a playlist: a clip, or the place of a shot without one for its planned length. */
export interface PlayItem {
  shotId: string;
  /** Start in film time, in seconds. */
  start: number;
  seconds: number;
  /** The clip's address; without one, the time passes without a clip. */
  url?: string;
  /** The start in the file, if trimmed. */
  from?: number;
  /** The gain curve of its own sound over its file's seconds; unchanged without one. */
  gains?: readonly GainKey[];
  /** Channel layout of the sound, if known. */
  layout?: ChannelLayout | undefined;
}

/** The clip of a take, if stored here. */
export function clipOf({ span, seconds }: ShotView, take: TakeView | undefined): PlayItem | undefined {
  const asset = take?.clip;
  if (!isPlayable(asset)) return undefined;
  const { shotId, start } = span;
  return { shotId, start, seconds, ...playedOf(take), url: mediaUrl(asset.id) };
}

/** A mix and its overall gain. */
export interface HeardMix {
  mix: Pick<MixPlan, 'sources'>;
  master: number;
  /** Channel layouts by asset. */
  layouts?: ReadonlyMap<string, ChannelLayout>;
}

/** The film's selected takes, each with its gain. */
export function filmPlaylist(shots: readonly ShotView[], heard?: HeardMix): PlayItem[] {
  return playedShots(shots).map((view): PlayItem => {
    const clip = clipOf(view, view.active);
    if (!clip) return view.span;
    return heard ? { ...clip, gains: gainsOf(heard, view.shot.id), layout: layoutOf(heard, view) } : clip;
  });
}

const layoutOf = ({ layouts }: HeardMix, { active }: ShotView) => layouts?.get(active?.clip?.id ?? '');

/** The gain curve of a shot over its file's seconds; silent if it is not in the mix. */
export function gainsOf({ mix, master }: HeardMix, shotId: string): GainKey[] {
  const source = mix.sources.find((one) => one.shotId === shotId);
  if (!source) return [{ at: 0, gain: 0 }];
  return source.keys.map(({ at, gain }) => ({ at: at - source.start + source.fileStart, gain: gain * master }));
}

/** The film's music track, if stored here. */
export function trackOf({ mix, master, layouts, trackAsset }: HeardMix & { trackAsset: Asset | undefined }) {
  const source = mix.sources.find(({ from }) => from === 'track');
  if (!source || trackAsset?.state !== 'local') return undefined;
  const { assetId, start, end, fileStart } = source;
  const gains = source.keys.map(({ at, gain }) => ({ at: at - start + fileStart, gain: gain * master }));
  return { url: mediaUrl(assetId), start, end, fileStart, gains, layout: layouts?.get(assetId) } satisfies HeardTrack;
}
