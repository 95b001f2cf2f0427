import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shotSchema } from '../../board/board.ts';
import { dbOfGain, gainOfDb } from './levels.ts';
import { duckSpans, gainAt, type MixInput, mixPlan, sourceGain, trackEnd } from './mixPlan.ts';
import { newTrack, type Track, trackSchema } from './track.ts';

const LENGTHS = [8, 4, 6];
const plan = LENGTHS.map((seconds, index) => ({
  shotId: `s${index}`,
  start: LENGTHS.slice(0, index).reduce((sum, one) => sum + one, 0),
  seconds,
  assetId: `a${index}`,
}));
const track = (patch: Partial<Track> = {}): Track => ({ ...newTrack('music'), ...patch });
const input = (patch: Partial<MixInput> = {}): MixInput => ({
  shots: plan.map(({ shotId }) => shotSchema.parse({ id: shotId })),
  plan,
  track: track(),
  trackSeconds: 48,
  cues: [],
  ...patch,
});
const trackOf = (mix: ReturnType<typeof mixPlan>) => mix.sources.find(({ from }) => from === 'track');

const cues = fc.array(
  fc
    .record({ startMs: fc.nat(17_000), length: fc.integer({ min: 1, max: 4_000 }) })
    .map(({ startMs, length }) => ({ startMs, endMs: startMs + length, text: 'x' })),
  { maxLength: 6 },
);
const level = fc.double({ min: -60, max: 12, noNaN: true });
const anyTrack: fc.Arbitrary<Track> = fc.record({
  assetId: fc.constant('music'),
  in: fc.double({ min: 0, max: 30, noNaN: true }),
  fadeIn: fc.double({ min: 0, max: 20, noNaN: true }),
  fadeOut: fc.double({ min: 0, max: 20, noNaN: true }),
  level,
  duck: fc.record({
    under: fc.constantFrom('words' as const, 'shots' as const),
    by: fc.double({ min: 0, max: 60, noNaN: true }),
    before: fc.double({ min: 0, max: 2, noNaN: true }),
    after: fc.double({ min: 0, max: 2, noNaN: true }),
  }),
});
const seconds = fc.double({ min: 0, max: 18, noNaN: true });

describe('the mix of a film', () => {
  it('never passes full scale, whatever the levels', () => {
    const peaks = fc.option(fc.double({ min: 0.01, max: 1, noNaN: true }), { nil: undefined });
    fc.assert(
      fc.property(
        anyTrack,
        cues,
        fc.array(level, { minLength: 3, maxLength: 3 }),
        peaks,
        seconds,
        (one, words, levels, peak, at) => {
          const shots = plan.map(({ shotId }, index) =>
            shotSchema.parse({ id: shotId, ownSound: { level: levels[index] } }),
          );
          const known = new Map(
            peak === undefined ? [] : [...plan.map(({ assetId }) => assetId), 'music'].map((id) => [id, peak]),
          );
          const mix = mixPlan(input({ track: one, cues: words, shots, peaks: known }));
          const sum = mix.sources.reduce((all, source) => all + sourceGain(source, at) * (peak ?? 1), 0);
          expect(sum * mix.headroom).toBeLessThanOrEqual(1 + 1e-9);
          expect(mix.headroom).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is left as it is where the sum has room', () => {
    const quiet = new Map([...plan.map(({ assetId }) => assetId), 'music'].map((id) => [id, 0.5]));
    expect(mixPlan(input({ peaks: quiet })).headroom).toBe(1);
    expect(mixPlan(input({ track: undefined })).headroom).toBe(1);
  });

  it('leaves out what is off, silent, missing or muted', () => {
    const shots = plan.map(({ shotId }, index) =>
      shotSchema.parse({ id: shotId, ...(index === 0 ? { ownSound: { isOff: true } } : {}) }),
    );
    const gone = plan.map((span, index) => (index === 1 ? { ...span, hasSound: false } : span));
    const mix = mixPlan(input({ shots, plan: gone, track: track({ isMuted: true }) }));
    expect(mix.sources.map(({ assetId }) => assetId)).toEqual(['a2']);
    expect(mix.seconds).toBe(18);
  });
});

describe('a shot beside silence, and a levelled link', () => {
  const silentAt = (silent: number) => plan.map((span, index) => ({ ...span, hasSound: index !== silent }));
  const lineOf = (mix: ReturnType<typeof mixPlan>, shotId: string) =>
    mix.sources.find((source) => source.shotId === shotId)?.keys ?? [];

  it('fades by 20 ms into a silent shot and out of it, and nowhere else', () => {
    const mix = mixPlan(input({ plan: silentAt(1), track: undefined }));
    expect([7.979, 7.99, 8].map((at) => gainAt(lineOf(mix, 's0'), at))).toEqual([1, expect.closeTo(0.5, 6), 0]);
    expect([12, 12.01, 12.021].map((at) => gainAt(lineOf(mix, 's2'), at))).toEqual([0, expect.closeTo(0.5, 6), 1]);
    expect([gainAt(lineOf(mix, 's0'), 0), gainAt(lineOf(mix, 's2'), 18)]).toEqual([1, 1]);
    const whole = mixPlan(input({ track: undefined }));
    expect(whole.sources.map(({ keys }) => keys.length)).toEqual([1, 1, 1]);
  });

  const levelled = (first: number | null, last: number | null, levels: (number | undefined)[] = []) => {
    const shots = plan.map(({ shotId }, index) =>
      shotSchema.parse({
        id: shotId,
        ...(index === 1 ? { isLevelled: true } : {}),
        ...(levels[index] === undefined ? {} : { ownSound: { level: levels[index] } }),
      }),
    );
    const known = { gainDb: 0, first: -40, last };
    const levelling = new Map([
      ['s0', known],
      ['s1', { ...known, first }],
      ['s2', known],
    ]);
    return lineOf(mixPlan(input({ shots, levelling, track: undefined })), 's1');
  };

  it('begins as loud as the shot before ends, and is itself after half a second', () => {
    const line = levelled(-18.9, -23.1);
    expect(dbOfGain(gainAt(line, 8))).toBeCloseTo(-4.2, 6);
    expect(gainAt(line, 8.5)).toBe(1);
    expect(gainAt(line, 12)).toBe(1);
    expect(dbOfGain(gainAt(levelled(-30, -20), 8))).toBeCloseTo(10, 6);
    expect(dbOfGain(gainAt(levelled(-20, -20, [-6]), 8))).toBeCloseTo(-6, 6);
    expect(dbOfGain(gainAt(levelled(-20, -20, [undefined, -6]), 8))).toBeCloseTo(0, 6);
  });

  it('leaves a link alone where either side is silent or not measured', () => {
    for (const [first, last] of [
      [null, -20],
      [-20, null],
      [-65, -20],
      [-20, -65],
    ] as const) {
      expect(levelled(first, last)).toEqual([{ at: 8, gain: 1 }]);
    }
  });
});

describe('the track', () => {
  it('is lowered exactly where the words are, and nowhere else', () => {
    fc.assert(
      fc.property(anyTrack, cues, seconds, (one, words, at) => {
        const duck = { ...(one.duck ?? { by: 9, before: 0, after: 0 }), under: 'words' as const };
        const plain = { ...one, fadeIn: 0, fadeOut: 0, in: 0, level: 0, duck };
        const source = trackOf(mixPlan(input({ track: plain, cues: words })));
        const gain = source ? gainAt(source.keys, at) : 0;
        const isIn = (before: number, after: number) =>
          words.some(({ startMs, endMs }) => at >= startMs / 1_000 - before && at <= endMs / 1_000 + after);
        const [before, after] = [Math.max(duck.before, 0.01), Math.max(duck.after, 0.01)];
        if (isIn(0, 0)) expect(gain).toBeCloseTo(gainOfDb(-duck.by), 6);
        if (!isIn(before + after, before + after)) expect(gain).toBeCloseTo(1, 6);
      }),
      { numRuns: 500 },
    );
  });

  it('fades in and out with what plays of it, and ends with the file or the film', () => {
    const source = trackOf(mixPlan(input({ track: track({ in: 4.2, out: 14.2, level: 0, duck: undefined }) })));
    expect([source?.fileStart, source?.start, source?.end]).toEqual([4.2, 0, 10]);
    const gains = [0, 0.75, 1.5, 8, 9, 10].map((at) => gainAt(source?.keys ?? [], at));
    for (const [index, gain] of [0, 0.5, 1, 1, 0.5, 0].entries()) expect(gains[index]).toBeCloseTo(gain, 9);
    expect(trackEnd(track({ in: 40 }), 18, 48)).toBe(8);
    expect(trackEnd(track({ in: 50 }), 18, 48)).toBe(0);
    expect(trackEnd(track(), 18)).toBe(18);
  });

  it('shortens fades that do not fit', () => {
    const source = trackOf(
      mixPlan(input({ track: track({ out: 2, fadeIn: 3, fadeOut: 1, level: 0, duck: undefined }) })),
    );
    expect(gainAt(source?.keys ?? [], 1.5)).toBeCloseTo(1, 9);
    expect(gainAt(source?.keys ?? [], 0.75)).toBeCloseTo(0.5, 9);
  });

  it('makes room for the shots that are heard', () => {
    const shots = plan.map(({ shotId }, index) =>
      shotSchema.parse({ id: shotId, ...(index === 1 ? {} : { ownSound: { isOff: true } }) }),
    );
    const duck = { under: 'shots' as const, by: 12, before: 0.3, after: 0.6 };
    expect(duckSpans(input({ shots, track: track({ duck }) }))).toEqual([{ start: 8, end: 12 }]);
  });

  it('has its out point after its in point', () => {
    expect(trackSchema.safeParse(track({ in: 5, out: 5 })).success).toBe(false);
  });
});

it('decibels and amplitude agree', () => {
  fc.assert(
    fc.property(level, (db) => {
      expect(dbOfGain(gainOfDb(db))).toBeCloseTo(db, 6);
    }),
  );
  expect(dbOfGain(0)).toBe(-60);
});
