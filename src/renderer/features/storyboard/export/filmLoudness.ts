import { type FilmLoudness, targetOf } from '../../../../shared/film/sound/levels.ts';

/** LUFS that the film leaves at; undefined where it keeps its own, as packets do that are joined: sound that is encoded is levelled. */
export const leavesAt = (
  wanted: FilmLoudness | undefined,
  { way, soundEncoded }: { way: 'join' | 'encode' | 'none'; soundEncoded: readonly string[] },
): number | undefined =>
  way === 'join' && wanted === undefined && soundEncoded.length === 0 ? undefined : targetOf(wanted);

export const lufsText = (lufs: number): string => String(lufs).replace('-', '−');
