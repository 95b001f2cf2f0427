import { expect, test } from 'vitest';
import { shotSchema } from '../../../../shared/board/board.ts';
import type { SoundMeasures } from '../../../../shared/film/measures.ts';
import { newTrack } from '../../../../shared/film/sound/track.ts';
import { heardFilm } from './useFilmSound.ts';

const sound = (lufs: number, truePeakDb: number, ends: [number, number] = [lufs, lufs]): SoundMeasures => ({
  lufs,
  truePeakDb,
  momentary: [ends[0], ...Array<number>(35).fill(lufs), ends[1]],
  wave: [],
  waveStart: [],
  waveEnd: [],
  silent: [],
  clipped: [],
});
const measured = (...sounds: (SoundMeasures | undefined)[]) =>
  new Map(sounds.flatMap((one, index): [string, SoundMeasures][] => (one ? [[`a${index}`, one]] : [])));

/** Two shots of four seconds. */
function heard(
  sounds: (SoundMeasures | undefined)[],
  {
    shots = [{}, {}],
    isEncoded = false,
    ...board
  }: Partial<Parameters<typeof heardFilm>[2]> & { shots?: object[] } = {},
) {
  const all = shots.map((more, index) => shotSchema.parse({ id: `s${index}`, ...more }));
  const plan = all.map(({ id }, index) => ({ shotId: id, start: index * 4, seconds: 4, assetId: `a${index}` }));
  const track = board.sound?.track;
  return heardFilm({ shots: all, plan, cues: [], track, trackSeconds: 60 }, measured(...sounds), {
    sound: board.sound,
    isEncoded,
  });
}
const db = (gain = 0) => Math.round(200 * Math.log10(gain)) / 10;
const gainsOf = ({ mix, master }: ReturnType<typeof heard>) =>
  mix.sources.map(({ keys }) => keys.map(({ gain }) => db(gain * master)));

test('a film that is mixed plays with the gains of its export', () => {
  const both = [sound(-18, -6), sound(-28, -12)];
  expect(gainsOf(heard(both, { sound: { loudness: {} } }))).toEqual([[-5], [5]]);
  expect(gainsOf(heard(both, { isEncoded: true }))).toEqual([[-5], [5]]);
  // The peaks of the second shot allow 5 of the missing 12 dB; the overall gain adds the rest.
  const loud = heard([sound(-18, -6), sound(-28, -6)], { sound: { loudness: { target: -16 } } });
  expect(loud.level?.leaves).toBeCloseTo(-16, 6);
  expect(gainsOf(loud)).toEqual(
    [[2 + db(loud.master)], [5 + db(loud.master)]].map(([gain = 0]) => [expect.closeTo(gain, 1)]),
  );
});

test('a film that is joined as it came plays as it came', () => {
  const film = heard([sound(-18, 0.5), sound(-28, -12)]);
  expect([film.isMixed, gainsOf(film)]).toEqual([false, [[0], [0]]]);
});

test('a levelled joint is heard while the film plays', () => {
  const sounds = [sound(-23, -6, [-23, -30]), sound(-23, -6, [-20, -23])];
  const film = heard(sounds, { shots: [{}, { isLevelled: true }], sound: { loudness: { isOff: true } } });
  expect(gainsOf(film)).toEqual([[0], [-10, 0]]);
});

test('what is lowered so that nothing clips is so in every figure', () => {
  const track = { ...newTrack('a2'), level: 0, fadeIn: 0, fadeOut: 0 };
  const off = { loudness: { isOff: true as const }, track };
  const film = heard([sound(-20, 0), sound(-20, 0), sound(-20, 0)], { sound: off });
  expect(film.level?.lowered).toBeCloseTo(6.02, 2);
  expect(film.level?.leaves).toBeCloseTo((film.level?.lufs ?? 0) - 6.02, 2);
  expect(db(film.master)).toBe(-6);
  const levelled = heard([sound(-20, 0), sound(-20, 0), sound(-20, 0)], { sound: { track } });
  expect(levelled.level).toMatchObject({ lowered: 0, target: -23 });
  expect(levelled.level?.leaves).toBeCloseTo(-23, 6);
});
