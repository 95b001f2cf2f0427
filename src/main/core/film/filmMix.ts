import type { Asset } from '../../../shared/asset.ts';
import type { Board } from '../../../shared/board.ts';
import type { FilmMix, FilmPlan } from '../../../shared/filmExport.ts';
import { shownName } from '../../../shared/shownName.ts';
import { gainOfDb, targetOf } from '../../../shared/sound/levels.ts';
import { type MixInput, type MixPlan, mixPlan, type ShotLevelling } from '../../../shared/sound/mixPlan.ts';
import type { Library } from '../library/index.ts';
import { cuesOfPlan, spansOfPlan } from './filmWords.ts';
import type { LoudnessOf } from './loudness.ts';

/** What is heard of a film as it is exported, by the same plan as the board plays. */

export interface TrackFacts {
  assetId: string;
  name: string;
  /** Whether its file is on this disk. */
  isHere: boolean;
  /** Of a file that is here: whether it holds any sound. */
  isSound: boolean;
  /** Of its file. */
  seconds: number | undefined;
  sha256: string | undefined;
}

/** The track of the board, unless it is muted. */
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
    name: asset.ok ? asset.data.name : 'The track',
    isHere: file.ok,
    isSound: asset.ok && holdsSound(asset.data),
    seconds: asset.ok ? asset.data.seconds : undefined,
    sha256: file.ok ? file.data.sha256 : undefined,
  };
}

/** A picture has no say of it, and where it is not known it may hold some. */
const holdsSound = ({ mime, audio, seconds }: Asset): boolean =>
  audio !== false && seconds !== 0 && !mime.startsWith('image/');

/** One sentence without its end, if nothing of the track can be heard. */
export function faultOfTrack({ name, isHere, isSound }: TrackFacts): string | undefined {
  if (!isHere) return `The file of the track, ${shownName(name)}, is not on this disk`;
  return isSound ? undefined : `The file of the track, ${shownName(name)}, holds no sound`;
}

export interface HeardFilm {
  plan: FilmPlan;
  board: Pick<Board, 'shots' | 'sound'>;
  track: TrackFacts | undefined;
  loudness: LoudnessOf;
}

/** The mix of the film; `levelling` is what an export adds to what the board plays. */
export function mixInputOf({ plan, board, track, loudness }: HeardFilm, levels: boolean): MixInput {
  const { segments } = plan;
  const target = levels ? targetOf(board.sound?.loudness) : undefined;
  const sounding = segments.filter(({ kind, hasAudio }) => kind === 'clip' && hasAudio);
  const measured = [
    ...sounding.map(({ assetId, sha256 }) => [assetId, sha256] as const),
    [track?.assetId, track?.sha256] as const,
  ];
  const peaks = measured.flatMap(([assetId, sha256]): [string, number][] => {
    const peak = sha256 === undefined ? undefined : loudness(sha256)?.truePeakDb;
    return assetId === undefined || peak === undefined ? [] : [[assetId, peak === null ? 0 : gainOfDb(peak)]];
  });
  const levelling = sounding.flatMap(({ shotId, sha256 = '', gainDb }): [string, ShotLevelling][] => {
    const { momentary = [] } = loudness(sha256) ?? {};
    const ends = { first: momentary[0] ?? null, last: momentary.at(-1) ?? null };
    return [[shotId, { gainDb: target === undefined ? 0 : gainDb, ...ends }]];
  });
  return {
    shots: board.shots,
    plan: spansOfPlan(plan).map((span, index) => {
      const { kind, assetId, hasAudio } = segments[index] ?? {};
      return kind === 'clip' && assetId !== undefined ? { ...span, assetId, hasSound: hasAudio === true } : span;
    }),
    track: track && faultOfTrack(track) === undefined ? board.sound?.track : undefined,
    trackSeconds: track?.seconds,
    cues: cuesOfPlan(board, plan),
    peaks: new Map(peaks),
    ...(levels ? { levelling: new Map(levelling) } : {}),
  };
}

export function filmMixOf(film: HeardFilm): FilmMix {
  const { sources, headroom } = mixPlan(mixInputOf(film, true));
  const target = targetOf(film.board.sound?.loudness);
  return {
    sources,
    headroom,
    ...(target === undefined ? {} : { target }),
    isAsked: sources.length === 0 ? hadSound(film) : isAsked(film, sources),
  };
}

const hadSound = ({ plan }: HeardFilm): boolean =>
  plan.segments.some(({ kind, hasAudio }) => kind === 'clip' && hasAudio);

/** Whether anything but the shots' own sound as it came is wished for. */
function isAsked({ plan, board }: HeardFilm, sources: MixPlan['sources']): boolean {
  const { loudness } = board.sound ?? {};
  const shown = new Set(plan.segments.map(({ shotId }) => shotId));
  return (
    sources.some(({ from }) => from === 'track') ||
    board.shots.some(({ id, ownSound, isLevelled }) => shown.has(id) && (ownSound !== undefined || isLevelled)) ||
    (loudness !== undefined && !loudness.isOff)
  );
}
