import { t } from '../../../../shared/texts.ts';
import { signed } from '../seams/SeamGraphs.tsx';
import type { Seam, SeamMeasure } from '../seams/seam.ts';

export interface Jump {
  /** As they stand under the joint. */
  lines: string[];
  /** The same as sentences. */
  words: string;
}

const FINDING: Record<SeamMeasure['finding'], string> = { level: 'meets', step: 'jumps', none: '' };

/** How far the two clips of a joint are apart, in colour (ΔE 2000) and loudness (LU); nothing of it is a fault. */
export function jumpOf(view: { seam: Seam } | undefined): Jump {
  const seam = view?.seam;
  if (!seam || seam.colour.finding === 'none') {
    const why = seam?.colour.why;
    return { lines: ['Δ –'], words: t`Not measured.${why ? ` ${why}` : ''}` };
  }
  const { colour, sound } = seam;
  const sentences = [t`Colour ${FINDING[colour.finding]}, ΔE ${colour.value.toFixed(1)}.`];
  const lines = [`Δ ${colour.value.toFixed(1)}`];
  if (sound.finding !== 'none') {
    const level = signed(sound.value, 'LU');
    lines.push(level);
    sentences.push(t`Loudness ${FINDING[sound.finding]}, ${level}.`);
  }
  return { lines, words: sentences.join(' ') };
}
