import type { BoardContent } from '../../../../shared/board/board.ts';
import type { FilmLoudness, OwnSound } from '../../../../shared/film/sound/levels.ts';
import { newTrack, type Track } from '../../../../shared/film/sound/track.ts';
import type { PlacedCues } from '../../../../shared/film/subtitles/filmSubtitles.ts';
import { inTimeOrder, MAX_SUBTITLES, type Subtitle } from '../../../../shared/film/subtitles/subtitle.ts';
import type { SubtitleSettings } from '../../../../shared/film/subtitles/subtitleSettings.ts';
import type { ContentEdit } from '../model/pending.ts';
import { type BoardEdit, onShot, withoutUndefined } from '../model/shots.ts';

/** Changes of a film's sound and subtitles, as pure functions. */

export const laidTrack =
  (assetId: string): ContentEdit =>
  (content) => {
    const known = content.sound?.track;
    // A new file keeps level, fades and ducking, but not in and out point.
    const { out: _, ...rest } = known ?? newTrack(assetId);
    return { ...content, sound: { ...content.sound, track: { ...rest, assetId, in: 0 } } };
  };

export const patchTrack =
  (patch: Partial<Track>): ContentEdit =>
  (content) => {
    const known = content.sound?.track;
    if (!known) return content;
    return { ...content, sound: { ...content.sound, track: withoutUndefined({ ...known, ...patch }) } };
  };

export const withoutTrack: ContentEdit = (content) => {
  const { track: _, ...sound } = content.sound ?? {};
  return { ...content, sound };
};

export const setLoudness =
  (loudness: FilmLoudness): ContentEdit =>
  (content) => ({ ...content, sound: { ...content.sound, loudness } });

export const patchWords =
  (patch: Partial<SubtitleSettings>): ContentEdit =>
  (content) => ({ ...content, words: withoutUndefined({ ...content.words, ...patch }) });

export const patchFormat =
  (patch: NonNullable<BoardContent['format']>): ContentEdit =>
  (content) => ({ ...content, format: withoutUndefined({ ...content.format, ...patch }) });

/** Sound that is on and unchanged is not stored. */
export const setOwnSound = (shotId: string, { isOff, level }: OwnSound): BoardEdit =>
  onShot(shotId, ({ ownSound: _, ...rest }) => {
    const sound: OwnSound = { ...(isOff ? { isOff } : {}), ...(level ? { level } : {}) };
    return Object.keys(sound).length === 0 ? rest : { ...rest, ownSound: sound };
  });

/** Changes the subtitles of one shot; without any, nothing is stored. */
export const editSubtitles = (shotId: string, edit: (all: readonly Subtitle[]) => readonly Subtitle[]): BoardEdit =>
  onShot(shotId, ({ subtitles = [], ...rest }) => {
    const next = inTimeOrder(edit(subtitles)).slice(0, MAX_SUBTITLES);
    return next.length === 0 ? rest : { ...rest, subtitles: next };
  });

/** If only the answer to its save was lost, adding it again changes nothing. */
export const addedSubtitle = (shotId: string, made: Subtitle): BoardEdit =>
  editSubtitles(shotId, (all) => (all.some(({ id }) => id === made.id) ? all : [...all, made]));

/** Replaces a subtitle by two; if only the answer was lost, they are already there. */
export const dividedSubtitle = (shotId: string, [first, second]: readonly [Subtitle, Subtitle]): BoardEdit =>
  editSubtitles(shotId, (all) =>
    all.some(({ id }) => id === second.id) ? all : [...all.filter(({ id }) => id !== first.id), first, second],
  );

export const patchSubtitle = (shotId: string, id: string, patch: Partial<Subtitle>): BoardEdit =>
  editSubtitles(shotId, (all) => all.map((one) => (one.id === id ? withValidTimes({ ...one, ...patch }) : one)));

/** A subtitle lasts at least a millisecond. */
const withValidTimes = (one: Subtitle): Subtitle => {
  const startMs = Math.max(0, Math.round(one.startMs));
  return { ...one, startMs, endMs: Math.max(startMs + 1, Math.round(one.endMs)) };
};

/** Replaces the film's subtitles by those of a file; skipped shots keep theirs. */
export function importedSubtitles({ byShot }: PlacedCues, played: ReadonlySet<string>, newId: () => string): BoardEdit {
  // An edit is applied several times, so its subtitles must have the same ids each time.
  const named = [...played].map((shotId) => {
    const subtitles = (byShot.get(shotId) ?? []).map((cue) => ({ id: newId(), ...cue }));
    return editSubtitles(shotId, () => subtitles);
  });
  return (shots) => named.reduce((all, edit) => edit(all), [...shots]);
}
