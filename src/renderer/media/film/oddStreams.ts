import type { FilmPlan, FilmSegment, MoviePlan } from '../../../shared/filmExport.ts';
import type { ClipStreams } from './clipStreams.ts';
import { silentPacket } from './silence.ts';

/** Rates this close are one rate: containers state 23.976 and 24000/1001 for the same. */
const SAME_RATE = 0.002;

/** Why the streams of a film cannot be joined as they came, one sentence each; both empty if they can. */
export interface OddStreams {
  pictures: string[];
  sound: string[];
}

/**
 * What is unlike the film, whose streams are those of its first clip, or is asked for beyond them. `streams` are in the order of the
 * segments; null where a segment has no clip.
 */
export function oddStreams(plan: MoviePlan, streams: readonly (ClipStreams | null)[]): OddStreams {
  const first = streams.find((clip) => clip !== null);
  const words = plan.words.length > 0 ? ['The words are drawn into the pictures, which have to be encoded.'] : [];
  if (!first) return { pictures: [...words, 'There is no clip in it to join.'], sound: [] };
  const sound = streams.find((clip) => clip?.audio)?.audio ?? null;
  const odd = (of: (segment: FilmSegment, clip: ClipStreams | null) => string | undefined): string[] =>
    plan.segments.flatMap((segment, index) => {
      const fault = of(segment, streams[index] ?? null);
      return fault === undefined ? [] : [`Shot ${segment.number} ${fault}.`];
    });
  return {
    pictures: [...words, ...odd((segment, clip) => (clip ? pictureOdd(plan, segment, clip, first) : holeOdd(segment)))],
    sound: [
      ...(plan.mix.isAsked ? ['The board mixes the sound.'] : []),
      ...odd((_, clip) => (clip ? soundOdd(clip, sound) : undefined)),
    ],
  };
}

const holeOdd = ({ kind }: FilmSegment): string =>
  kind === 'still' ? 'is a still picture, which has to be encoded' : 'has no clip, so a slate has to be encoded';

function pictureOdd(plan: FilmPlan, segment: FilmSegment, clip: ClipStreams, first: ClipStreams): string | undefined {
  const rate = plan.fps.num / plan.fps.den;
  if (clip.videoCodec === null) return 'is coded in a way that is not known here';
  if (clip.videoCodec !== first.videoCodec) return `is coded as ${clip.videoCodec}, the film as ${first.videoCodec}`;
  if (clip.width !== plan.width || clip.height !== plan.height) {
    return `is ${clip.width} × ${clip.height}, the film ${plan.width} × ${plan.height}`;
  }
  if (clip.rotation !== first.rotation) return `is turned by ${clip.rotation}°`;
  if (clip.fps === null) return 'has no constant frame rate';
  if (Math.abs(clip.fps / rate - 1) > SAME_RATE) return `has ${tidy(clip.fps)} frames a second, the film ${tidy(rate)}`;
  if (Math.abs(clip.frames - segment.frames) > 1) return `has ${clip.frames} frames, the film needs ${segment.frames}`;
  if (clip.videoSetup !== first.videoSetup) return 'was encoded with other settings than the first clip';
  return undefined;
}

function soundOdd({ audio }: ClipStreams, sound: ClipStreams['audio']): string | undefined {
  if (!sound) return undefined;
  if (!audio) return silentPacket(sound) ? undefined : `has no sound, and silence in ${sound.codec} has to be encoded`;
  if (audio.codec !== sound.codec) return `has sound in ${audio.codec}, the film in ${sound.codec}`;
  if (audio.sampleRate !== sound.sampleRate)
    return `has sound at ${audio.sampleRate} Hz, the film at ${sound.sampleRate} Hz`;
  if (audio.channels !== sound.channels) return `has ${audio.channels} channels of sound, the film ${sound.channels}`;
  if (audio.setup !== sound.setup) return 'has sound that was encoded with other settings than the first';
  return undefined;
}

const tidy = (rate: number): number => Math.round(rate * 1000) / 1000;
