import { AudioSample, AudioSampleSource } from 'mediabunny';
import type { MoviePlan } from '../../../shared/film/filmExport.ts';
import { FILM_SOUND_BITRATE } from '../../../shared/film/filmFormat.ts';
import { AUDIO_RUN_UP, audioCodec } from './codecs.ts';
import { FILM_SAMPLE_RATE } from './decodedSound.ts';
import type { FilmDesk } from './filmDesk.ts';
import type { FilmFile } from './filmFile.ts';
import { FilmSound } from './filmSound.ts';
import { samplesBefore } from './mixer.ts';

/** The shortest sound packet of any codec, in samples (Opus, 2.5 ms). */
const SHORTEST_PACKET = 120;
/** Packets that an encoder may add before and after the sound. */
const RUN_UP = 16;

/** The track of a film's encoded mix, written in step with the pictures. */
export class MixTrack {
  private readonly sound: FilmSound;
  private readonly source: AudioSampleSource;
  private readonly fps: MoviePlan['fps'];
  readonly frames: number;
  private written = 0;

  /** Measures the mix and adds its track to the file; null if nothing is audible. */
  static async open(plan: MoviePlan, { output }: FilmFile, desk: FilmDesk): Promise<MixTrack | null> {
    const sound = await FilmSound.open(plan, desk);
    if (!sound) return null;
    const source = new AudioSampleSource({ codec: await audioCodec(), bitrate: FILM_SOUND_BITRATE });
    const frames = plan.segments.reduce((sum, segment) => sum + segment.frames, 0);
    const packets = Math.ceil(samplesBefore(frames, plan.fps) / SHORTEST_PACKET) + RUN_UP;
    output.addAudioTrack(source, { maximumPacketCount: packets });
    return new MixTrack(sound, source, { fps: plan.fps, frames });
  }

  private constructor(
    sound: FilmSound,
    source: AudioSampleSource,
    { fps, frames }: Pick<MoviePlan, 'fps'> & { frames: number },
  ) {
    this.sound = sound;
    this.source = source;
    this.fps = fps;
    this.frames = frames;
  }

  /** Sentences on what was done to the mix. */
  get why(): string[] {
    return this.sound.why;
  }

  /** Writes the sound up to a frame of the film. */
  async upTo(frame: number): Promise<void> {
    const count = samplesBefore(frame, this.fps) - this.written;
    if (count <= 0) return;
    const [left, right] = await this.sound.read(count);
    const data = new Float32Array(count * 2);
    data.set(left);
    data.set(right, count);
    const sample = new AudioSample({
      format: 'f32-planar',
      sampleRate: FILM_SAMPLE_RATE,
      numberOfChannels: 2,
      timestamp: (this.written - AUDIO_RUN_UP) / FILM_SAMPLE_RATE,
      data,
    });
    this.written += count;
    try {
      await this.source.add(sample);
    } finally {
      sample.close();
    }
  }

  close(): Promise<void> {
    return this.sound.close();
  }
}
