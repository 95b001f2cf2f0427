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
import { codecIn } from '../../../shared/film/codecNames.ts';
import { type EditLists, isShownAt, startOf } from '../../../shared/film/editList.ts';
import type { FrameRate } from '../../../shared/film/filmExport.ts';
import { hexOf, type JoinFacts, type SoundFacts, setupOf } from '../../../shared/film/joinable.ts';
import { WAV_HEAD_BYTES, wavLayout } from '../../../shared/film/sound/wav.ts';
import { knownRate, rateOf } from './frameRate.ts';
import { type Mp4Extras, readMp4Extras } from './mp4Boxes.ts';
import { ALL_CONTAINERS } from './probe.ts';
import { editListsIn, shownSeconds } from './shownLength.ts';

/** What the streams of a clip, or of a sound alone, are: enough to place it in a timeline to the frame, and to know whether two clips can be joined. */
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
  /** By what it is judged whether it can be joined with others; with the pictures. */
  joining?: JoinFacts;
  /** Of the whole file. */
  seconds: number;
  /**
   * Its own timecode at the first frame, in frames since midnight; it counts `base` of them in a second. Its exact rate is unknown in
   * facts that older versions read.
   */
  timecode?: { frame: number; base: number; drop: boolean; rate?: FrameRate };
  /** Carries a C2PA manifest. It is not verified. */
  c2pa: boolean;
}

type Video = NonNullable<ClipFacts['video']>;
type Audio = NonNullable<ClipFacts['audio']>;

/** Frames of more than an hour at 60 a second: what claims more is not placed to the frame. */
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

/** A WAV file whose sizes were never filled in is read as what it means. */
async function sourceOf(file: string): Promise<Source> {
  const handle = await open(file, 'r');
  const { size } = await handle.stat();
  const bytesOf = async (start: number, end: number): Promise<Uint8Array> => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start);
    return buffer.subarray(0, bytesRead);
  };
  const layout = wavLayout(await bytesOf(0, Math.min(size, WAV_HEAD_BYTES)), size);
  if (!layout?.isMended) {
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
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    // A damaged box says nothing about the frames, which have been read.
    const extras: Mp4Extras = await readMp4Extras(handle, size).catch(() => ({ hasC2pa: false }));
    const { startFrame, timecodeBase = 0, dropFrame = false, timecodeRate, hasC2pa } = extras;
    if (startFrame === undefined || timecodeBase < 1) return { c2pa: hasC2pa };
    const rate = timecodeRate && knownRate(timecodeRate, timecodeBase);
    return {
      c2pa: hasC2pa,
      timecode: { frame: startFrame, base: timecodeBase, drop: dropFrame, ...(rate ? { rate } : {}) },
    };
  } finally {
    await handle.close();
  }
}
