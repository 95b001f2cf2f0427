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
import { constantRate, hexOf, type JoinFacts, type SoundFacts, setupOf } from '../../../shared/film/joinable.ts';
import { isShownAt } from '../../../shared/film/mp4EditList.ts';
import { wholeWav } from '../../../shared/film/sound/wav.ts';
import { type ShownPart, shownPartOf, timesOf } from '../shownPart.ts';

/** A clip's tracks, open for reading; `close` releases them. */
export interface OpenClip {
  video: InputVideoTrack;
  audio: InputAudioTrack | null;
  shown: ShownPart;
  close(): void;
}

/** The facts that decide whether clips can be joined, and how. */
export interface ClipStreams extends JoinFacts {
  rotation: Rotation;
  videoCodec: VideoCodec | null;
  audio: ClipSound | null;
}

export interface ClipSound extends SoundFacts {
  codec: AudioCodec | null;
  packets: number;
}

export async function openClip(bytes: Blob): Promise<OpenClip> {
  const input = new Input({ source: new BlobSource(bytes), formats: ALL_FORMATS });
  try {
    const video = await input.getPrimaryVideoTrack();
    if (!video) throw new Error('it has no pictures in it.');
    const shown = await shownPartOf(video, bytes);
    return { video, audio: await input.getPrimaryAudioTrack(), shown, close: () => input.dispose() };
  } catch (error) {
    input.dispose();
    throw error;
  }
}

/** The sound of a file, with or without video, open for reading; `close` releases it. */
export async function openSound(bytes: Blob): Promise<{ audio: InputAudioTrack; close(): void }> {
  const input = new Input({ source: new BlobSource(await wholeWav(bytes)), formats: ALL_FORMATS });
  try {
    const audio = await input.getPrimaryAudioTrack();
    if (!audio) throw new Error('The track has no sound in it.');
    return { audio, close: () => input.dispose() };
  } catch (error) {
    input.dispose();
    throw error;
  }
}

/** Here packet times are enough; key frames are verified only while packets are copied. */
const TIMES_ONLY = { metadataOnly: true } as const;
/** The frames of an hour at 120 per second: a file may claim any number. */
const MAX_PACKETS = 432_000;

export async function streamsOf({ video, audio, shown }: OpenClip): Promise<ClipStreams> {
  const all = await timesOf(video);
  const times = all.filter((time) => isShownAt(time, shown.edit));
  const fps = constantRate(times);
  const late = Math.round((shown.from - shown.start) * (fps ?? 0));
  const config = await video.getDecoderConfig();
  const sound = audio && (await audio.getDecoderConfig());
  return {
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
    rotation: await video.getRotation(),
    videoCodec: await video.getCodec(),
    videoSetup: setupOf({ ...config }),
    frames: late + times.length,
    hidden: all.length - times.length,
    late,
    pieces: shown.pieces,
    fps,
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
