import { durationWords } from '../../../shared/contract/duration.ts';
import type { MoviePlan } from '../../../shared/film/filmExport.ts';
import { encodedSize } from '../../../shared/film/filmFormat.ts';
import type { ClipFacts } from '../library/index.ts';

/** Samples of sound in the longest packet of films, that of HE-AAC: the last one may begin in the film and end behind it. */
const PACKET_SAMPLES = 2_048;
/** Times in seconds are sums of fractions. */
const EPSILON = 1e-3;

/**
 * Why a file is not the film of that plan, as one sentence; undefined if it is. `clipSeconds`: of a film of one clip, how long that is;
 * joined, it keeps sound that is longer than its pictures.
 */
export function faultOfFilm(plan: MoviePlan, found: ClipFacts | null, clipSeconds = 0): string | undefined {
  const video = found?.video;
  if (!video) return 'it cannot be read.';
  const planned = plan.segments.reduce((sum, { frames }) => sum + frames, 0);
  if (Math.abs(video.frames - planned) > 1) return `it has ${video.frames} frames instead of ${planned}.`;
  const isOfSize = ({ width, height }: Pick<MoviePlan, 'width' | 'height'>) =>
    video.width === width && video.height === height;
  if (!isOfSize(plan) && !isOfSize(encodedSize(plan))) {
    return `it is ${video.width} × ${video.height} instead of ${plan.width} × ${plan.height}.`;
  }
  const frame = plan.fps.den / plan.fps.num;
  const packet = found.audio ? PACKET_SAMPLES / found.audio.sampleRate : 0;
  const longest = Math.max(planned * frame, clipSeconds) + Math.max(frame, packet);
  if (found.seconds < (planned - 1) * frame - EPSILON || found.seconds > longest + EPSILON) {
    return `it lasts ${durationWords(found.seconds, 3)} instead of ${durationWords(planned * frame, 3)}.`;
  }
  return plan.mix.sources.length > 0 && !found.audio ? 'it has no sound.' : undefined;
}
