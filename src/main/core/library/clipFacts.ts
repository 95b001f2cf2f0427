import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { EncodedPacketSink, FilePathSource, Input, type InputAudioTrack, type InputVideoTrack } from 'mediabunny';
import type { FrameRate } from '../../../shared/filmExport.ts';
import { rateOf } from './frameRate.ts';
import { type Mp4Extras, readMp4Extras } from './mp4Boxes.ts';
import { CONTAINERS } from './probe.ts';

/** What the streams of a clip are: enough to place it in a timeline to the frame, and to know whether two clips can be joined. */
export interface ClipFacts {
  video?: {
    /** RFC 6381, such as `avc1.640028`. */
    codec: string;
    /** Hash of the decoder's configuration: packets of equal ones can follow each other in one track. */
    config: string;
    width: number;
    height: number;
    rate: FrameRate;
    /** Whether each frame lasts as long as the others. */
    constantRate: boolean;
    frames: number;
  };
  audio?: { codec: string; config: string; sampleRate: number; channels: number };
  /** Of the whole file. */
  seconds: number;
  /** Its own timecode at the first frame, in frames since midnight at the timecode's whole rate. */
  timecode?: { frame: number; base: number; drop: boolean };
  /** Carries a C2PA manifest. It is not verified. */
  c2pa: boolean;
}

/** Frames of more than an hour at 60 a second: what claims more is not placed to the frame. */
const MAX_FRAMES = 300_000;

/** Reads headers and the times of frames, no pixels. Throws if the file is no clip. */
export async function readClipFacts(file: string): Promise<ClipFacts> {
  const input = new Input({ source: new FilePathSource(file), formats: CONTAINERS });
  try {
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    const streams = {
      ...(video ? { video: await videoFacts(video) } : {}),
      ...(audio ? { audio: await audioFacts(audio) } : {}),
    };
    const seconds = await input.computeDuration();
    return { ...streams, seconds, ...(await extrasOf(file)) };
  } finally {
    input.dispose();
  }
}

async function videoFacts(track: InputVideoTrack): Promise<NonNullable<ClipFacts['video']>> {
  const times: number[] = [];
  let lastDuration = 0;
  for await (const packet of new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true })) {
    times.push(packet.timestamp);
    lastDuration = packet.duration;
    if (times.length > MAX_FRAMES) throw new Error('too many frames');
  }
  // Packets come in the order of decoding.
  const measured = rateOf(
    times.sort((a, b) => a - b),
    lastDuration,
  );
  if (!measured) throw new Error('no frames');
  const config = await track.getDecoderConfig();
  return {
    codec: (await track.getCodecParameterString()) ?? 'unknown',
    config: hashOf(config?.description),
    width: track.displayWidth,
    height: track.displayHeight,
    rate: measured.rate,
    constantRate: measured.constant,
    frames: times.length,
  };
}

async function audioFacts(track: InputAudioTrack): Promise<NonNullable<ClipFacts['audio']>> {
  const config = await track.getDecoderConfig();
  return {
    codec: (await track.getCodecParameterString()) ?? 'unknown',
    config: hashOf(config?.description),
    sampleRate: track.sampleRate,
    channels: track.numberOfChannels,
  };
}

function hashOf(description: VideoDecoderConfig['description']): string {
  if (!description) return '';
  const bytes = ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description);
  return createHash('sha256').update(bytes).digest('hex');
}

async function extrasOf(file: string): Promise<Pick<ClipFacts, 'timecode' | 'c2pa'>> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    // A damaged box says nothing about the frames, which have been read.
    const extras: Mp4Extras = await readMp4Extras(handle, size).catch(() => ({ hasC2pa: false }));
    const { startFrame, timecodeBase = 0, dropFrame = false, hasC2pa } = extras;
    if (startFrame === undefined || timecodeBase < 1) return { c2pa: hasC2pa };
    return { c2pa: hasC2pa, timecode: { frame: startFrame, base: timecodeBase, drop: dropFrame } };
  } finally {
    await handle.close();
  }
}
