import { QUALITY_HIGH, type VideoSample, VideoSampleSource } from 'mediabunny';
import type { MoviePlan } from '../../../shared/filmExport.ts';
import { encodedSize } from '../../../shared/filmFormat.ts';
import { t } from '../../../shared/texts.ts';
import { needsSoftware } from './codecs.ts';
import { Compositor } from './compositor.ts';
import type { FilmDesk } from './filmDesk.ts';
import type { FilmFile } from './filmFile.ts';
import { MixTrack } from './mixTrack.ts';

/** Packets that an encoder may make beyond the frames of the film. */
const RUN_UP = 16;

/** Encodes a film anew, pictures and sound in step. Returns what the user should know of how. */
export async function encodeFilm(
  asked: MoviePlan,
  file: FilmFile,
  desk: FilmDesk,
  { softwareOnly = false } = {},
): Promise<string[]> {
  const plan = { ...asked, ...encodedSize(asked) };
  const isSoftware = await needsSoftware(plan, softwareOnly);
  const frames = plan.segments.reduce((sum, segment) => sum + segment.frames, 0);
  const fps = plan.fps.num / plan.fps.den;
  const video = new VideoSampleSource({ codec: 'avc', quality: QUALITY_HIGH, keyFrameInterval: 1 });
  file.output.addVideoTrack(video, { frameRate: fps, maximumPacketCount: frames + RUN_UP });
  const sound = await MixTrack.open(plan, file, desk);
  await file.output.start();
  const startedAt = performance.now();
  let done = 0;
  try {
    for await (const sample of new Compositor(plan, desk).frames()) {
      await addFrame(video, sample);
      done += 1;
      await sound?.upTo(done);
      await desk.progress((99 * done) / frames);
    }
  } finally {
    await sound?.close();
  }
  await file.finish();
  const slow = isSoftware ? [slowWords(frames, performance.now() - startedAt)] : [];
  return [...(sound?.why ?? []), ...slow];
}

async function addFrame(video: VideoSampleSource, sample: VideoSample): Promise<void> {
  try {
    await video.add(sample);
  } finally {
    sample.close();
  }
}

function slowWords(frames: number, ms: number): string {
  const perSecond = (frames * 1_000) / Math.max(1, ms);
  const speed = perSecond < 10 ? perSecond.toFixed(1) : String(Math.round(perSecond));
  return t`This browser cannot encode H.264. A slower encoder was used: ${speed} frames a second.`;
}
