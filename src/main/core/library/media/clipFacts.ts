import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import {
  CustomSource,
  EncodedPacketSink,
  FilePathSource,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  type Source,
} from 'mediabunny';
import { codecIn } from '../../../../shared/film/codecNames.ts';
import type { FrameRate } from '../../../../shared/film/filmExport.ts';
import { constantRate, hexOf, type JoinFacts, type SoundFacts, setupOf } from '../../../../shared/film/joinable.ts';
import { type EditLists, isShownAt, startOf } from '../../../../shared/film/mp4EditList.ts';
import { WAV_HEAD_BYTES, wavLayout } from '../../../../shared/film/sound/wav.ts';
import { withOpenFile } from './containers.ts';
import { editListsIn, type Mp4Extras, readMp4Extras, shownSeconds } from './mp4Boxes.ts';
import { ALL_CONTAINERS } from './probe.ts';

/**
 * Facts about the streams of a clip, or of a sound alone: enough to place it in a timeline to the frame, and to know whether two clips can
 * be joined.
 */
export interface ClipFacts {
  video?: {
    /** RFC 6381, such as `avc1.640028`. */
    codec: string;
    width: number;
    height: number;
    rate: FrameRate;
    /** Whether each frame lasts as long as the others. */
    constantRate: boolean;
    frames: number;
  };
  audio?: { codec: string; sampleRate: number; channels: number };
  /** Facts that decide whether the pictures can be joined with others. */
  joining?: JoinFacts;
  /** The length of the whole file. */
  seconds: number;
  /** The clip's own timecode at the first frame, in frames since midnight, counted at `base` frames a second. */
  timecode?: { frame: number; base: number; drop: boolean; rate?: FrameRate };
  /** Carries a C2PA manifest. It is not verified. */
  c2pa: boolean;
}

type Video = NonNullable<ClipFacts['video']>;
type Audio = NonNullable<ClipFacts['audio']>;

/** More than an hour of frames at 60 a second. A file that claims more is not placed to the frame. */
const MAX_FRAMES = 300_000;

/** Reads headers and the times of frames, no pixels. Throws if the file is no clip. */
export async function readClipFacts(file: string): Promise<ClipFacts> {
  const input = new Input({ source: await sourceOf(file), formats: ALL_CONTAINERS });
  try {
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    const edits = await editListsIn(file);
    const seen = video && (await videoFacts(video, edits));
    const heard = audio && (await audioFacts(audio));
    const seconds = await shownSeconds(input, edits);
    return {
      ...(seen ? { video: seen.video, joining: { ...seen.pictures, audio: heard?.sound ?? null } } : {}),
      ...(heard ? { audio: heard.audio } : {}),
      seconds,
      ...(await extrasOf(file)),
    };
  } finally {
    input.dispose();
  }
}

/** A WAV file whose sizes were never filled in is read with repaired sizes. */
async function sourceOf(file: string): Promise<Source> {
  const handle = await open(file, 'r');
  const { size } = await handle.stat();
  const bytesOf = async (start: number, end: number): Promise<Uint8Array> => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start);
    return buffer.subarray(0, bytesRead);
  };
  const layout = wavLayout(await bytesOf(0, Math.min(size, WAV_HEAD_BYTES)), size);
  if (!layout?.isRepaired) {
    await handle.close();
    return new FilePathSource(file);
  }
  const { head } = layout;
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    const bytes = await bytesOf(start, end);
    if (start < head.length) bytes.set(head.subarray(start, end));
    return bytes;
  };
  return new CustomSource({ getSize: () => size, read, dispose: () => handle.close() });
}

async function videoFacts(
  track: InputVideoTrack,
  edits: EditLists,
): Promise<{ video: Video; pictures: Omit<JoinFacts, 'audio'> }> {
  const edit = edits.get(track.id);
  const times: number[] = [];
  let hidden = 0;
  let lastDuration = 0;
  for await (const packet of new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true })) {
    if (isShownAt(packet.timestamp, edit)) times.push(packet.timestamp);
    else hidden += 1;
    lastDuration = packet.duration;
    if (times.length + hidden > MAX_FRAMES) throw new Error('too many frames');
  }
  // Packets come in the order of decoding.
  const measured = rateOf(
    times.sort((a, b) => a - b),
    lastDuration,
  );
  if (!measured) throw new Error('no frames');
  const { displayWidth: width, displayHeight: height, rotation } = track;
  const { rate, constant } = measured;
  const tracks = await track.input.getTracks();
  const pieces = Math.max(...tracks.map(({ id }) => edits.get(id)?.pieces ?? 1));
  const late = Math.round((((edit?.from ?? 0) - startOf(edits, tracks)) * rate.num) / rate.den);
  const frames = late + times.length;
  const codec = await codecIn(track);
  const videoSetup = hashOf(setupOf({ ...(await track.getDecoderConfig()) }));
  const fps = constant ? rate.num / rate.den : null;
  return {
    video: { codec, width, height, rate, constantRate: constant, frames },
    pictures: {
      width,
      height,
      rotation,
      videoCodec: await track.getCodec(),
      videoSetup,
      frames,
      hidden,
      late,
      pieces,
      fps,
    },
  };
}

async function audioFacts(track: InputAudioTrack): Promise<{ audio: Audio; sound: SoundFacts }> {
  const config = await track.getDecoderConfig();
  const { sampleRate, numberOfChannels: channels } = track;
  const codec = await codecIn(track);
  const setup = `${codec} ${hashOf(hexOf(config?.description))}`;
  return {
    audio: { codec, sampleRate, channels },
    sound: { codec: await track.getCodec(), sampleRate, channels, setup },
  };
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

async function extrasOf(file: string): Promise<Pick<ClipFacts, 'timecode' | 'c2pa'>> {
  // A damaged box says nothing about the frames, which have been read.
  const extras: Mp4Extras = await withOpenFile(file, readMp4Extras).catch(() => ({ hasC2pa: false }));
  const { startFrame, timecodeBase = 0, dropFrame = false, timecodeRate, hasC2pa } = extras;
  if (startFrame === undefined || timecodeBase < 1) return { c2pa: hasC2pa };
  const rate = timecodeRate && knownRate(timecodeRate, timecodeBase);
  return {
    c2pa: hasC2pa,
    timecode: { frame: startFrame, base: timecodeBase, drop: dropFrame, ...(rate ? { rate } : {}) },
  };
}

/** Rates that cameras, editors and services use. A clip has one of them if its frame times fit. */
export const KNOWN_RATES: readonly FrameRate[] = [
  { num: 24, den: 1 },
  { num: 24_000, den: 1_001 },
  { num: 25, den: 1 },
  { num: 30, den: 1 },
  { num: 30_000, den: 1_001 },
  { num: 48, den: 1 },
  { num: 50, den: 1 },
  { num: 60, den: 1 },
  { num: 60_000, den: 1_001 },
  { num: 12, den: 1 },
  { num: 15, den: 1 },
  { num: 16, den: 1 },
];

interface MeasuredRate {
  rate: FrameRate;
  /** Whether each frame lasts as long as the others. */
  constant: boolean;
}

/** In seconds: containers round times to a millisecond (Matroska) or to their own scale. */
const ROUNDING = 0.0011;

/**
 * The rate of a clip from the start times of its frames, in seconds and ascending, and the length of the last one: the known rate whose
 * frames deviate from these times by no more than rounding, else the average to a thousandth. The length of the last frame is used only for
 * a single frame, because it may last until the sound ends.
 */
export function rateOf(times: readonly number[], lastDuration: number): MeasuredRate | null {
  const first = times[0];
  const last = times.at(-1);
  if (first === undefined || last === undefined) return null;
  const span = last - first;
  if (!(span > 0 || lastDuration > 0)) return null;
  const average = span > 0 ? (times.length - 1) / span : times.length / lastDuration;
  const nearest = KNOWN_RATES.toSorted((a, b) => distance(a, average) - distance(b, average));
  const known = nearest.slice(0, 2).find((rate) => fits(times, first, rate));
  const constant = constantRate(times) !== null;
  return { rate: known ?? { num: Math.max(1, Math.round(average * 1_000)), den: 1_000 }, constant };
}

/** How far a written rate may be from a known one: 29.97 is written as 2997/100, too. */
const WRITTEN = 0.01;

/** The known rate that a file means, of those that count `base` frames in a second; undefined if there is none. */
const knownRate = (written: FrameRate, base: number): FrameRate | undefined =>
  KNOWN_RATES.find(
    (rate) => Math.round(rate.num / rate.den) === base && distance(rate, written.num / written.den) < WRITTEN,
  );

const distance = ({ num, den }: FrameRate, average: number): number => Math.abs(num / den - average);

function fits(times: readonly number[], first: number, { num, den }: FrameRate): boolean {
  if (times.length === 1) return true;
  return times.every((time, index) => Math.abs(time - first - (index * den) / num) <= ROUNDING);
}
