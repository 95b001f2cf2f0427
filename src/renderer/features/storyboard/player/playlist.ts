import { type FilmFacts, isPlayable, shownTitle } from '../../../../shared/film.ts';
import { type MixPlan, sourceGain } from '../../../../shared/sound/mixPlan.ts';
import { standInOf } from '../../../../shared/standIn.ts';
import { mediaUrl } from '../../../client/index.ts';
import type { TakeView } from '../model/take.ts';
import { playedShots, type ShotView } from '../model/view.ts';
import type { Clip, PlayItem, Still } from './playItem.ts';

/** The film as a playlist. */

/** The clip of a take on this disk. */
export function clipOf({ span, seconds }: ShotView, take: TakeView | undefined): Clip | undefined {
  const asset = take?.clip;
  if (!isPlayable(asset)) return undefined;
  const { shotId, start } = span;
  return { kind: 'clip', shotId, start, seconds: asset.seconds ?? seconds, url: mediaUrl(asset.id) };
}

/** The film: what plays for each shot, as loud as the mix says; `shown` is a take that plays in place of its shot's own. */
export function filmPlaylist(
  shots: readonly ShotView[],
  media: FilmFacts,
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

function stillOf(view: ShotView, before: ShotView | undefined, media: FilmFacts): Still {
  const { shotId, start, seconds } = view.span;
  const picture = standInOf(view, before, media);
  const words = shownTitle(view.shot);
  const note = noteOf(view);
  const place = { shotId, start, seconds };
  return { kind: 'still', ...place, ...(picture && { url: mediaUrl(picture) }), number: view.number, words, note };
}

function noteOf({ active, takes }: ShotView): string {
  if (active?.clip?.state === 'remote') return 'not on this disk';
  return takes.length > 0 ? 'not done' : 'no take';
}
