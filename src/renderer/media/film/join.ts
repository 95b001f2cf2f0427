import {
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  type VideoCodec,
} from 'mediabunny';
import type { FilmPlan, MoviePlan } from '../../../shared/film/filmExport.ts';
import { hasSilence, type SoundFacts } from '../../../shared/film/joinable.ts';
import { type ClipSound, type ClipStreams, type OpenClip, openClip } from './clipStreams.ts';
import type { FilmDesk } from './filmDesk.ts';
import type { FilmFile } from './filmFile.ts';
import { MixTrack } from './mixTrack.ts';
import { type ClipPlace, SoundTimeline } from './soundTimeline.ts';

/** Verifies key frames in the bitstream, since encoders mark them wrongly. */
const VERIFIED = { verifyKeyPackets: true } as const;

export interface JoinOptions {
  /** Whether the sound is mixed and encoded; otherwise it is joined too. */
  isMixed: boolean;
}

/**
 * Joins clips with equal streams. Packets are copied byte for byte; only their times change. Returns sentences on what was done to the mix.
 */
export async function joinFilm(
  plan: MoviePlan,
  streams: readonly ClipStreams[],
  file: FilmFile,
  desk: FilmDesk,
  { isMixed }: JoinOptions,
): Promise<string[]> {
  const joiner = Joiner.open(plan, streams, file);
  const mix = isMixed ? await MixTrack.open(plan, file, desk) : null;
  if (!isMixed) joiner.addSoundTrack(streams, file);
  await file.output.start();
  try {
    await joinClips(plan, streams, { joiner, mix, desk });
  } finally {
    await mix?.close();
  }
  await file.finish();
  return mix?.why ?? [];
}

async function joinClips(
  plan: MoviePlan,
  streams: readonly ClipStreams[],
  { joiner, mix, desk }: { joiner: Joiner; mix: MixTrack | null; desk: FilmDesk },
): Promise<void> {
  let frames = 0;
  for (const [index, { assetId = '' }] of plan.segments.entries()) {
    const length = streams[index]?.frames ?? 0;
    const clip = await openClip(await desk.bytes(assetId));
    try {
      const part = { from: frames, to: frames + length, isLast: index === plan.segments.length - 1 };
      await joiner.add(clip, part, mix, desk);
    } finally {
      clip.close();
    }
    frames += length;
    await desk.progress((100 * (index + 1)) / plan.segments.length);
  }
  await joiner.padSound(frames);
}

interface Part {
  /** The film frames of the clip: `from` inclusive, `to` exclusive. */
  from: number;
  to: number;
  isLast: boolean;
}

class Joiner {
  private readonly fps: FilmPlan['fps'];
  private readonly video: EncodedVideoPacketSource;
  private audio: EncodedAudioPacketSource | null = null;
  private silence: ReturnType<typeof silentPacket>;
  private readonly timeline = new SoundTimeline();

  static open(plan: FilmPlan, streams: readonly ClipStreams[], { output }: FilmFile): Joiner {
    const codec = streams[0]?.videoCodec;
    if (!codec) throw new Error('The first clip is coded in a way that is not known here.');
    const joiner = new Joiner(plan, codec);
    output.addVideoTrack(joiner.video, {
      frameRate: plan.fps.num / plan.fps.den,
      rotation: streams[0]?.rotation ?? 0,
      maximumPacketCount: streams.reduce((sum, { frames }) => sum + frames, 0),
    });
    return joiner;
  }

  private constructor(plan: FilmPlan, videoCodec: VideoCodec) {
    this.fps = plan.fps;
    this.video = new EncodedVideoPacketSource(videoCodec);
  }

  /** Adds the track for the clips' own sound, packet by packet. */
  addSoundTrack(streams: readonly ClipStreams[], { output }: FilmFile): void {
    const sound: ClipSound | null = streams.find(({ audio }) => audio)?.audio ?? null;
    if (!sound?.codec) return;
    this.audio = new EncodedAudioPacketSource(sound.codec);
    this.silence = silentPacket(sound);
    const packets = streams.reduce((sum, { audio }) => sum + (audio?.packets ?? 0), 0);
    const seconds = this.timeOf(streams.reduce((sum, { frames }) => sum + frames, 0));
    const silent = this.silence ? Math.ceil(seconds / this.silence.seconds) + streams.length : 0;
    output.addAudioTrack(this.audio, { maximumPacketCount: packets + silent });
  }

  /** Writes both tracks in step, so that the file is interleaved and nothing piles up in memory. */
  async add({ video, audio, shown }: OpenClip, part: Part, mix: MixTrack | null, desk: FilmDesk): Promise<void> {
    const zero = shown.from;
    const pictures = new EncodedPacketSink(video).packets(undefined, undefined, VERIFIED);
    const sounds = audio && !mix ? new EncodedPacketSink(audio).packets(undefined, undefined, VERIFIED) : null;
    const videoConfig = (await video.getDecoderConfig()) ?? undefined;
    const audioConfig = (await audio?.getDecoderConfig()) ?? undefined;
    const place: ClipPlace = {
      start: this.timeOf(part.from),
      end: this.timeOf(part.to),
      isFirst: part.from === 0,
      isLast: part.isLast,
    };
    let sound = await sounds?.next();
    let written = part.from;
    for await (const picture of pictures) {
      const frame = Math.round(((picture.timestamp - zero) * this.fps.num) / this.fps.den);
      const moved = { timestamp: this.timeOf(part.from + frame), duration: this.timeOf(1) };
      await this.video.add(picture.clone(moved), videoConfig && { decoderConfig: videoConfig });
      written += 1;
      if (mix) {
        await mix.upTo(Math.min(written, part.to));
        await desk.progress((100 * written) / mix.frames);
      }
      for (; sound && !sound.done && sound.value.timestamp <= picture.timestamp; sound = await sounds?.next()) {
        await this.addSound(sound.value, place, zero, audioConfig);
      }
    }
    for (; sound && !sound.done; sound = await sounds?.next())
      await this.addSound(sound.value, place, zero, audioConfig);
  }

  private async addSound(
    packet: EncodedPacket,
    place: ClipPlace,
    zero: number,
    decoderConfig: AudioDecoderConfig | undefined,
  ): Promise<void> {
    const placed = this.timeline.place(place, packet.timestamp - zero, packet.duration);
    if (!placed || !this.audio) return;
    const meta = decoderConfig && { decoderConfig };
    await this.addSilences(placed.silences, meta);
    await this.audio.add(packet.clone({ timestamp: placed.time }), meta);
  }

  /** Fills up after a last clip that is silent or whose sound ends early. */
  async padSound(frames: number): Promise<void> {
    if (this.silence) await this.addSilences(this.timeline.restTo(this.timeOf(frames), this.silence.seconds));
  }

  private async addSilences(times: readonly number[], meta?: EncodedAudioChunkMetadata): Promise<void> {
    if (!this.silence) return;
    const { data, seconds } = this.silence;
    for (const time of times) await this.audio?.add(new EncodedPacket(data, 'key', time, seconds), meta);
  }

  private timeOf(frames: number): number {
    return (frames * this.fps.den) / this.fps.num;
  }
}

/** Frames of sound in one packet of AAC-LC (ISO/IEC 14496-3). */
const AAC_FRAMES = 1_024;

/**
 * A packet of silence in the format of the other clips, so that a silent shot can be joined: the shortest raw data blocks of AAC-LC for one
 * and two channels, equal at every rate (as hls.js fills gaps). Undefined for other codecs.
 */
function silentPacket(sound: SoundFacts): { data: Uint8Array; seconds: number } | undefined {
  if (!hasSilence(sound)) return undefined;
  const data = SILENCE[sound.channels];
  return data && { data: Uint8Array.from(data), seconds: AAC_FRAMES / sound.sampleRate };
}

const SILENCE: Readonly<Record<number, readonly number[]>> = {
  1: [0x00, 0xc8, 0x00, 0x80, 0x23, 0x80],
  2: [0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80],
};
