import { en, t } from '../text/texts.ts';
import type { FilmSegment, FrameRate } from './filmExport.ts';

/**
 * Whether the clips of a film can be joined without encoding. The studio predicts it from what it read of the files, and the media page
 * decides by the same rule.
 */

/** The properties that two clips must share to be joined, and those that are reported otherwise. */
export interface JoinFacts {
  /** Pixels, as they are shown. */
  width: number;
  height: number;
  /** The rotation that players apply, in degrees clockwise. */
  rotation: number;
  /** Such as `avc`; null if unknown. */
  videoCodec: string | null;
  /** The decoder configuration as one text: parameter sets, colours, pixel shape. */
  videoSetup: string;
  /** Shown frames. */
  frames: number;
  /** Frames that the edit list hides. */
  hidden: number;
  /** Of `frames`, those during which a player holds the first one because the sound begins earlier. */
  late: number;
  /** The most parts of one edit list; only one part is supported. */
  pieces: number;
  /** Frames per second at a constant rate; null at a variable one. */
  fps: number | null;
  audio: SoundFacts | null;
}

export interface SoundFacts {
  codec: string | null;
  /** Hertz. */
  sampleRate: number;
  channels: number;
  /** The codec (RFC 6381) and the decoder configuration. */
  setup: string;
}

export interface JoinPlan {
  fps: FrameRate;
  width: number;
  height: number;
  segments: readonly Pick<FilmSegment, 'number' | 'kind' | 'frames' | 'from'>[];
  mix: { isAsked: boolean };
  words: readonly unknown[];
}

/** Why streams cannot be joined, one sentence each; both empty if they can. */
export interface StreamDifferences {
  pictures: string[];
  sound: string[];
}

/** Those reasons of {@link streamDifferences} that concern the codecs. */
export function codecDifferences(
  plan: JoinPlan,
  streams: readonly (JoinFacts | null)[],
): { number: number; message: string }[] {
  const first = streams.find((clip) => clip !== null);
  const sound = streams.find((clip) => clip?.audio)?.audio ?? null;
  if (!first) return [];
  return plan.segments.flatMap(({ number, frames }, index) => {
    const clip = streams[index];
    if (!clip) return [];
    const odd = [pictureOdd(plan, { frames, spare: Number.POSITIVE_INFINITY }, clip, first), soundOdd(clip, sound)];
    return odd.filter((one) => one?.isCoding).map((one) => ({ number, message: en`Shot ${number} ${one?.words}.` }));
  });
}

/** How a stream differs, as the end of a sentence about the shot. */
interface StreamDifference {
  words: string;
  /** The codec differs; picture and sound may still match. */
  isCoding: boolean;
}

const otherwise = (words: string): StreamDifference => ({ words, isCoding: false });
const coded = (words: string): StreamDifference => ({ words, isCoding: true });

export const BOARD_MIXES = t`The board mixes the sound.`;

/** Differences from the first clip's streams, or needs beyond them. `streams`: in segment order, null without a clip. */
export function streamDifferences(plan: JoinPlan, streams: readonly (JoinFacts | null)[]): StreamDifferences {
  const first = streams.find((clip) => clip !== null);
  const words = plan.words.length > 0 ? [t`Subtitles are drawn into the pictures, so they are encoded again.`] : [];
  if (!first) return { pictures: [...words, t`The film has no clip to join.`], sound: [] };
  const sound = streams.find((clip) => clip?.audio)?.audio ?? null;
  const surplus = plan.segments.reduce(
    (sum, { frames, from }, index) => sum + (from === undefined ? (streams[index]?.frames ?? frames) - frames : 0),
    0,
  );
  const spare = Math.abs(surplus) > SPARE_FRAMES ? 0 : SPARE_FRAMES;
  const odd = (
    of: (segment: JoinPlan['segments'][number], clip: JoinFacts | null) => StreamDifference | undefined,
  ): string[] =>
    plan.segments.flatMap((segment, index) => {
      const fault = of(segment, streams[index] ?? null);
      return fault === undefined ? [] : [en`Shot ${segment.number} ${fault.words}.`];
    });
  return {
    pictures: [
      ...words,
      ...odd((segment, clip) => (clip ? pictureOdd(plan, { ...segment, spare }, clip, first) : holeOdd(segment))),
    ],
    sound: [
      ...(plan.mix.isAsked ? [BOARD_MIXES] : []),
      ...odd((_, clip) => (clip ? soundOdd(clip, sound) : undefined)),
    ],
  };
}

const holeOdd = ({ kind }: Pick<FilmSegment, 'kind'>): StreamDifference =>
  otherwise(
    kind === 'still' ? 'is a still picture, which has to be encoded' : 'has no clip, so a slate has to be encoded',
  );

/** The total frames that a joined film may be off; one that is off by more is refused after it is made. */
const SPARE_FRAMES = 1;

/** Containers state 23.976 and 24000/1001 for the same rate. */
const SAME_RATE = 0.002;

function pictureOdd(
  plan: JoinPlan,
  segment: Pick<FilmSegment, 'frames' | 'from'> & { spare: number },
  clip: JoinFacts,
  first: JoinFacts,
): StreamDifference | undefined {
  const rate = plan.fps.num / plan.fps.den;
  if (clip.videoCodec === null) return coded('is coded in a way that is not known here');
  if (clip.videoCodec !== first.videoCodec)
    return coded(`is coded as ${clip.videoCodec}, the film as ${first.videoCodec}`);
  if (clip.width !== plan.width || clip.height !== plan.height) {
    return otherwise(`is ${clip.width} × ${clip.height}, the film ${plan.width} × ${plan.height}`);
  }
  if (clip.rotation !== first.rotation) return otherwise(`is turned by ${clip.rotation}°`);
  if (clip.hidden > 0) return otherwise(`has ${clip.hidden} frames that its edit list hides`);
  if (clip.late > 0) return otherwise(`begins ${clip.late} frames after its sound`);
  if (clip.pieces > 1) return otherwise('is cut into pieces by its edit list');
  if (segment.from !== undefined) return otherwise('is trimmed, and a part of a clip has to be encoded');
  if (clip.fps === null) return otherwise('has no constant frame rate');
  if (Math.abs(clip.fps / rate - 1) > SAME_RATE)
    return otherwise(`has ${tidy(clip.fps)} frames a second, the film ${tidy(rate)}`);
  if (Math.abs(clip.frames - segment.frames) > segment.spare)
    return otherwise(`has ${clip.frames} frames, the film needs ${segment.frames}`);
  if (clip.videoSetup !== first.videoSetup) return coded('was encoded with other settings than the first clip');
  return undefined;
}

function soundOdd({ audio }: JoinFacts, sound: SoundFacts | null): StreamDifference | undefined {
  if (!sound) return undefined;
  if (!audio)
    return hasSilence(sound) ? undefined : otherwise(`has no sound, and silence in ${sound.codec} has to be encoded`);
  if (audio.codec !== sound.codec) return coded(`has sound in ${audio.codec}, the film in ${sound.codec}`);
  if (audio.sampleRate !== sound.sampleRate)
    return coded(`has sound at ${audio.sampleRate} Hz, the film at ${sound.sampleRate} Hz`);
  if (audio.channels !== sound.channels)
    return coded(`has ${audio.channels} channels of sound, the film ${sound.channels}`);
  if (audio.setup !== sound.setup) return coded('has sound that was encoded with other settings than the first');
  return undefined;
}

/** Whether silence can be written as a packet of that stream: AAC-LC, one or two channels. */
export const hasSilence = ({ codec, setup, channels }: SoundFacts): boolean =>
  codec === 'aac' && setup.startsWith('mp4a.40.2') && (channels === 1 || channels === 2);

const tidy = (rate: number): number => Math.round(rate * 1000) / 1000;

/** How far a frame may be off its constant rate, in frames: containers round times. */
const RATE_TOLERANCE = 0.1;

/** The constant frame rate of these times (seconds, any order); null if there is none. */
export function constantRate(times: readonly number[]): number | null {
  const sorted = [...times].sort((a, b) => a - b);
  const first = sorted[0] ?? 0;
  const span = (sorted.at(-1) ?? 0) - first;
  if (sorted.length < 2 || span <= 0) return null;
  const rate = (sorted.length - 1) / span;
  return sorted.every((time, index) => Math.abs((time - first) * rate - index) <= RATE_TOLERANCE) ? rate : null;
}

/** The decoder configuration as a text that can be compared. */
export const setupOf = ({ description, ...rest }: DecoderSetup): string => JSON.stringify([rest, hexOf(description)]);

interface DecoderSetup {
  description?: ArrayBufferView | ArrayBufferLike | undefined;
  [field: string]: unknown;
}

export function hexOf(bytes: DecoderSetup['description']): string {
  if (!bytes) return '';
  const view = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
  return [...view].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
