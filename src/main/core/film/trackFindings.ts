import { durationWords } from '../../../shared/contract/duration.ts';
import type { Finding } from '../../../shared/film/filmExport.ts';
import { filmLevel } from '../../../shared/film/sound/filmLevel.ts';
import { HIGHEST_PEAK_DB, targetOf } from '../../../shared/film/sound/levels.ts';
import { mixLoudness } from '../../../shared/film/sound/mixLoudness.ts';
import { mixPlan, trackEnd } from '../../../shared/film/sound/mixPlan.ts';
import { t } from '../../../shared/text/texts.ts';
import { faultOfHeardTrack, faultOfTrack, type HeardFilm, mixInputOf, soundsByAsset } from './filmMix.ts';

/** What to know of the track and of the mix as a whole, each at the shot where it matters. */
export function trackFindings(film: HeardFilm, { isMixed }: { isMixed: boolean }): Finding[] {
  return [...missing(film), ...length(film), ...(isMixed ? peaks(film) : [])];
}

function missing({ plan, track }: HeardFilm): Finding[] {
  const shotId = plan.segments[0]?.shotId;
  const fault = track && faultOfHeardTrack(track);
  if (!track || fault === undefined || shotId === undefined) return [];
  const code = faultOfTrack(track) === undefined ? 'unavailable' : 'track';
  return [{ level: 'stop', code, shotId, message: `${fault}.`, isOfTrack: true }];
}

function length(film: HeardFilm): Finding[] {
  const { plan, board, track } = film;
  const laid = board.sound?.track;
  if (!laid || !track || faultOfHeardTrack(track) !== undefined || track.seconds === undefined) return [];
  const seconds = plan.segments.reduce((sum, one) => sum + one.seconds, 0);
  const frame = plan.fps.den / plan.fps.num;
  const end = trackEnd(laid, seconds, track.seconds);
  if (end < seconds - frame) {
    const at = shotAt(film, end);
    const message = t`The track ends after ${durationWords(end)}, the film after ${durationWords(seconds)}: shot ${at?.number} goes on without it.`;
    return at ? [{ level: 'know', code: 'track', shotId: at.shotId, message }] : [];
  }
  const over = Math.min(laid.out ?? track.seconds, track.seconds) - laid.in - seconds;
  const last = plan.segments.at(-1);
  if (over <= frame || !last) return [];
  const message = t`The track would go on for ${durationWords(over)} after the film; it ends with it.`;
  return [{ level: 'know', code: 'track', shotId: last.shotId, message }];
}

/** In dB: less is not worth a word. */
const TOLD = 0.1;

/** What becomes of peaks that are too high, where everything that is mixed has been measured. */
function peaks(film: HeardFilm): Finding[] {
  const mix = mixPlan(mixInputOf(film));
  const at = shotAt(film, mix.loudestAt);
  const known = soundsByAsset(film);
  if (!at || !mix.sources.every(({ assetId }) => known.has(assetId))) return [];
  const momentary = new Map([...known].map(([id, sound]) => [id, sound.momentary]));
  const level = filmLevel(mix, { target: targetOf(film.board.sound?.loudness), loudness: mixLoudness(mix, momentary) });
  const { target, lowered, over } = level ?? { lowered: 0, over: 0 };
  const levelled = target === undefined ? '' : `levelled to ${target} LUFS `;
  const finding = (message: string): Finding => ({ level: 'know', code: 'loudness', shotId: at.shotId, message });
  if (lowered >= TOLD)
    return [
      finding(
        t`The sounds of shot ${at.number} together would clip, so the mix is lowered by ${lowered.toFixed(1)} dB.`,
      ),
    ];
  if (over < TOLD) return [];
  return [
    finding(
      t`The loudest peaks are in shot ${at.number}: ${levelled}they are lowered by up to ${over.toFixed(1)} dB, to ${HIGHEST_PEAK_DB} dBTP.`,
    ),
  ];
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
