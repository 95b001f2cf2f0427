import {
  ALL_FORMATS,
  type AudioCodec,
  BlobSource,
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  type Rotation,
  type VideoCodec,
} from 'mediabunny';

/** A clip's tracks, open for reading; `close` releases them. */
export interface OpenClip {
  video: InputVideoTrack;
  audio: InputAudioTrack | null;
  close(): void;
}

/** What two clips must have in common to be joined without encoding, and what is told where they do not. */
export interface ClipStreams {
  width: number;
  height: number;
  rotation: Rotation;
  videoCodec: VideoCodec | null;
  /** What the decoder is set up with, as one text: parameter sets, colours, pixel shape. */
  videoSetup: string;
  frames: number;
  /** Frames a second if they come at a constant rate; null if they do not. */
  fps: number | null;
  audio: ClipSound | null;
}

export interface ClipSound {
  codec: AudioCodec | null;
  /** Hertz. */
  sampleRate: number;
  channels: number;
  setup: string;
  packets: number;
}

export async function openClip(bytes: Blob): Promise<OpenClip> {
  const input = new Input({ source: new BlobSource(bytes), formats: ALL_FORMATS });
  try {
    const video = await input.getPrimaryVideoTrack();
    if (!video) throw new Error('it has no pictures in it.');
    return { video, audio: await input.getPrimaryAudioTrack(), close: () => input.dispose() };
  } catch (error) {
    input.dispose();
    throw error;
  }
}

/** The sound of a file that needs no pictures, open for reading; `close` releases it. */
export async function openSound(bytes: Blob): Promise<{ audio: InputAudioTrack; close(): void }> {
  const input = new Input({ source: new BlobSource(bytes), formats: ALL_FORMATS });
  try {
    const audio = await input.getPrimaryAudioTrack();
    if (!audio) throw new Error('The track has no sound in it.');
    return { audio, close: () => input.dispose() };
  } catch (error) {
    input.dispose();
    throw error;
  }
}

/** Packets that claim to be key frames are looked into only while they are copied: here their times are enough. */
const TIMES_ONLY = { metadataOnly: true } as const;
/** As many frames as an hour has at 120 a second: a file may claim any number. */
const MAX_PACKETS = 432_000;

export async function streamsOf({ video, audio }: OpenClip): Promise<ClipStreams> {
  const times: number[] = [];
  for await (const packet of new EncodedPacketSink(video).packets(undefined, undefined, TIMES_ONLY)) {
    times.push(packet.timestamp);
    if (times.length > MAX_PACKETS) throw new Error('it has too many frames.');
  }
  const config = await video.getDecoderConfig();
  const sound = audio && (await audio.getDecoderConfig());
  const { description, codedWidth, codedHeight, ...setup } = config ?? { codec: '' };
  return {
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
    rotation: await video.getRotation(),
    videoCodec: await video.getCodec(),
    videoSetup: JSON.stringify([setup, codedWidth, codedHeight, hexOf(description)]),
    frames: times.length,
    fps: constantRate(times),
    audio:
      audio && sound
        ? {
            codec: await audio.getCodec(),
            sampleRate: sound.sampleRate,
            channels: sound.numberOfChannels,
            setup: `${sound.codec} ${hexOf(sound.description)}`,
            packets: await packetsOf(audio),
          }
        : null,
  };
}

async function packetsOf(audio: InputAudioTrack): Promise<number> {
  let count = 0;
  for await (const _ of new EncodedPacketSink(audio).packets(undefined, undefined, TIMES_ONLY)) {
    count += 1;
    if (count > MAX_PACKETS) throw new Error('its sound has too many packets.');
  }
  return count;
}

/** How far a frame may lie from its place at a constant rate, in frames: containers round times to their own clock. */
const RATE_TOLERANCE = 0.1;

/** The rate of frames that come at one; null where they do not. Times in seconds, in any order. */
export function constantRate(times: readonly number[]): number | null {
  const sorted = [...times].sort((a, b) => a - b);
  const first = sorted[0] ?? 0;
  const span = (sorted.at(-1) ?? 0) - first;
  if (sorted.length < 2 || span <= 0) return null;
  const rate = (sorted.length - 1) / span;
  return sorted.every((time, index) => Math.abs((time - first) * rate - index) <= RATE_TOLERANCE) ? rate : null;
}

function hexOf(bytes: AllowSharedBufferSource | undefined): string {
  if (!bytes) return '';
  const view = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
  return [...view].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
