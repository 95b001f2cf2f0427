import { createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shotSchema } from '../../../src/shared/board/board.ts';
import type { Track } from '../../../src/shared/film/sound/track.ts';
import { levelsOf, loudnessOf, lumaOf, probeFilm, sideLevelsOf } from '../../helpers/ffprobe.ts';
import { packetsOf } from '../../helpers/packets.ts';
import { FilmPage, planOf, shot } from './filmPage.ts';
import { toneChannels, toneClip, toneTrack } from './tones.ts';

/** Sound and subtitles of films made by a real browser from sources of known level, decoded and measured by FFmpeg. */

let film: FilmPage;

beforeAll(async () => {
  film = await FilmPage.start();
  for (const [id, tone] of Object.entries({ t20: { db: -20 }, t30: { db: -30 }, peaky: { db: -32, bursts: -6 } })) {
    film.files.set(id, { mime: 'video/mp4', bytes: await toneClip(tone) });
  }
  await film.addClip('silent', { audio: false });
  film.files.set('late', { mime: 'audio/wav', bytes: toneTrack({ seconds: 3, db: -20, from: 1 }) });
  film.files.set('black', { mime: 'image/png', bytes: createCanvas(32, 18).toBuffer('image/png') });
  film.files.set('music', { mime: 'audio/wav', bytes: toneTrack({ seconds: 10, db: -20 }) });
});
afterAll(() => film?.close());

/** The RMS of a sine is this far below its peak. */
const RMS = 10 * Math.log10(2);
const silent = () => shot('silent', { hasAudio: false });
const shots = (of: Record<string, object> = {}) =>
  ['sh0', 'sh1', 'sh2'].map((id) => shotSchema.parse({ id, ...of[id] }));
const track = (more: Partial<Track> = {}): Track => ({
  assetId: 'music',
  in: 0,
  fadeIn: 0,
  fadeOut: 0,
  level: 0,
  ...more,
});

/** The tone's peak level at a time in seconds, from the 50 ms around it. */
async function levelIn(file: string) {
  const levels = await levelsOf(file);
  return (second: number, around = 0.025): number => {
    const near = levels.filter(({ time }) => Math.abs(time + 0.005 - second) <= around);
    return 10 * Math.log10(near.reduce((sum, { level }) => sum + 10 ** (level / 10), 0) / near.length) + RMS;
  };
}

async function soundFile(file: string, seconds: number, frame = 1 / 24): Promise<void> {
  const probed = await probeFilm(file);
  expect(probed.complaints).toBe('');
  expect(Math.abs(Number(probed.format.duration) - seconds)).toBeLessThanOrEqual(frame + 1e-6);
  for (const { duration } of probed.streams) expect(Math.abs(Number(duration) - seconds)).toBeLessThanOrEqual(frame);
}

test('a track is mixed under a joined film, trimmed, levelled, faded and ducked, and every video packet stays', async () => {
  const laid = track({
    in: 1,
    level: -6,
    fadeIn: 1,
    fadeOut: 1,
    duck: { under: 'words', by: 9, before: 0.3, after: 0.6 },
  });
  const cues = [{ startMs: 2_500, endMs: 3_500, text: 'Now.' }];
  const peaks = new Map([['music', 0.1]]);
  const plan = planOf([silent(), silent(), silent()], {
    mix: { track: laid, trackSeconds: 10, cues, peaks, isAsked: true },
  });
  const { report, bytes, file } = await film.make({ plan, mode: 'auto' });
  expect(report).toEqual({
    mode: 'join',
    why: ['The board mixes the sound.', 'Only the sound is encoded. The pictures are copied unchanged.'],
  });
  const source = await packetsOf(film.files.get('silent')?.bytes ?? new Uint8Array());
  const hashes = (packets: { sha256: string }[]) => packets.map(({ sha256 }) => sha256);
  expect(hashes((await packetsOf(bytes)).video)).toEqual([1, 2, 3].flatMap(() => hashes(source.video)));
  await soundFile(file, 6);
  const level = await levelIn(file);
  const expected: [second: number, db: number][] = [
    [0.5, -26 - 6.02],
    [1.5, -26],
    [2.35, -26 + 20 * Math.log10((1 + 10 ** (-9 / 20)) / 2)],
    [3, -35],
    [3.8, -26 + 20 * Math.log10((1 + 10 ** (-9 / 20)) / 2)],
    [4.5, -26],
    [5.5, -26 - 6.02],
  ];
  for (const [second, db] of expected)
    expect([second, Math.abs(level(second) - db) < 0.5 || level(second)]).toEqual([second, true]);
});

test('a track in 5.1 is folded to its sides', async () => {
  const levels = [undefined, undefined, undefined, -6, -20, undefined];
  film.files.set('surround', { mime: 'audio/wav', bytes: toneChannels(levels) });
  const mix = { track: track({ assetId: 'surround' }), trackSeconds: 2, peaks: new Map([['surround', 0.1]]) };
  const { file } = await film.make({ plan: planOf([silent()], { mix: { ...mix, isAsked: true } }), mode: 'auto' });
  const [left, right] = await sideLevelsOf(file);
  expect(Math.abs(left - (-20 - 3.01 - RMS))).toBeLessThan(0.2);
  expect(right).toBeLessThan(-80);
});

test('the shots’ own sound is as loud as the board says, and fades into silence', async () => {
  const own = { sh1: { ownSound: { level: -6 } }, sh2: { ownSound: { isOff: true } } };
  const peaks = new Map([['t20', 0.1]]);
  const plan = planOf([shot('t20'), shot('t20'), shot('t20')], { mix: { shots: shots(own), peaks, isAsked: true } });
  const { report, file } = await film.make({ plan, mode: 'join' });
  expect(report.mode).toBe('join');
  await soundFile(file, 6);
  const level = await levelIn(file);
  for (const [second, db] of [
    [1, -20],
    [3, -26],
  ] as const)
    expect(Math.abs(level(second) - db)).toBeLessThan(0.5);
  expect(level(5)).toBeLessThan(-80);
  expect(level(3.995, 0.005)).toBeLessThan(-26 - 6);
  expect(level(3.97, 0.005)).toBeGreaterThan(-27);
});

test('at a levelled link the sound starts as loud as the shot before ends, and returns within half a second', async () => {
  const levelling = new Map([
    ['sh0', { gainDb: 0, first: -30, last: -30 }],
    ['sh1', { gainDb: 0, first: -20, last: -20 }],
  ]);
  const peaks = new Map([
    ['t20', 0.1],
    ['t30', 0.04],
  ]);
  const plan = planOf([shot('t30'), shot('t20')], {
    mix: { shots: shots({ sh1: { isLevelled: true } }), levelling, peaks, isAsked: true },
  });
  const { file } = await film.make({ plan, mode: 'auto' });
  const level = await levelIn(file);
  expect(Math.abs(level(1) + 30)).toBeLessThan(0.5);
  expect(
    Math.abs(level(2.06) - (-20 + 20 * Math.log10(10 ** (-10 / 20) + (0.06 / 0.5) * (1 - 10 ** (-10 / 20))))),
  ).toBeLessThan(1);
  expect(Math.abs(level(2.25) - (-20 + 20 * Math.log10((1 + 10 ** (-10 / 20)) / 2)))).toBeLessThan(0.5);
  expect(Math.abs(level(2.7) + 20)).toBeLessThan(0.5);
});

describe('the loudness of the film', () => {
  test.each([-23, -16])('is %d LUFS if normalized to that, and the gain is reported', async (target) => {
    const peaks = new Map([
      ['t20', 0.1],
      ['t30', 0.04],
      ['music', 0.1],
    ]);
    const mix = { track: track({ level: -20 }), trackSeconds: 10, peaks, target, isAsked: true };
    const plan = planOf([shot('t20'), shot('t30'), shot('t20')], { mix });
    const { report, file, bytes } = await film.make({ plan, mode: 'auto' });
    expect(report.mode).toBe('join');
    expect(report.why.join(' ')).toMatch(new RegExp(`levelled to −${-target} LUFS: [+−]\\d+\\.\\d dB\\.`));
    const { lufs, peak } = await loudnessOf(file);
    expect(Math.abs(lufs - target)).toBeLessThan(0.5);
    expect(peak).toBeLessThan(-0.5);
    const ours = await film.measure(bytes);
    expect(Math.abs((ours.sound?.lufs ?? 0) - target)).toBeLessThan(0.5);
  });

  test('is reached with peaks limited to −1 dBTP, which is reported', async () => {
    const plan = planOf([shot('peaky'), shot('peaky')], { mix: { target: -16, isAsked: true } });
    const { report, file } = await film.make({ plan, mode: 'encode' });
    expect(report.why.join(' ')).toMatch(/Its loudest peaks are lowered by up to \d+\.\d dB, to −1 dBTP\./);
    expect((await loudnessOf(file)).peak).toBeLessThan(-0.4);
  });
});

test.each([[{ num: 24, den: 1 }], [{ num: 25, den: 1 }], [{ num: 30_000, den: 1001 }], [{ num: 30, den: 1 }]])(
  'the sound of a shot begins with its picture at %o',
  async (fps) => {
    const frames = Math.round((2 * fps.num) / fps.den);
    const peaks = new Map([
      ['t20', 0.1],
      ['late', 0.1],
    ]);
    const heard = shot('t20', { frames });
    const plan = planOf([{ ...silent(), frames }, heard, { ...silent(), frames }], { fps, mix: { peaks } });
    const { file } = await film.make({ plan, mode: 'encode' });
    const frame = fps.den / fps.num;
    await soundFile(file, 3 * frames * frame, frame);
    const levels = await levelsOf(file);
    const loud = levels.filter(({ level }) => level > -40);
    expect(Math.abs((loud[0]?.time ?? 0) - frames * frame)).toBeLessThan(frame);
    expect(Math.abs((loud.at(-1)?.time ?? 0) + 0.01 - 2 * frames * frame)).toBeLessThan(frame);
  },
);

test('the sound of a trimmed take is that of its part', async () => {
  // A burst in the middle of each second.
  film.files.set('bursts', { mime: 'video/mp4', bytes: await toneClip({ db: -80, bursts: -20 }) });
  const plan = planOf([silent(), shot('bursts', { from: 0.25, frames: 36, seconds: 1.5 })]);
  const { file } = await film.make({ plan, mode: 'auto' });
  const loud = (await levelsOf(file)).filter(({ level }) => level > -50).map(({ time }) => time);
  expect([...new Set(loud.map((time) => Math.round(time * 10) / 10))]).toEqual([2.3, 3.3]);
  await soundFile(file, 3.5);
});

test('a track begins at the exact sample', async () => {
  const peaks = new Map([['late', 0.1]]);
  const mix = { track: track({ assetId: 'late' }), trackSeconds: 3, peaks, isAsked: true };
  const { file } = await film.make({ plan: planOf([silent(), silent()], { mix }), mode: 'auto' });
  const loud = (await levelsOf(file)).filter(({ level }) => level > -40);
  expect(Math.abs((loud[0]?.time ?? 0) - 1)).toBeLessThanOrEqual(0.0105);
  expect(Math.abs((loud.at(-1)?.time ?? 0) + 0.01 - 3)).toBeLessThanOrEqual(0.0105);
});

test.each([
  ['16:9', 320, 180],
  ['9:16', 180, 320],
])('any subtitle is burnt into a %s film within its safe area', async (_, width, height) => {
  const text = `<img src=x onerror=alert(1)> & {\\an8}\n${'A long line that has to be broken. '.repeat(4)}${'W'.repeat(60)}`;
  const words = [{ startMs: 1_000, endMs: 2_000, text }];
  const plan = planOf([{ kind: 'still', assetId: 'black', frames: 72, seconds: 3 }], { width, height, words });
  await expect(film.make({ plan, mode: 'join' })).rejects.toThrow('cannot be joined without encoding');
  const { report, file } = await film.make({ plan, mode: 'auto' });
  expect(report).toMatchObject({ mode: 'encode' });
  expect(report.why[0]).toBe('Subtitles are drawn into the pictures, so they are encoded again.');
  const [edgeX, edgeY] = [Math.floor(width * 0.05) - 2, Math.floor(height * 0.05) - 2];
  const brightest = async (...part: [number, number, number, number]) =>
    (await lumaOf(file, part)).map(({ brightest: luma }) => luma);
  const whole = await brightest(0, 0, width, height);
  expect(whole.map((luma) => luma > 150)).toEqual(whole.map((__, frame) => frame >= 24 && frame < 48));
  const edges: [x: number, y: number, width: number, height: number][] = [
    [0, 0, edgeX, height],
    [width - edgeX, 0, edgeX, height],
    [0, height - edgeY, width, edgeY],
    [0, 0, width, edgeY],
  ];
  for (const part of edges) expect(Math.max(...(await brightest(...part)))).toBeLessThan(40);
});

test('subtitles are burnt in with the font in which they are shown', async () => {
  const words = [{ startMs: 0, endMs: 500, text: 'Subtitles' }];
  await film.make({ plan: planOf([shot('t20')], { words }), mode: 'encode' });
  expect(await film.loadedFonts()).toContain('Inter');
});

test('subtitles that are not burnt in leave the picture unchanged', async () => {
  const plan = planOf([shot('t20')], { words: [{ startMs: 5_000, endMs: 6_000, text: 'Later' }] });
  const { file } = await film.make({ plan, mode: 'encode' });
  const parts = await lumaOf(file, [0, 120, 320, 60]);
  for (const { darkest, brightest } of parts) expect(brightest - darkest).toBeLessThan(40);
});
