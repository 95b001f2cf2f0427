import type { Asset } from '../../../../shared/asset.ts';
import { type Shot, shotTitle } from '../../../../shared/board.ts';
import { type MixPlan, sourceGain } from '../../../../shared/sound/mixPlan.ts';
import { mediaUrl } from '../../../client/index.ts';
import { pictureOf } from '../../../media/facts.ts';
import type { TakeView } from '../model/take.ts';
import { playedShots, type ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import type { Clip, PlayItem, Still } from './playItem.ts';

/** The film as a playlist. */

/** The clip of a take on this disk. */
export const isPlayable = (asset: Asset | undefined): asset is Asset =>
  asset?.state === 'local' && asset.mime.startsWith('video/');

export function clipOf({ span, seconds }: ShotView, take: TakeView | undefined): Clip | undefined {
  const asset = take?.clip;
  if (!isPlayable(asset)) return undefined;
  const { shotId, start } = span;
  return { kind: 'clip', shotId, start, seconds: asset.seconds ?? seconds, url: mediaUrl(asset.id) };
}

type Media = Pick<BoardHandle['media'], 'jobs' | 'assets'>;

/** The film: what plays for each shot, as loud as the mix says; `shown` is a take that plays in place of its shot's own. */
export function filmPlaylist(
  shots: readonly ShotView[],
  media: Media,
  { mix, shown }: { mix?: MixPlan | undefined; shown?: TakeView | undefined } = {},
): PlayItem[] {
  const volumes = new Map(
    mix?.sources.map((source) => [source.shotId, sourceGain(source, (source.start + source.end) / 2)]),
  );
  const played = playedShots(shots);
  let start = 0;
  return played.map((view, index) => {
    const take = shown && view.takes.find(({ jobId }) => jobId === shown.jobId);
    const clip = clipOf(view, take ?? view.active);
    const volume = mix && { volume: (volumes.get(view.shot.id) ?? 0) * mix.headroom };
    const item = clip ? { ...clip, ...volume } : stillOf(view, played[index - 1], media);
    // Another take may be longer than the one that the board's time was made with.
    const placed = { ...item, start };
    start += item.seconds;
    return placed;
  });
}

function stillOf(view: ShotView, before: ShotView | undefined, media: Media): Still {
  const { shotId, start, seconds } = view.span;
  const picture = standInOf(view, before, media);
  const words = shotTitle(view.shot).slice(0, MOST_WORDS);
  const note = noteOf(view);
  const place = { shotId, start, seconds };
  return { kind: 'still', ...place, ...(picture && { url: mediaUrl(picture) }), number: view.number, words, note };
}

const MOST_WORDS = 160;

function noteOf({ active, takes }: ShotView): string {
  if (active?.clip?.state === 'remote') return 'not on this disk';
  return takes.length > 0 ? 'not done' : 'no take';
}

/** The id of the picture that stands for a shot without a clip: its first frame, else the last one of the shot before. */
export function standInOf(view: ShotView, before: ShotView | undefined, media: Media): string | undefined {
  return firstFrameOf(view, media) ?? (before && lastFrameOf(before, media));
}

/** The frame that the shot begins with, as far as it is known before there is a clip. */
function firstFrameOf({ shot, active }: ShotView, media: Media): string | undefined {
  if (active?.clip?.thumbnailId !== undefined) return active.clip.thumbnailId;
  const { source } = shot;
  if (source === 'first' || source === 'firstLast') return stillId(shot.image, media);
  if (source !== 'extend' || !shot.video || 'uri' in shot.video) return undefined;
  return pictureOf(shot.video, media)?.lastFrameId;
}

function lastFrameOf({ shot, active }: ShotView, media: Media): string | undefined {
  if (isPlayable(active?.clip)) return active.clip.lastFrameId;
  return shot.source === 'firstLast' ? stillId(shot.lastFrame, media) : undefined;
}

/** A picture on this disk; a clip is no still, and the frame of one counts only once it is made. */
function stillId(ref: Shot['image'], media: Media): string | undefined {
  const asset = pictureOf(ref, media);
  return asset?.state === 'local' && asset.mime.startsWith('image/') ? asset.id : undefined;
}
