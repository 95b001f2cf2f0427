import type { Board } from '../../../shared/board/board.ts';
import { codecWord, isDecodedEverywhere } from '../../../shared/film/codecNames.ts';
import type { FilmMix, FilmPlan, FilmSegment } from '../../../shared/film/filmExport.ts';
import type { MeasuredFile, SoundMeasures } from '../../../shared/film/measures.ts';
import { asksForMix, levellingOf } from '../../../shared/film/sound/levelling.ts';
import { targetOf } from '../../../shared/film/sound/levels.ts';
import { partOfSound } from '../../../shared/film/sound/mixLoudness.ts';
import {
  type MixInput,
  type MixPlan,
  mixPlan,
  peaksOf,
  type ShotLevelling,
} from '../../../shared/film/sound/mixPlan.ts';
import { playedPart } from '../../../shared/film/trim.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { safeName } from '../../../shared/text/safeText.ts';
import { t } from '../../../shared/text/texts.ts';
import type { Library } from '../library/index.ts';
import type { CheckedShot } from './filmShots.ts';
import { cuesOfPlan, spansOfPlan } from './format.ts';

/** The sound of an exported film, by the same plan as playback. */

export interface TrackFacts {
  assetId: string;
  name: string;
  isHere: boolean;
  /** For a file on this disk: whether it has sound. */
  isSound: boolean;
  seconds: number | undefined;
  sha256: string | undefined;
  /** From its file; absent if unknown. */
  codec?: string | undefined;
}

export function trackOf(
  { sound }: Pick<Board, 'sound'>,
  library: Pick<Library, 'get' | 'open'>,
): TrackFacts | undefined {
  const track = sound?.track;
  if (!track || track.isMuted) return undefined;
  const asset = library.get(track.assetId);
  const file = library.open(track.assetId);
  return {
    assetId: track.assetId,
    name: asset.ok ? asset.data.name : t`The track`,
    isHere: file.ok,
    isSound: asset.ok && hasSound(asset.data),
    seconds: asset.ok ? asset.data.seconds : undefined,
    sha256: file.ok ? file.data.sha256 : undefined,
  };
}

/** Pictures have none; unknown files may have some. */
const hasSound = ({ mime, audio, seconds }: Asset): boolean =>
  audio !== false && seconds !== 0 && !mime.startsWith('image/');

/** Why the track cannot be heard, as a sentence without its end. */
export function faultOfTrack({ name, isHere, isSound }: TrackFacts): string | undefined {
  if (!isHere) return t`The file of the track, ${safeName(name)}, is not on this disk`;
  return isSound ? undefined : t`The file of the track, ${safeName(name)}, holds no sound`;
}

/** Why the track cannot be encoded here, as a sentence without its end; a timeline can still include it. */
export function faultOfHeardTrack(track: TrackFacts): string | undefined {
  const { name, codec } = track;
  const fault = faultOfTrack(track);
  if (fault !== undefined || codec === undefined || isDecodedEverywhere(codec)) return fault;
  return t`Dailies cannot decode the track ${safeName(name)} (${codecWord(codec)}): convert it to AAC or WAV`;
}

export interface HeardFilm extends FilmSounds {
  plan: FilmPlan;
  board: Pick<Board, 'shots' | 'sound'>;
  track: TrackFacts | undefined;
}

type Sound = NonNullable<ReturnType<LoudnessOf>>;

/** The measures of every sound, by asset. */
export function soundsByAsset({ plan, track, loudness }: HeardFilm): Map<string, Sound> {
  const files = [...plan.segments.filter(isHeard), ...(track ? [track] : [])];
  return new Map(
    files.flatMap(({ assetId, sha256 }): [string, Sound][] => {
      const sound = sha256 === undefined ? undefined : loudness(sha256);
      return assetId === undefined || !sound ? [] : [[assetId, sound]];
    }),
  );
}

const isHeard = ({ kind, hasAudio }: FilmSegment): boolean => kind === 'clip' && hasAudio;

/** The input of the mix, with levelling. */
export function mixInputOf(film: HeardFilm): MixInput {
  const { plan, board, track, loudness } = film;
  const { segments } = plan;
  const target = targetOf(board.sound?.loudness);
  const sounds = soundsByAsset(film);
  return {
    shots: board.shots,
    plan: spansOfPlan(plan).map((span, index) => {
      const { kind, assetId, hasAudio } = segments[index] ?? {};
      return kind === 'clip' && assetId !== undefined ? { ...span, assetId, hasSound: hasAudio === true } : span;
    }),
    track: track && faultOfHeardTrack(track) === undefined ? board.sound?.track : undefined,
    trackSeconds: track?.seconds,
    cues: cuesOfPlan(board, plan),
    peaks: peaksOf(sounds),
    levelling: new Map(
      segments
        .filter(isHeard)
        .map((one): [string, ShotLevelling] => [
          one.shotId,
          levellingOf(partOfSound(loudness(one.sha256 ?? ''), one), target),
        ]),
    ),
  };
}

export function filmMixOf(film: HeardFilm): FilmMix {
  const { sources, headroom } = mixPlan(mixInputOf(film));
  const target = targetOf(film.board.sound?.loudness);
  const notLevelled = notLevelledIn(film, sources);
  return {
    sources,
    headroom,
    ...(target === undefined ? {} : { target }),
    ...(notLevelled.length === 0 ? {} : { notLevelled: notLevelled.map(({ message }) => message) }),
    isAsked: sources.length === 0 ? hadSound(film) : isAsked(film, sources),
  };
}

const hadSound = ({ plan }: HeardFilm): boolean => plan.segments.some(isHeard);

function isAsked({ plan, board }: HeardFilm, sources: MixPlan['sources']): boolean {
  const shown = new Set(plan.segments.map(({ shotId }) => shotId));
  return asksForMix(sources, { shots: board.shots.filter(({ id }) => shown.has(id)), sound: board.sound });
}

interface NotLevelled {
  shotId: string;
  /** One sentence that names the shot by its number. */
  message: string;
  /** Another measurement would give the same result. */
  isFinal: boolean;
}

/** Shots that should be levelled and could not be measured. */
export function notLevelledIn(
  { plan, board, loudness, faultOf }: HeardFilm,
  sources: MixPlan['sources'],
): NotLevelled[] {
  const heard = new Set(sources.map(({ shotId }) => shotId));
  const levelled = new Set(board.shots.filter(({ isLevelled }) => isLevelled).map(({ id }) => id));
  const isFilmLevelled = targetOf(board.sound?.loudness) !== undefined;
  return plan.segments.flatMap(({ shotId, number, sha256 = '' }, index) => {
    const next = plan.segments[index + 1]?.shotId ?? '';
    const isWished = isFilmLevelled || levelled.has(shotId) || levelled.has(next);
    if (!heard.has(shotId) || !isWished || loudness(sha256)) return [];
    const fault = faultOf(sha256);
    const why = fault ?? t`The sound is not measured.`;
    return [{ shotId, message: t`Shot ${number} is not levelled. ${why}`.slice(0, 300), isFinal: fault !== undefined }];
  });
}

/** The measured loudness of a clip, by hash. */
export type LoudnessOf = (sha256: string) => Pick<SoundMeasures, 'lufs' | 'truePeakDb' | 'momentary'> | undefined;

/** The known facts about the sounds of a film. */
export interface FilmSounds {
  loudness: LoudnessOf;
  /** Why a sound cannot be measured, in one sentence. */
  faultOf(sha256: string): string | undefined;
}

/** The files with sound, each once. */
export function soundingFiles(
  shots: readonly CheckedShot[],
  track: { sha256: string | undefined } | undefined,
): string[] {
  const own = shots.flatMap(({ file, facts }) => (file && facts?.audio ? [file.sha256] : []));
  return [...new Set(track?.sha256 === undefined ? own : [...own, track.sha256])];
}

/** Also requests missing measures. */
export function soundsOf(sha256s: readonly string[], library: Pick<Library, 'measures'>): FilmSounds {
  const known = sha256s.length === 0 ? {} : library.measures(sha256s);
  return {
    loudness: (sha256) => {
      const file = known[sha256];
      return file?.state === 'measured' ? file.measures.sound : undefined;
    },
    faultOf: (sha256) => faultOf(known[sha256]),
  };
}

/** The measures of the part that plays. */
export const soundOf = ({ file, active, facts }: CheckedShot, loudness: LoudnessOf): ReturnType<LoudnessOf> =>
  file && partOfSound(loudness(file.sha256), playedPart(active?.trim, facts?.seconds ?? 0));

function faultOf(file: MeasuredFile | undefined): string | undefined {
  if (file?.state === 'failed') return file.message;
  return file?.state === 'measured' ? file.measures.soundFault : undefined;
}
