import { type Board, configOfShot } from '../../../shared/board.ts';
import { type Finding, type Preflight, SOUND_ALONE, type Stream } from '../../../shared/filmExport.ts';
import { clipSeconds } from '../../../shared/kinds/video.ts';
import { filmMixOf, type HeardFilm } from './filmMix.ts';
import type { CheckedShot, ReadyShot } from './filmShots.ts';
import { isReady } from './filmShots.ts';
import { burntIn } from './filmWords.ts';
import { type FilmFormatFacts, filmFormatOf, rateValue } from './format.ts';
import type { LoudnessOf } from './loudness.ts';
import { trackFindings } from './trackFindings.ts';

/** In LU: what most people begin to hear as a step (EBU Tech 3343 asks for a programme of one loudness within 1 LU; speech varies more). */
const LOUDNESS_STEP = 2;

/** Everything that a film's maker should know before it is exported, shot by shot in order. */
export function preflightOf(shots: readonly CheckedShot[], film: HeardFilm, choice: Board['format']): Preflight {
  const { loudness } = film;
  const format = filmFormatOf(shots, choice);
  const findings = shots.flatMap((one, index) => findingsOf(one, shots[index - 1], { format, loudness }));
  return {
    findings: [...findings, ...trackFindings(film)],
    streams: shots.map((one) => streamOf(one, loudness)),
    ...joiningOf(shots, film, format),
  };
}

type Joining = Pick<Preflight, 'canJoin' | 'whyNot' | 'joinsPictures' | 'soundEncoded'>;

/** How the film becomes one MP4: sound that differs is encoded while the pictures are joined, as the maker of movies does. */
function joiningOf(shots: readonly CheckedShot[], film: HeardFilm, format: FilmFormatFacts): Joining {
  const ready = shots.filter(isReady);
  const pictures = [
    ...pictureReasons(shots, ready, format),
    ...(burntIn(film.board, film.plan).length > 0 ? [BURNT_IN] : []),
  ];
  const sound = soundReasons(ready);
  const joinsPictures = shots.length > 0 && pictures.length === 0;
  const mixed = filmMixOf(film).isAsked ? ['The board mixes the sound.'] : [];
  const alone = joinsPictures && sound.length > 0 ? [SOUND_ALONE] : [];
  return {
    canJoin: joinsPictures && sound.length === 0,
    whyNot: [...pictures, ...sound, ...alone],
    joinsPictures,
    soundEncoded: joinsPictures ? [...mixed, ...sound] : [],
  };
}

const BURNT_IN = 'The words are burnt in, so the pictures are encoded.';

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
  const name = `Shot ${one.number}`;
  const stale =
    one.staleSources.length > 0
      ? [finding('stale', `${name} is stale: it was made from ${LIST.format(one.staleSources)}.`)]
      : [];
  const hole = holeOf(one);
  if (hole) return [finding(hole.code, `${name} ${hole.words}`, 'stop'), ...stale];
  if (!isReady(one)) return stale;
  const { video, audio } = one.facts;
  const isOtherSize = video.width !== format.width || video.height !== format.height;
  const isOtherRate = rateValue(video.rate) !== rateValue(format.rate) || !video.constantRate;
  return [
    ...stale,
    ...(isOtherSize
      ? [finding('size', `${name} is ${sizeOf(video)}; the film is ${sizeOf(format)}, so the shot is scaled.`)]
      : []),
    ...(isOtherRate ? [finding('rate', `${name} has ${rateWords(video)}; the film has ${rateWords(format)}.`)] : []),
    ...(video.codec !== format.codec || (audio && format.audioCodec && audio.codec !== format.audioCodec)
      ? [
          finding(
            'coding',
            `${name} is coded as ${codingOf(one)}; the film is ${format.codec}${format.audioCodec ? ` with ${format.audioCodec}` : ''}.`,
          ),
        ]
      : []),
    ...(audio
      ? []
      : [
          finding(
            'silent',
            `${name} is silent: it was made without sound, so silence is put in, faded 20 ms at its ends.`,
          ),
        ]),
    ...loudnessStep(one, before, loudness).map((words) => finding('loudness', words)),
  ];
}

/** Why there is nothing to show; the end of a sentence that begins with the shot. */
export function holeOf(one: CheckedShot): { code: 'missing' | 'unavailable'; words: string } | undefined {
  if (one.active?.job?.state !== 'succeeded') return { code: 'missing', words: `has no take. ${missingWords(one)}` };
  if (!one.active.clip) return { code: 'missing', words: 'has a take without a clip.' };
  if (!one.file)
    return { code: 'unavailable', words: `plays a clip that is not on this disk (${one.active.clip.state}).` };
  return one.facts?.video ? undefined : { code: 'unavailable', words: 'plays a clip that cannot be read.' };
}

function missingWords({ shot, takes }: CheckedShot): string {
  const newest = takes.at(-1)?.job;
  const planned = `Planned ${plannedSeconds({ shot })} s`;
  if (!newest || ['failed', 'canceled', 'succeeded'].includes(newest.state)) return `${planned}.`;
  return `${planned}; its take is ${newest.state === 'uncertain' ? 'in doubt' : 'still being made'}.`;
}

/** What a take of the shot will last, in seconds. */
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

const codingOf = ({ facts: { video, audio } }: ReadyShot): string =>
  [video.codec, audio?.codec].filter(Boolean).join(' with ');

function loudnessStep(one: ReadyShot, before: CheckedShot | undefined, loudness: LoudnessOf): string[] {
  const here = loudness(one.file.sha256)?.lufs ?? undefined;
  const there = before?.file && (loudness(before.file.sha256)?.lufs ?? undefined);
  if (here === undefined || there === undefined || before === undefined) return [];
  const step = Math.abs(here - there);
  if (step < LOUDNESS_STEP) return [];
  return [
    `Loudness steps by ${step.toFixed(1)} LU from shot ${before.number} to ${one.number}: ${there.toFixed(1)} to ${here.toFixed(1)} LUFS.${one.shot.isLevelled ? ' It is levelled in the export.' : ''}`,
  ];
}

function streamOf(one: CheckedShot, loudness: LoudnessOf): Stream {
  const { shot, active, file, facts } = one;
  const lufs = file && (loudness(file.sha256)?.lufs ?? undefined);
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
    ...(facts ? { seconds: facts.seconds } : {}),
    ...(lufs === undefined ? {} : { lufs }),
  };
}

/** Packets of one track must all mean the same to a decoder, so every clip is compared with the first. */
function pictureReasons(
  shots: readonly CheckedShot[],
  [first, ...rest]: readonly ReadyShot[],
  format: FilmFormatFacts,
): string[] {
  const holes = shots.flatMap((one) => {
    const hole = holeOf(one);
    return hole ? [`Shot ${one.number} ${hole.words}`] : [];
  });
  if (!first) return holes.length > 0 ? holes : ['There is no shot in the film.'];
  const varying = [first, ...rest]
    .filter(({ facts }) => !facts.video.constantRate)
    .map(({ number }) => `The frames of shot ${number} do not all last equally long.`);
  const { video } = first.facts;
  const isScaled = video.width !== format.width || video.height !== format.height;
  const scaled = isScaled ? [`Shot ${first.number} is ${sizeOf(video)}, the film ${sizeOf(format)}.`] : [];
  return [...holes, ...varying, ...scaled, ...rest.flatMap((one) => differencesOf(one, first))];
}

function differencesOf(one: ReadyShot, first: ReadyShot): string[] {
  const [a, b] = [one.facts, first.facts];
  const isOtherSize = a.video.width !== b.video.width || a.video.height !== b.video.height;
  const isOtherCoding = a.video.codec !== b.video.codec || a.video.config !== b.video.config;
  const what = [
    ...(isOtherSize ? ['size'] : []),
    ...(rateValue(a.video.rate) === rateValue(b.video.rate) ? [] : ['rate']),
    ...(isOtherCoding ? ['coding'] : []),
  ];
  if (what.length === 0) return [];
  return [`Shot ${one.number} differs from shot ${first.number} in ${LIST.format(what)}.`];
}

/** The sound of the film is that of its first clip with sound; silence beside it is joined where a packet of it is known. */
function soundReasons(ready: readonly ReadyShot[]): string[] {
  const first = ready.find(({ facts }) => facts.audio);
  const sound = first?.facts.audio;
  if (!first || !sound) return [];
  return ready.flatMap(({ number, facts: { audio } }) => {
    if (!audio)
      return isAacLc(sound) ? [] : [`Shot ${number} has no sound, and silence in ${sound.codec} has to be encoded.`];
    const isSame =
      audio.codec === sound.codec &&
      audio.sampleRate === sound.sampleRate &&
      audio.channels === sound.channels &&
      audio.config === sound.config;
    return isSame ? [] : [`Shot ${number} differs from shot ${first.number} in sound.`];
  });
}

const isAacLc = ({ codec, channels }: { codec: string; channels: number }): boolean =>
  codec === 'mp4a.40.2' && channels <= 2;

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });
