import {
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  type VideoCodec,
} from 'mediabunny';
import type { FilmPlan } from '../../../shared/filmExport.ts';
import { type ClipSound, type ClipStreams, type OpenClip, openClip } from './clipStreams.ts';
import type { FilmDesk } from './filmDesk.ts';
import type { FilmFile } from './filmFile.ts';
import { silentPacket } from './silence.ts';
import { type ClipPlace, SoundTimeline } from './soundTimeline.ts';

/** Encoders are not trusted to mark key frames: what claims to be one is looked into. */
const VERIFIED = { verifyKeyPackets: true } as const;

/** Puts clips with like streams behind each other. Every packet is the clip's own, byte by byte; only its time is another. */
export async function joinFilm(
  plan: FilmPlan,
  streams: readonly ClipStreams[],
  file: FilmFile,
  desk: FilmDesk,
): Promise<void> {
  const joiner = await Joiner.open(plan, streams, file);
  let frames = 0;
  for (const [index, { assetId = '' }] of plan.segments.entries()) {
    const length = streams[index]?.frames ?? 0;
    const clip = await openClip(await desk.bytes(assetId));
    try {
      await joiner.add(clip, { from: frames, to: frames + length, isLast: index === plan.segments.length - 1 });
    } finally {
      clip.close();
    }
    frames += length;
    await desk.progress((100 * (index + 1)) / plan.segments.length);
  }
  await file.finish();
}

interface Part {
  /** The first frame of the film that is the clip's, and the first that is not any more. */
  from: number;
  to: number;
  isLast: boolean;
}

class Joiner {
  private readonly fps: FilmPlan['fps'];
  private readonly video: EncodedVideoPacketSource;
  private readonly audio: EncodedAudioPacketSource | null;
  private readonly silence: ReturnType<typeof silentPacket>;
  private readonly timeline = new SoundTimeline();

  static async open(plan: FilmPlan, streams: readonly ClipStreams[], { output }: FilmFile): Promise<Joiner> {
    const sound = streams.find(({ audio }) => audio)?.audio ?? null;
    const codec = streams[0]?.videoCodec;
    if (!codec) throw new Error('The first clip is coded in a way that is not known here.');
    const joiner = new Joiner(plan, codec, sound);
    output.addVideoTrack(joiner.video, {
      frameRate: plan.fps.num / plan.fps.den,
      rotation: streams[0]?.rotation ?? 0,
      maximumPacketCount: streams.reduce((sum, { frames }) => sum + frames, 0),
    });
    if (joiner.audio && sound) {
      const packets = streams.reduce((sum, { audio }) => sum + (audio?.packets ?? 0), 0);
      const seconds = streams.reduce((sum, { frames }) => sum + frames, 0) * (plan.fps.den / plan.fps.num);
      const silent = joiner.silence ? Math.ceil(seconds / joiner.silence.seconds) + streams.length : 0;
      output.addAudioTrack(joiner.audio, { maximumPacketCount: packets + silent });
    }
    await output.start();
    return joiner;
  }

  private constructor(plan: FilmPlan, videoCodec: VideoCodec, sound: ClipSound | null) {
    this.fps = plan.fps;
    this.video = new EncodedVideoPacketSource(videoCodec);
    this.audio = sound?.codec ? new EncodedAudioPacketSource(sound.codec) : null;
    this.silence = sound ? silentPacket(sound) : undefined;
  }

  /** Both tracks in step, so that the file is interleaved and nothing waits in memory. */
  async add({ video, audio }: OpenClip, part: Part): Promise<void> {
    const zero = await video.getFirstTimestamp();
    const pictures = new EncodedPacketSink(video).packets(undefined, undefined, VERIFIED);
    const sounds = audio && new EncodedPacketSink(audio).packets(undefined, undefined, VERIFIED);
    const videoConfig = (await video.getDecoderConfig()) ?? undefined;
    const audioConfig = (await audio?.getDecoderConfig()) ?? undefined;
    const place: ClipPlace = {
      start: this.timeOf(part.from),
      end: this.timeOf(part.to),
      isFirst: part.from === 0,
      isLast: part.isLast,
    };
    let sound = await sounds?.next();
    for await (const picture of pictures) {
      const frame = Math.round(((picture.timestamp - zero) * this.fps.num) / this.fps.den);
      const moved = { timestamp: this.timeOf(part.from + frame), duration: this.timeOf(1) };
      await this.video.add(picture.clone(moved), videoConfig && { decoderConfig: videoConfig });
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
    if (this.silence) {
      const { data, seconds } = this.silence;
      for (const time of placed.silences) await this.audio.add(new EncodedPacket(data, 'key', time, seconds), meta);
    }
    await this.audio.add(packet.clone({ timestamp: placed.time }), meta);
  }

  private timeOf(frames: number): number {
    return (frames * this.fps.den) / this.fps.num;
  }
}
