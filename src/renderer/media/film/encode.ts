import { AudioSample, AudioSampleSource, QUALITY_HIGH, type VideoSample, VideoSampleSource } from 'mediabunny';
import type { FilmPlan } from '../../../shared/filmExport.ts';
import { AUDIO_BITRATE, chooseCodecs } from './codecs.ts';
import { Compositor } from './compositor.ts';
import type { FilmDesk } from './filmDesk.ts';
import type { FilmFile } from './filmFile.ts';
import { FILM_SAMPLE_RATE, Mixer, samplesBefore, shotSound } from './mixer.ts';

/** Packets of sound are no shorter than this in any codec, in samples (Opus, 2.5 ms). */
const SHORTEST_PACKET = 120;
/** What an encoder may put before and behind the sound, in packets. */
const RUN_UP = 16;

/** Encodes a film anew, pictures and sound in step. Returns what the user should know of how. */
export async function encodeFilm(
  plan: FilmPlan,
  file: FilmFile,
  desk: FilmDesk,
  { softwareOnly = false } = {},
): Promise<string[]> {
  const codecs = await chooseCodecs(plan, softwareOnly);
  const frames = plan.segments.reduce((sum, segment) => sum + segment.frames, 0);
  const fps = plan.fps.num / plan.fps.den;
  const video = new VideoSampleSource({ codec: 'avc', quality: QUALITY_HIGH, keyFrameInterval: 1 });
  file.output.addVideoTrack(video, { frameRate: fps, maximumPacketCount: frames + RUN_UP });
  const hasSound = plan.segments.some(({ kind, hasAudio }) => kind === 'clip' && hasAudio);
  const audio = hasSound ? new AudioSampleSource({ codec: codecs.audio, bitrate: AUDIO_BITRATE }) : null;
  const samples = samplesBefore(frames, plan.fps);
  if (audio) file.output.addAudioTrack(audio, { maximumPacketCount: Math.ceil(samples / SHORTEST_PACKET) + RUN_UP });
  await file.output.start();
  const mixer = new Mixer([shotSound(plan, desk)]);
  const speed = new Speed(frames, fps, codecs.isSoftware);
  let done = 0;
  for await (const sample of new Compositor(plan, desk).frames()) {
    await addFrame(video, sample);
    if (audio) await addSound(audio, mixer, samplesBefore(done, plan.fps), samplesBefore(done + 1, plan.fps));
    done += 1;
    await desk.progress((99 * done) / frames, speed.after(done));
  }
  await file.finish();
  return speed.words();
}

async function addFrame(video: VideoSampleSource, sample: VideoSample): Promise<void> {
  try {
    await video.add(sample);
  } finally {
    sample.close();
  }
}

async function addSound(audio: AudioSampleSource, mixer: Mixer, from: number, to: number): Promise<void> {
  const [left, right] = await mixer.read(to - from);
  const data = new Float32Array(left.length * 2);
  data.set(left);
  data.set(right, left.length);
  const sample = new AudioSample({
    format: 'f32-planar',
    sampleRate: FILM_SAMPLE_RATE,
    numberOfChannels: 2,
    timestamp: from / FILM_SAMPLE_RATE,
    data,
  });
  try {
    await audio.add(sample);
  } finally {
    sample.close();
  }
}

/** Frames after which the speed is known well enough to be told. */
const MEASURED_FRAMES = 48;

/** Tells how long the slow encoder will take, from how long its first frames took. */
class Speed {
  private readonly frames: number;
  private readonly fps: number;
  private readonly isSoftware: boolean;
  private readonly startedAt = performance.now();
  private told: string[] = [];

  constructor(frames: number, fps: number, isSoftware: boolean) {
    this.frames = frames;
    this.fps = fps;
    this.isSoftware = isSoftware;
  }

  after(done: number): string[] {
    if (this.isSoftware && this.told.length === 0 && done >= Math.min(MEASURED_FRAMES, this.frames)) {
      const perSecond = (done * 1000) / Math.max(1, performance.now() - this.startedAt);
      const seconds = Math.ceil(this.frames / perSecond);
      this.told = [
        `This browser cannot encode H.264, so a slower encoder did, at ${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)} frames a second: about ${seconds} s for ${Math.round(this.frames / this.fps)} s of film.`,
      ];
    }
    return this.told;
  }

  words(): string[] {
    return this.told;
  }
}
