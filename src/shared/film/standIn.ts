import { displayedAs } from '../library/mediaFormats.ts';
import type { MediaRef } from '../library/mediaRef.ts';
import { type FilmFacts, type FilmShot, isPlayable, pictureOf, takeEnd } from './film.ts';

/** The replacement for a shot without a clip in playback and exports: a picture, else a slate with number and title. */

type StandInShot = Pick<FilmShot, 'shot' | 'active'>;

/** The id of the picture: the shot's first frame, else the last frame of the shot before it; undefined: a slate. */
export function standInOf(one: StandInShot, before: StandInShot | undefined, known: FilmFacts): string | undefined {
  return firstFrameOf(one, known) ?? (before && lastFrameOf(before, known));
}

/** The first frame of the shot, if it is known without a clip. */
function firstFrameOf({ shot, active }: StandInShot, known: FilmFacts): string | undefined {
  if (active?.clip?.thumbnailId !== undefined) return active.clip.thumbnailId;
  const { source } = shot;
  if (source === 'first' || source === 'firstLast') return stillId(shot.image, known);
  if (source !== 'extend' || !shot.video || 'uri' in shot.video) return undefined;
  return pictureOf(shot.video, known)?.lastFrameId;
}

function lastFrameOf({ shot, active }: StandInShot, known: FilmFacts): string | undefined {
  if (isPlayable(active?.clip)) return takeEnd(active);
  return shot.source === 'firstLast' ? stillId(shot.lastFrame, known) : undefined;
}

/** A picture on this disk; a clip's frame counts once it is extracted. */
function stillId(ref: MediaRef | undefined, known: FilmFacts): string | undefined {
  const asset = pictureOf(ref, known);
  return asset?.state === 'local' && displayedAs(asset.mime) === 'image' ? asset.id : undefined;
}
