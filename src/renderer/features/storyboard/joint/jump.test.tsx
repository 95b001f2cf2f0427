import { expect, test } from 'vitest';
import type { Seam, SeamMeasure } from '../seams/seam.ts';
import { jumpOf } from './jump.ts';

const measure = (finding: SeamMeasure['finding'], value: number, why?: string): SeamMeasure => ({
  finding,
  value,
  around: 0,
  above: 1,
  ...(why === undefined ? {} : { why }),
});
const seam = (colour: SeamMeasure, sound: SeamMeasure): { seam: Seam } => ({
  seam: { frames: colour, colour, sound, colourStep: undefined, soundStep: undefined },
});

test.each([
  [
    'both are measured',
    seam(measure('step', 4.24), measure('level', -0.36)),
    ['Δ 4.2', '−0.4 LU'],
    'Colour jumps, ΔE 4.2. Loudness meets, −0.4 LU.',
  ],
  [
    'one side is silent',
    seam(measure('level', 0.31), measure('none', 0, 'The first is silent there.')),
    ['Δ 0.3'],
    'Colour meets, ΔE 0.3.',
  ],
  [
    'a clip is missing',
    seam(measure('none', 0, 'Shot 3 has no take that plays.'), measure('none', 0)),
    ['Δ –'],
    'Not measured. Shot 3 has no take that plays.',
  ],
  ['the shots do not meet in the film', undefined, ['Δ –'], 'Not measured.'],
])('the jump at a joint, where %s', (_, view, lines, words) => {
  expect(jumpOf(view)).toEqual({ lines, words });
});
