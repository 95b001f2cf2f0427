import { expect, test } from 'vitest';
import { GRID_SIDE, mediaMeasuresSchema } from './measures.ts';

const frame = { at: 0, lab: [50, 0, 0], change: null };
const grid = 'A'.repeat((GRID_SIDE * GRID_SIDE * 3 * 4) / 3);
const series = { pieces: [{ at: 0, frames: 1 }], frames: 'AAAAAAAAAAAAAA==' };
const pictures = {
  width: 16,
  height: 9,
  frames: 1,
  fps: 24,
  first: grid,
  last: grid,
  start: [frame],
  end: [frame],
  series,
};
const sound = {
  lufs: -23,
  truePeakDb: -3,
  momentary: [-23, null],
  wave: [0, 255],
  waveStart: [1],
  waveEnd: [2],
  silent: [[0, 1]],
  clipped: [[2, 5]],
};
const measures = { seconds: 4, pictures, sound };

test('what is measured of a clip is taken', () => {
  expect(mediaMeasuresSchema.safeParse(measures).success).toBe(true);
});

/** The page decodes what came from the network: what it sends is bounded, or a damaged file fills the database. */
test.each([
  ['a length that is no number', { ...measures, seconds: Number.NaN }],
  ['an endless length', { ...measures, seconds: Number.POSITIVE_INFINITY }],
  ['a negative length', { ...measures, seconds: -1 }],
  ['a level that cannot be', { ...measures, sound: { ...sound, lufs: 1e9 } }],
  ['a level as text', { ...measures, sound: { ...sound, truePeakDb: '-3' } }],
  ['too many levels', { ...measures, sound: { ...sound, momentary: new Array(6_002).fill(0) } }],
  ['too long a wave', { ...measures, sound: { ...sound, wave: new Array(601).fill(0) } }],
  ['a peak over full scale', { ...measures, sound: { ...sound, waveEnd: [256] } }],
  ['a part of a peak', { ...measures, sound: { ...sound, waveEnd: [0.5] } }],
  ['cells of another size', { ...measures, pictures: { ...pictures, first: 'AAAA' } }],
  ['cells that are no base64', { ...measures, pictures: { ...pictures, last: grid.replace('AAAA', '<b>!') } }],
  ['a change of more than all', { ...measures, pictures: { ...pictures, start: [{ ...frame, change: 1.1 }] } }],
  ['a colour that is none', { ...measures, pictures: { ...pictures, start: [{ ...frame, lab: [50, 0, 1e6] }] } }],
  ['a colour of two parts', { ...measures, pictures: { ...pictures, start: [{ ...frame, lab: [50, 0] }] } }],
  ['no frame', { ...measures, pictures: { ...pictures, end: [] } }],
  ['too many frames', { ...measures, pictures: { ...pictures, end: new Array(131).fill(frame) } }],
  [
    'a series of more than is looked at',
    { ...measures, pictures: { ...pictures, series: { ...series, frames: 'A'.repeat(60_000) } } },
  ],
  [
    'a series that is no base64',
    { ...measures, pictures: { ...pictures, series: { ...series, frames: '<b>hello</b>' } } },
  ],
  ['a series of no piece', { ...measures, pictures: { ...pictures, series: { ...series, pieces: [] } } }],
  ['silence that is no span', { ...measures, sound: { ...sound, silent: [[0]] } }],
  ['too many silences', { ...measures, sound: { ...sound, silent: new Array(101).fill([0, 1]) } }],
  ['a part of a clipped sample', { ...measures, sound: { ...sound, clipped: [[0, 2.5]] } }],
  ['a field more', { ...measures, script: 'x' }],
  ['a field more inside', { ...measures, sound: { ...sound, script: 'x' } }],
  ['a long sentence', { ...measures, soundFault: 'x'.repeat(301) }],
])('%s is refused', (_, value) => {
  expect(mediaMeasuresSchema.safeParse(value).success).toBe(false);
});
