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

const withSound = (more: object) => ({ ...measures, sound: { ...sound, ...more } });
const withPictures = (more: object) => ({ ...measures, pictures: { ...pictures, ...more } });

/** The page decodes untrusted media: without bounds a damaged file could fill the database. */
test.each([
  ['a length that is no number', { ...measures, seconds: Number.NaN }],
  ['an endless length', { ...measures, seconds: Number.POSITIVE_INFINITY }],
  ['a negative length', { ...measures, seconds: -1 }],
  ['a level that cannot be', withSound({ lufs: 1e9 })],
  ['a level as text', withSound({ truePeakDb: '-3' })],
  ['too many levels', withSound({ momentary: new Array(6_002).fill(0) })],
  ['too long a wave', withSound({ wave: new Array(601).fill(0) })],
  ['a peak over full scale', withSound({ waveEnd: [256] })],
  ['a part of a peak', withSound({ waveEnd: [0.5] })],
  ['cells of another size', withPictures({ first: 'AAAA' })],
  ['cells that are no base64', withPictures({ last: grid.replace('AAAA', '<b>!') })],
  ['a change of more than all', withPictures({ start: [{ ...frame, change: 1.1 }] })],
  ['a colour that is none', withPictures({ start: [{ ...frame, lab: [50, 0, 1e6] }] })],
  ['a colour of two parts', withPictures({ start: [{ ...frame, lab: [50, 0] }] })],
  ['no frame', withPictures({ end: [] })],
  ['too many frames', withPictures({ end: new Array(131).fill(frame) })],
  ['a series of more than is looked at', withPictures({ series: { ...series, frames: 'A'.repeat(60_000) } })],
  ['a series that is no base64', withPictures({ series: { ...series, frames: '<b>hello</b>' } })],
  ['a series of no piece', withPictures({ series: { ...series, pieces: [] } })],
  ['silence that is no span', withSound({ silent: [[0]] })],
  ['too many silences', withSound({ silent: new Array(101).fill([0, 1]) })],
  ['a part of a clipped sample', withSound({ clipped: [[0, 2.5]] })],
  ['a field more', { ...measures, script: 'x' }],
  ['a field more inside', withSound({ script: 'x' })],
  ['a long sentence', { ...measures, soundFault: 'x'.repeat(301) }],
])('%s is refused', (_, value) => {
  expect(mediaMeasuresSchema.safeParse(value).success).toBe(false);
});
