import type { Asset } from '../../../../shared/asset.ts';
import { type FilmFacts, isPlayable, shownTitle } from '../../../../shared/film.ts';
import type { ChannelLayout } from '../../../../shared/sound/layout.ts';
import type { GainKey, MixPlan } from '../../../../shared/sound/mixPlan.ts';
import { standInOf } from '../../../../shared/standIn.ts';
import { t } from '../../../../shared/texts.ts';
import { mediaUrl } from '../../../client/index.ts';
import { type TakeView, takeShown } from '../model/take.ts';
import { playedShots, type ShotView } from '../model/view.ts';
import type { Clip, PlayItem, Still } from './playItem.ts';
import type { HeardTrack } from './trackSound.ts';

/** The film as a playlist. */

/** The clip of a take on this disk. */
export function clipOf({ span, seconds }: ShotView, take: TakeView | undefined): Clip | undefined {
  const asset = take?.clip;
  if (!isPlayable(asset)) return undefined;
  const { shotId, start } = span;
  return { kind: 'clip', shotId, start, seconds: asset.seconds ?? seconds, url: mediaUrl(asset.id) };
}

/** A mix, and what the whole of it is multiplied by. */
export interface HeardMix {
  mix: Pick<MixPlan, 'sources'>;
  master: number;
  /** What the channels of each sound are for, by asset. */
  layouts?: ReadonlyMap<string, ChannelLayout>;
}

/** The film: what plays for each shot, as loud as it is heard; `tried` names takes that play in place of their shot's own, by shot. */
export function filmPlaylist(
  shots: readonly ShotView[],
  media: FilmFacts,
  { heard, tried }: { heard?: HeardMix | undefined; tried?: Readonly<Record<string, string>> } = {},
): PlayItem[] {
  const played = playedShots(shots);
  let start = 0;
  return played.map((view, index) => {
    const take = takeShown(view, tried?.[view.shot.id]);
    const clip = clipOf(view, take);
    const sound = heard && { gains: gainsOf(heard, view.shot.id), ...layoutOf(heard, take?.clip?.id) };
    const item = clip ? { ...clip, ...sound } : stillOf(view, take, played[index - 1], media);
    // Another take may be longer than the one that the board's time was made with.
    const placed = { ...item, start };
    start += item.seconds;
    return placed;
  });
}

/** How loud a shot is over its own seconds; silent where it is not in the mix. */
export function gainsOf({ mix, master }: HeardMix, shotId: string): GainKey[] {
  const source = mix.sources.find((one) => one.shotId === shotId);
  if (!source) return [{ at: 0, gain: 0 }];
  return source.keys.map(({ at, gain }) => ({ at: at - source.start, gain: gain * master }));
}

/** The track of the film, where it is on this disk. */
export function trackOf({ mix, master, layouts, trackAsset }: HeardMix & { trackAsset: Asset | undefined }) {
  const source = mix.sources.find(({ from }) => from === 'track');
  if (!source || trackAsset?.state !== 'local') return undefined;
  const { assetId, start, end, fileStart } = source;
  const gains = source.keys.map(({ at, gain }) => ({ at: at - start + fileStart, gain: gain * master }));
  return { url: mediaUrl(assetId), start, end, fileStart, gains, layout: layouts?.get(assetId) } satisfies HeardTrack;
}

function layoutOf({ layouts }: HeardMix, assetId = ''): Pick<Clip, 'layout'> {
  const layout = layouts?.get(assetId);
  return layout ? { layout } : {};
}

function stillOf(view: ShotView, take: TakeView | undefined, before: ShotView | undefined, media: FilmFacts): Still {
  const { shotId, start, seconds } = view.span;
  const picture = standInOf(view, before, media);
  const words = shownTitle(view.shot);
  const note = noteOf(view, take);
  const place = { shotId, start, seconds };
  return { kind: 'still', ...place, ...(picture && { url: mediaUrl(picture) }), number: view.number, words, note };
}

/** Why a shot has no picture of a take. */
export const whyNoPicture = (view: ShotView): string => noteOf(view, view.active);

function noteOf({ takes }: ShotView, take: TakeView | undefined): string {
  if (takes.length === 0) return t`no take`;
  if (take ? !take.job : takes.some(({ job }) => !job)) return t`Loading`;
  if (take?.clip?.state === 'remote') return t`not on this disk`;
  return take?.clip ? t`no picture` : t`not done`;
}
