import type { Finding } from '../../../shared/filmExport.ts';
import { dbOfGain } from '../../../shared/sound/levels.ts';
import { mixPlan, trackEnd } from '../../../shared/sound/mixPlan.ts';
import { faultOfTrack, type HeardFilm, mixInputOf } from './filmMix.ts';

/** What to know of the track and of the mix as a whole, each at the shot where it matters. */
export function trackFindings(film: HeardFilm): Finding[] {
  return [...missing(film), ...length(film), ...clipping(film)];
}

function missing({ plan, track }: HeardFilm): Finding[] {
  const shotId = plan.segments[0]?.shotId;
  const fault = track && faultOfTrack(track);
  if (fault === undefined || shotId === undefined) return [];
  return [{ level: 'stop', code: 'track', shotId, message: `${fault}.` }];
}

function length(film: HeardFilm): Finding[] {
  const { plan, board, track } = film;
  const laid = board.sound?.track;
  if (!laid || !track || faultOfTrack(track) !== undefined || track.seconds === undefined) return [];
  const seconds = plan.segments.reduce((sum, one) => sum + one.seconds, 0);
  const frame = plan.fps.den / plan.fps.num;
  const end = trackEnd(laid, seconds, track.seconds);
  if (end < seconds - frame) {
    const at = shotAt(film, end);
    const message = `The track ends after ${tidy(end)}, the film after ${tidy(seconds)}: shot ${at?.number} goes on without it.`;
    return at ? [{ level: 'know', code: 'track', shotId: at.shotId, message }] : [];
  }
  const over = Math.min(laid.out ?? track.seconds, track.seconds) - laid.in - seconds;
  const last = plan.segments.at(-1);
  if (over <= frame || !last) return [];
  const message = `The track would go on for ${tidy(over)} after the film; it ends with it.`;
  return [{ level: 'know', code: 'track', shotId: last.shotId, message }];
}

/** In dB: less is not worth a word. */
const TOLD = 0.1;

function clipping(film: HeardFilm): Finding[] {
  const input = mixInputOf(film, false);
  const { sources, headroom, loudestAt } = mixPlan(input);
  const isKnown = sources.every(({ assetId }) => input.peaks?.has(assetId));
  const lower = -dbOfGain(headroom);
  const at = shotAt(film, loudestAt);
  if (!isKnown || lower < TOLD || !at) return [];
  const message = `The sounds of shot ${at.number} together would clip, so the mix is lowered by ${lower.toFixed(1)} dB.`;
  return [{ level: 'know', code: 'loudness', shotId: at.shotId, message }];
}

function shotAt({ plan }: HeardFilm, second: number): { shotId: string; number: number } | undefined {
  let end = 0;
  return (
    plan.segments.find(({ seconds }) => {
      end += seconds;
      return second < end - 1e-6;
    }) ?? plan.segments.at(-1)
  );
}

const tidy = (seconds: number): string => `${seconds.toFixed(1)} s`;
