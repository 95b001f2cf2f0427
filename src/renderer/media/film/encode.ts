import { QUALITY_HIGH, type VideoSample, VideoSampleSource } from 'mediabunny';
import type { MoviePlan } from '../../../shared/filmExport.ts';
import { chooseCodecs } from './codecs.ts';
import { Compositor } from './compositor.ts';
import type { FilmDesk } from './filmDesk.ts';
import type { FilmFile } from './filmFile.ts';
import { MixTrack } from './mixTrack.ts';

/** Packets that an encoder may make beyond the frames of the film. */
const RUN_UP = 16;

/** Encodes a film anew, pictures and sound in step. Returns what the user should know of how. */
export async function encodeFilm(
  plan: MoviePlan,
  file: FilmFile,
  desk: FilmDesk,
  { softwareOnly = false } = {},
): Promise<string[]> {
  const { isSoftware } = await chooseCodecs(plan, softwareOnly);
  const frames = plan.segments.reduce((sum, segment) => sum + segment.frames, 0);
  const fps = plan.fps.num / plan.fps.den;
  const video = new VideoSampleSource({ codec: 'avc', quality: QUALITY_HIGH, keyFrameInterval: 1 });
  file.output.addVideoTrack(video, { frameRate: fps, maximumPacketCount: frames + RUN_UP });
  const sound = await MixTrack.open(plan, file, desk);
  await file.output.start();
  const speed = new Speed(frames, fps, isSoftware);
  let done = 0;
  try {
    for await (const sample of new Compositor(plan, desk).frames()) {
      await addFrame(video, sample);
      done += 1;
      await sound?.upTo(done);
      await desk.progress((99 * done) / frames, [...(sound?.why ?? []), ...speed.after(done)]);
    }
  } finally {
    await sound?.close();
  }
  await file.finish();
  return [...(sound?.why ?? []), ...speed.words()];
}

async function addFrame(video: VideoSampleSource, sample: VideoSample): Promise<void> {
  try {
    await video.add(sample);
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
