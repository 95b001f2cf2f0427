import { expect, test } from 'vitest';
import { DEFAULT_SEAM_LIMITS } from '../../../../shared/film/continuityLimits.ts';
import type { FrameMeasure, MediaMeasures } from '../../../../shared/film/measures.ts';
import { GRID_BYTES, textOfGrid } from '../../../../shared/library/picture/grid.ts';
import { SILENT, seamOf, verdictOf } from './seam.ts';

interface Look {
  grey?: number;
  lightness?: number;
  level?: number | null;
  /** Change of each frame from the one before. */
  motion?: number;
}

/** A clip of two seconds that stays as it is, but for its motion. */
function clip({ grey = 100, lightness = 42, level = -23, motion = 0.01 }: Look = {}): { measures: MediaMeasures } {
  const frames = Array.from(
    { length: 24 },
    (_, index): FrameMeasure => ({ at: index / 24, lab: [lightness, 1, 2], change: index === 0 ? null : motion }),
  );
  const grid = textOfGrid(new Uint8Array(GRID_BYTES).fill(grey));
  const pictures = { width: 16, height: 9, frames: 48, fps: 24, first: grid, last: grid, start: frames, end: frames };
  const sound = {
    lufs: level,
    truePeakDb: -3,
    momentary: new Array<number | null>(17).fill(level),
    wave: [],
    waveStart: [],
    waveEnd: [],
    silent: [],
    clipped: [],
  };
  return { measures: { seconds: 2, pictures, sound } };
}

const seam = (before: Look, after: Look) => seamOf(clip(before), clip(after), DEFAULT_SEAM_LIMITS);

test('a smooth seam meets in all three', () => {
  const smooth = seam({}, { grey: 101, lightness: 42.2, level: -23.4 });
  expect([smooth.frames.finding, smooth.colour.finding, smooth.sound.finding]).toEqual(['level', 'level', 'level']);
  expect(verdictOf(smooth, false)).toBe('meets');
});

test.each([
  ['frames', { grey: 180 }],
  ['colour', { lightness: 50 }],
  ['sound', { level: -18.8 }],
] as const)('a planted jump of %s is found, and of nothing else', (name, look) => {
  const jumping = seam({}, look);
  for (const each of ['frames', 'colour', 'sound'] as const)
    expect(jumping[each].finding).toBe(each === name ? 'step' : 'level');
  expect(verdictOf(jumping, false)).toBe('jumps');
});

test('the same step amid as much motion is motion', () => {
  expect(seam({}, { grey: 126 }).frames.finding).toBe('step');
  expect(seam({ motion: 0.1 }, { grey: 126 }).frames.finding).toBe('level');
  expect(seam({}, { grey: 126, motion: 0.1 }).frames.finding).toBe('level');
});

test('a cut is measured and never called a fault', () => {
  const cut = seam({}, { grey: 250, lightness: 90 });
  expect(cut.frames.finding).toBe('step');
  expect(verdictOf(cut, true)).toBe('meant');
});

test('silence is not measured and no jump; neither is a side that is not there', () => {
  const silent = seam({}, { level: null });
  expect(silent.sound).toMatchObject({ finding: 'none', why: SILENT });
  expect(verdictOf(silent, false)).toBe('meets');
  const missing = seamOf(clip(), { why: 'Shot 2 has no take.' }, DEFAULT_SEAM_LIMITS);
  expect(missing.frames).toMatchObject({ finding: 'none', why: 'Shot 2 has no take.' });
  expect(verdictOf(missing, false)).toBe('not measured');
});

test('a sound that could not be read is not taken for silence', () => {
  const before = clip();
  const { sound: _, ...pictures } = clip().measures;
  const after = { measures: { ...pictures, soundFault: 'Dailies cannot decode ac-3 sound.' } };
  expect(seamOf(before, after, DEFAULT_SEAM_LIMITS).sound.why).toBe('Dailies cannot decode ac-3 sound.');
});

test('loudness has a direction', () => {
  expect(seam({ level: -23.1 }, { level: -18.9 }).sound.value).toBeCloseTo(4.2, 6);
  expect(seam({ level: -18.9 }, { level: -23.1 }).sound.value).toBeCloseTo(-4.2, 6);
});
