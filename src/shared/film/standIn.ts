import { displayedAs } from '../library/mediaFormats.ts';
import type { MediaRef } from '../library/mediaRef.ts';
import { type FilmFacts, type FilmShot, isPlayable, pictureOf, takeEnd } from './film.ts';

/** What stands for a shot without a clip, in playback and in exports alike: a picture, else a slate with its number and title. */

type StandInShot = Pick<FilmShot, 'shot' | 'active'>;

/** The id of that picture: the shot's first frame, else the last one of the shot before it in the film; undefined for a slate. */
export function standInOf(one: StandInShot, before: StandInShot | undefined, known: FilmFacts): string | undefined {
  return firstFrameOf(one, known) ?? (before && lastFrameOf(before, known));
}

/** The frame that the shot begins with, as far as it is known before there is a clip. */
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

/** A picture on this disk; a clip is no still, and the frame of one counts only once it is made. */
function stillId(ref: MediaRef | undefined, known: FilmFacts): string | undefined {
  const asset = pictureOf(ref, known);
  return asset?.state === 'local' && displayedAs(asset.mime) === 'image' ? asset.id : undefined;
}
