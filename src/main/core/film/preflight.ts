import { type Board, configOfShot } from '../../../shared/board/board.ts';
import { durationWords } from '../../../shared/contract/duration.ts';
import { type Finding, type Preflight, SOUND_ALONE, type Stream } from '../../../shared/film/filmExport.ts';
import {
  BOARD_MIXES,
  codecDifferences,
  type JoinFacts,
  type JoinPlan,
  type StreamDifferences,
  streamDifferences,
} from '../../../shared/film/joinable.ts';
import { filmLevel } from '../../../shared/film/sound/filmLevel.ts';
import { HIGHEST_PEAK_DB, targetOf } from '../../../shared/film/sound/levels.ts';
import { mixLoudness } from '../../../shared/film/sound/mixLoudness.ts';
import { mixPlan, trackEnd } from '../../../shared/film/sound/mixPlan.ts';
import { playedPart } from '../../../shared/film/trim.ts';
import { clipSeconds } from '../../../shared/kinds/video.ts';
import { t } from '../../../shared/text/texts.ts';
import {
  type FilmSounds,
  faultOfHeardTrack,
  faultOfTrack,
  filmMixOf,
  type HeardFilm,
  type LoudnessOf,
  mixInputOf,
  notLevelledIn,
  soundOf,
  soundsByAsset,
} from './filmMix.ts';
import { type CheckedShot, isReady, type ReadyShot } from './filmShots.ts';
import { burntIn, type FilmFormatFacts, filmFormatOf, rateValue } from './format.ts';

/** In LU: what most people begin to hear as a step (EBU Tech 3343 asks for a programme of one loudness within 1 LU; speech varies more). */
const LOUDNESS_STEP = 2;

/** The findings about a film before its export, by shot. */
export function preflightOf(shots: readonly CheckedShot[], film: HeardFilm, choice: Board['format']): Preflight {
  const { loudness } = film;
  const format = filmFormatOf(shots, choice);
  const findings = shots.flatMap((one, index) => findingsOf(one, shots[index - 1], { format, loudness }));
  const joining = joiningOf(shots, film);
  const isMixed = !joining.joinsPictures || joining.soundEncoded.length > 0;
  return {
    findings: [
      ...findings,
      ...codingFindings(shots, film, findings),
      ...levelFindings(film),
      ...trackFindings(film, { isMixed }),
    ],
    streams: shots.map((one) => streamOf(one, film)),
    ...joining,
  };
}

/** Missing measures are taken before the export; impossible ones are reported. */
function levelFindings(film: HeardFilm): Finding[] {
  const { sources } = mixPlan(mixInputOf(film));
  return notLevelledIn(film, sources)
    .filter(({ isFinal }) => isFinal)
    .map(({ shotId, message }) => ({ level: 'know', code: 'loudness', shotId, message }));
}

type Joining = Pick<Preflight, 'canJoin' | 'whyNot' | 'joinsPictures' | 'soundEncoded'>;

/** Whether pictures and sound can be joined, by the rule of the movie maker: pictures can be joined while only the sound is encoded. */
function joiningOf(shots: readonly CheckedShot[], film: HeardFilm): Joining {
  const holes = shots.flatMap((one) => {
    const hole = holeOf(one);
    return hole ? [hole.words] : [];
  });
  const odd = clipDifferences(shots, film);
  const pictures = [...holes, ...odd.pictures];
  const { sound } = odd;
  const joinsPictures = shots.length > 0 && pictures.length === 0;
  const mixed = filmMixOf(film).isAsked ? [BOARD_MIXES] : [];
  const alone = joinsPictures && sound.length > 0 ? [SOUND_ALONE] : [];
  return {
    canJoin: joinsPictures && sound.length === 0,
    whyNot: [...pictures, ...sound, ...alone],
    joinsPictures,
    soundEncoded: joinsPictures ? [...mixed, ...sound] : [],
  };
}

/** The differences that prevent joining. A mix is judged separately, because it only encodes the sound. */
function clipDifferences(shots: readonly CheckedShot[], film: HeardFilm): StreamDifferences {
  if (!shots.some(isReady)) return { pictures: shots.length > 0 ? [] : [t`The film has no shots.`], sound: [] };
  return streamDifferences(...joinedFrom(shots, film));
}

/** The film of the existing clips, with their streams. */
function joinedFrom(shots: readonly CheckedShot[], { plan, board }: HeardFilm): [JoinPlan, (JoinFacts | null)[]] {
  const ready = shots.filter(isReady);
  const isIn = new Set(ready.map(({ shot }) => shot.id));
  const segments = plan.segments.filter(({ shotId }) => isIn.has(shotId));
  const joined = { ...plan, segments, mix: { isAsked: false }, words: burntIn(board, plan) };
  return [joined, ready.map(({ facts }) => facts.joining ?? null)];
}

/** Clips that cannot be joined although their codecs have the same name; once for each shot. */
function codingFindings(shots: readonly CheckedShot[], film: HeardFilm, told: readonly Finding[]): Finding[] {
  const known = new Set(told.filter(({ code }) => code === 'coding').map(({ shotId }) => shotId));
  return codecDifferences(...joinedFrom(shots, film)).flatMap(({ number, message }): Finding[] => {
    const shotId = shots.find((one) => one.number === number)?.shot.id;
    if (shotId === undefined || known.has(shotId)) return [];
    known.add(shotId);
    return [{ level: 'know', code: 'coding', shotId, message }];
  });
}

interface Context {
  format: FilmFormatFacts;
  loudness: LoudnessOf;
}

function findingsOf(one: CheckedShot, before: CheckedShot | undefined, { format, loudness }: Context): Finding[] {
  const shotId = one.shot.id;
  const finding = (code: Finding['code'], message: string, level: Finding['level'] = 'know'): Finding => ({
    level,
    code,
    shotId,
    message,
  });
  const name = t`Shot ${one.number}`;
  const stale =
    one.staleSources.length > 0
      ? [finding('stale', t`${name} is outdated: it was made from ${LIST.format(one.staleSources)}.`)]
      : [];
  const hole = holeOf(one);
  if (hole) return [finding(hole.code, hole.words, 'stop'), ...stale];
  if (!isReady(one)) return stale;
  const { video, audio } = one.facts;
  const isOtherSize = video.width !== format.width || video.height !== format.height;
  const isOtherRate = rateValue(video.rate) !== rateValue(format.rate) || !video.constantRate;
  return [
    ...stale,
    ...(isOtherSize
      ? [finding('size', t`${name} is ${sizeOf(video)}; the film is ${sizeOf(format)}, so the shot is scaled.`)]
      : []),
    ...(isOtherRate ? [finding('rate', t`${name} has ${rateWords(video)}; the film has ${rateWords(format)}.`)] : []),
    ...(video.codec !== format.codec || (audio && format.audioCodec && audio.codec !== format.audioCodec)
      ? [
          finding(
            'coding',
            t`${name} is ${codingOf(video.codec, audio?.codec)}; the film is ${codingOf(format.codec, format.audioCodec)}.`,
          ),
        ]
      : []),
    ...((one.facts.joining?.pieces ?? 1) > 1
      ? [finding('coding', t`${name} plays only parts of its file. The film plays it uncut from the first part.`)]
      : []),
    ...(audio ? [] : [finding('silent', t`${name} is silent: it was made without sound, so silence is added.`)]),
    ...loudnessStep(one, before, loudness).map((words) => finding('loudness', words)),
  ];
}

/** Why a shot has nothing to show. */
export function holeOf(one: CheckedShot): { code: 'missing' | 'unavailable'; words: string } | undefined {
  const { number } = one;
  if (one.active?.job?.state !== 'succeeded')
    return { code: 'missing', words: `${t`Shot ${number} has no take.`} ${missingWords(one)}` };
  if (!one.active.clip) return { code: 'missing', words: t`The take of shot ${number} has no clip.` };
  if (!one.file) return { code: 'unavailable', words: t`The take of shot ${number} is not on this disk.` };
  if (!one.facts?.video) return { code: 'unavailable', words: t`The take of shot ${number} cannot be read.` };
  return one.undecodable === undefined ? undefined : { code: 'unavailable', words: one.undecodable };
}

function missingWords({ shot, takes }: CheckedShot): string {
  const newest = takes.at(-1)?.job;
  const planned = t`Planned ${plannedSeconds({ shot })} s`;
  if (!newest || ['failed', 'canceled', 'succeeded'].includes(newest.state)) return `${planned}.`;
  return `${planned}. ${newest.state === 'uncertain' ? t`Unconfirmed` : t`Making`}.`;
}

/** The planned length of a take, in seconds. */
export const plannedSeconds = ({ shot }: Pick<CheckedShot, 'shot'>): number =>
  clipSeconds({ config: configOfShot(shot) });

const sizeOf = ({ width, height }: { width: number; height: number }): string => `${width} × ${height}`;

const rateWords = ({
  rate,
  constantRate = true,
}: {
  rate: { num: number; den: number };
  constantRate?: boolean;
}): string => `${constantRate ? '' : 'a varying rate of about '}${rateValue(rate)} frames a second`;

const codingOf = (video: string, audio: string | undefined): string => [video, audio].filter(Boolean).join(' + ');

function loudnessStep(one: ReadyShot, before: CheckedShot | undefined, loudness: LoudnessOf): string[] {
  const here = soundOf(one, loudness)?.lufs ?? undefined;
  const there = before && (soundOf(before, loudness)?.lufs ?? undefined);
  if (here === undefined || there === undefined || before === undefined) return [];
  const step = Math.abs(here - there);
  if (step < LOUDNESS_STEP) return [];
  const message = t`Loudness steps by ${step.toFixed(1)} LU from shot ${before.number} to ${one.number}: ${there.toFixed(1)} to ${here.toFixed(1)} LUFS.`;
  return [one.shot.isLevelled ? t`${message} It is levelled in the export.` : message];
}

function streamOf(one: CheckedShot, { loudness, faultOf }: FilmSounds): Stream {
  const { shot, active, file, facts } = one;
  const sound = soundOf(one, loudness);
  const lufs = sound?.lufs ?? undefined;
  const soundFault = file && (sound?.lufs === null ? SILENT : faultOf(file.sha256));
  return {
    shotId: shot.id,
    ...(active ? { jobId: active.jobId } : {}),
    ...(active?.clip ? { assetId: active.clip.id } : {}),
    ...(facts?.video
      ? {
          width: facts.video.width,
          height: facts.video.height,
          fps: rateValue(facts.video.rate),
          videoCodec: facts.video.codec,
        }
      : {}),
    ...(facts?.audio ? { audioCodec: facts.audio.codec, sampleRate: facts.audio.sampleRate } : {}),
    ...(facts ? { seconds: playedPart(active?.trim, facts.seconds).seconds } : {}),
    ...(active?.trim ? { isTrimmed: true } : {}),
    ...(lufs === undefined ? {} : { lufs }),
    ...(soundFault === undefined ? {} : { soundFault }),
  };
}

const SILENT = t`Its sound is silent.`;

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });

/** Findings about the track and the mix, each at the shot where it matters. */
export function trackFindings(film: HeardFilm, { isMixed }: { isMixed: boolean }): Finding[] {
  return [...missing(film), ...length(film), ...(isMixed ? peaks(film) : [])];
}

function missing({ plan, track }: HeardFilm): Finding[] {
  const shotId = plan.segments[0]?.shotId;
  const fault = track && faultOfHeardTrack(track);
  if (!track || fault === undefined || shotId === undefined) return [];
  const code = faultOfTrack(track) === undefined ? 'unavailable' : 'track';
  return [{ level: 'stop', code, shotId, message: `${fault}.`, isOfTrack: true }];
}

function length(film: HeardFilm): Finding[] {
  const { plan, board, track } = film;
  const laid = board.sound?.track;
  if (!laid || !track || faultOfHeardTrack(track) !== undefined || track.seconds === undefined) return [];
  const seconds = plan.segments.reduce((sum, one) => sum + one.seconds, 0);
  const frame = plan.fps.den / plan.fps.num;
  const end = trackEnd(laid, seconds, track.seconds);
  if (end < seconds - frame) {
    const at = shotAt(film, end);
    const message = t`The track ends after ${durationWords(end)}, the film after ${durationWords(seconds)}: shot ${at?.number} continues without it.`;
    return at ? [{ level: 'know', code: 'track', shotId: at.shotId, message }] : [];
  }
  const over = Math.min(laid.out ?? track.seconds, track.seconds) - laid.in - seconds;
  const last = plan.segments.at(-1);
  if (over <= frame || !last) return [];
  const message = t`The track is ${durationWords(over)} longer than the film and ends with it.`;
  return [{ level: 'know', code: 'track', shotId: last.shotId, message }];
}

/** In dB: smaller changes are not reported. */
const TOLD = 0.1;

/** How peaks are lowered, once everything in the mix is measured. */
function peaks(film: HeardFilm): Finding[] {
  const mix = mixPlan(mixInputOf(film));
  const at = shotAt(film, mix.loudestAt);
  const known = soundsByAsset(film);
  if (!at || !mix.sources.every(({ assetId }) => known.has(assetId))) return [];
  const momentary = new Map([...known].map(([id, sound]) => [id, sound.momentary]));
  const level = filmLevel(mix, { target: targetOf(film.board.sound?.loudness), loudness: mixLoudness(mix, momentary) });
  const { lowered, over } = level ?? { lowered: 0, over: 0 };
  const finding = (message: string): Finding => ({ level: 'know', code: 'loudness', shotId: at.shotId, message });
  if (lowered >= TOLD)
    return [
      finding(t`The sounds of shot ${at.number} would clip together. The mix is lowered by ${lowered.toFixed(1)} dB.`),
    ];
  if (over < TOLD) return [];
  return [
    finding(
      t`Shot ${at.number} has the loudest peaks. They are lowered by up to ${over.toFixed(1)} dB, to ${HIGHEST_PEAK_DB} dBTP.`,
    ),
  ];
}

function shotAt({ plan }: HeardFilm, second: number): { shotId: string; number: number } | undefined {
  let end = 0;
  return (
    plan.segments.find(({ seconds }) => {
      end += seconds;
      return second < end - 1e-6;
    }) ?? plan.segments.at(-1)
  );
}
