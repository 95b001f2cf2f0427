import { createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lumaOf, probeFilm } from '../../helpers/ffprobe.ts';
import { withHiddenFrames } from '../../helpers/hiddenFrames.ts';
import { packetsOf } from '../../helpers/packets.ts';
import { FRAMES, greyOf, steppedClip } from '../../helpers/steppedClip.ts';
import { versionOfMeta } from '../../helpers/versionOfMeta.ts';
import { FilmPage, planOf, shot } from './filmPage.ts';

/** Films made by a real browser from sandbox clips, read by ffprobe. */

let film: FilmPage;

beforeAll(async () => {
  film = await FilmPage.start();
  for (const id of ['a', 'b', 'c']) await film.addClip(id);
  await film.addClip('silent', { audio: false });
  await film.addClip('tall', { width: 180, height: 320 });
  const canvas = createCanvas(400, 400);
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#c04020';
  pen.fillRect(0, 0, 400, 400);
  film.files.set('still', { mime: 'image/png', bytes: canvas.toBuffer('image/png') });
});

afterAll(() => film?.close());

const sourcePackets = async (id: string) => packetsOf(film.files.get(id)?.bytes ?? new Uint8Array());

test('clips with equal streams are joined: every packet is its source’s, and every frame in its place', async () => {
  const { report, bytes, file } = await film.make({
    plan: planOf(['a', 'b', 'c'].map((id) => shot(id))),
    mode: 'auto',
  });
  expect(report).toEqual({ mode: 'join', why: [] });
  const joined = await packetsOf(bytes);
  const sources = await Promise.all(['a', 'b', 'c'].map(sourcePackets));
  const hashes = (packets: { sha256: string }[]) => packets.map(({ sha256 }) => sha256);
  expect(hashes(joined.video)).toEqual(sources.flatMap(({ video }) => hashes(video)));
  expect(hashes(joined.audio)).toEqual(sources.flatMap(({ audio }) => hashes(audio)));
  expect(joined.video.map(({ time }) => Math.round(time * 24))).toEqual(
    Array.from({ length: 144 }, (_, frame) => frame),
  );
  const probed = await probeFilm(file);
  expect(probed.complaints).toBe('');
  expect(probed.streams.map(({ codec_name, nb_read_frames }) => [codec_name, nb_read_frames])[0]).toEqual([
    'h264',
    '144',
  ]);
  expect(Math.abs(Number(probed.format.duration) - 6)).toBeLessThan(1 / 24);
});

test('a silent shot between shots with sound is joined with silence in the same encoding', async () => {
  const { report, bytes, file } = await film.make({
    plan: planOf([shot('a'), shot('silent', { hasAudio: false }), shot('b')]),
    mode: 'join',
  });
  expect(report.mode).toBe('join');
  const joined = await packetsOf(bytes);
  const [a, b] = [await sourcePackets('a'), await sourcePackets('b')];
  const own = new Set([...a.audio, ...b.audio].map(({ sha256 }) => sha256));
  expect(joined.audio.filter(({ sha256 }) => own.has(sha256))).toHaveLength(a.audio.length + b.audio.length);
  const second = joined.audio.find(({ sha256 }) => sha256 === b.audio[0]?.sha256);
  expect(Math.abs((second?.time ?? 0) - 4)).toBeLessThan(0.011);
  const steps = joined.audio.slice(1).map(({ time }, index) => time - (joined.audio[index]?.time ?? 0));
  expect(Math.max(...steps)).toBeLessThan(2 * (1024 / 48_000));
  const probed = await probeFilm(file);
  expect([probed.complaints, probed.streams.map(({ nb_read_frames }) => nb_read_frames)[0]]).toEqual(['', '144']);
});

test.each([
  ['first', ['silent', 'a']],
  ['last', ['a', 'silent']],
])('where the %s shot is silent, the sound is as long as the film', async (_, ids) => {
  const shots = ids.map((id) => shot(id, { hasAudio: id !== 'silent' }));
  for (const mode of ['join', 'encode'] as const) {
    const { report, file } = await film.make({ plan: planOf(shots), mode });
    expect(report.mode).toBe(mode);
    const { streams, complaints } = await probeFilm(file);
    expect(complaints).toBe('');
    expect(streams.map(({ codec_type }) => codec_type)).toEqual(['video', 'audio']);
    for (const { start_time, duration } of streams)
      expect(Math.abs(Number(start_time) + Number(duration) - 4)).toBeLessThan(1024 / 48_000);
  }
});

test('a film that the browser encodes is limited-range BT.709 and labelled so', async () => {
  await expectLimitedRange(false);
});

test('clips that cannot be joined are encoded, with one sentence per stream that says why', async () => {
  const plan = planOf([
    shot('a'),
    shot('tall', { gainDb: -6 }),
    { kind: 'still', assetId: 'still', frames: 12, seconds: 0.5 },
    { kind: 'gap', frames: 12, seconds: 0.5 },
    shot('silent', { hasAudio: false }),
  ]);
  await expect(film.make({ plan, mode: 'join' })).rejects.toThrow('Shot 2 is 180 × 320, the film 320 × 180.');
  const { report, file, progress, largest } = await film.make({ plan, mode: 'auto' });
  expect(report.mode).toBe('encode');
  expect(report.why).toEqual([
    'Shot 2 is 180 × 320, the film 320 × 180.',
    'Shot 3 is a still picture, which has to be encoded.',
    'Shot 4 has no clip, so a slate has to be encoded.',
  ]);
  expect(largest).toBeLessThanOrEqual(4 * 1024 * 1024);
  expect(progress[0]).toBe(0);
  expect(progress.at(-1)).toBeGreaterThan(0);
  const probed = await probeFilm(file);
  expect(probed.complaints).toBe('');
  const [video, audio] = probed.streams;
  expect(video).toMatchObject({
    codec_name: 'h264',
    width: 320,
    height: 180,
    r_frame_rate: '24/1',
    nb_read_frames: '168',
  });
  expect(audio).toMatchObject({ codec_name: 'aac', sample_rate: '48000', channels: 2 });
  for (const { duration } of probed.streams) expect(Math.abs(Number(duration) - 7)).toBeLessThan(1 / 24);
});

test('frames that an edit list hides are left out', async () => {
  const bytes = await withHiddenFrames({ before: 5, after: 4 }, { bytes: await steppedClip(), fps: 24 });
  film.files.set('cut', { mime: 'video/mp4', bytes });
  const frames = FRAMES - 9;
  const plan = planOf([shot('cut', { frames, hasAudio: false })], { width: 640, height: 368 });
  await expect(film.make({ plan, mode: 'join' })).rejects.toThrow('Shot 1 has 9 frames that its edit list hides.');
  const { report, file } = await film.make({ plan, mode: 'auto' });
  expect(report.mode).toBe('encode');
  const seen = await lumaOf(file, [160, 90, 320, 180]);
  expect(seen).toHaveLength(frames);
  const steps = seen.map(({ bright }) => bright - (seen[0]?.bright ?? 0));
  expect(Math.abs((steps.at(-1) ?? 0) - ((greyOf(FRAMES - 5) - greyOf(5)) * 219) / 255)).toBeLessThan(4);
  expect(Math.abs((seen[0]?.bright ?? 0) - (16 + (greyOf(5) * 219) / 255))).toBeLessThan(4);
});

test('a trimmed take gives the film exactly the frames from its in point to its out point', async () => {
  film.files.set('steps', { mime: 'video/mp4', bytes: await steppedClip() });
  const own = shot('steps', { from: 10 / 24, frames: 18, seconds: 18 / 24, hasAudio: false });
  const plan = planOf([own, shot('a')], { width: 640, height: 368 });
  await expect(film.make({ plan, mode: 'join' })).rejects.toThrow('Shot 1 is trimmed, and a part of a clip has to be');
  const { report, file } = await film.make({ plan, mode: 'auto' });
  expect([report.mode, report.why[0]]).toEqual([
    'encode',
    'Shot 1 is trimmed, and a part of a clip has to be encoded.',
  ]);
  const { streams, format } = await probeFilm(file);
  expect(streams[0]?.nb_read_frames).toBe(String(18 + 48));
  expect(Math.abs(Number(format.duration) - 66 / 24)).toBeLessThan(1 / 24);
  const seen = (await lumaOf(file, [160, 90, 320, 180])).slice(0, 18);
  for (const [at, { bright }] of seen.entries())
    expect(Math.abs(bright - (16 + (greyOf(10 + at) * 219) / 255)), `frame ${at}`).toBeLessThan(4);
});

test('a clip whose sound begins before its pictures keeps both: its first frame is held until they begin', async () => {
  const late = { before: 5, after: 4, pause: 12 };
  const bytes = await withHiddenFrames(late, { bytes: await steppedClip(), fps: 24, sound: 2 });
  film.files.set('late', { mime: 'video/mp4', bytes });
  const frames = FRAMES - 9 + 12;
  const plan = planOf([{ kind: 'gap', frames: 39 }, shot('late', { frames })], { width: 640, height: 368 });
  const { report, file, bytes: made } = await film.make({ plan, mode: 'auto' });
  expect(report.mode).toBe('encode');
  const seen = (await lumaOf(file, [160, 90, 320, 180])).slice(39).map(({ bright }) => bright);
  expect(seen).toHaveLength(frames);
  const levels = [seen[0], seen[11], seen[13], seen.at(-1)].map((bright = 0) => Math.round(bright));
  const wanted = [5, 5, 6, FRAMES - 5].map((frame) => 16 + (greyOf(frame) * 219) / 255);
  for (const [at, level] of levels.entries()) expect(Math.abs(level - (wanted[at] ?? 0))).toBeLessThan(4);
  expect((await film.measure(made)).sound?.momentary?.[32]).toBeCloseTo(-20, 0);
});

test.each([
  ['16:9', 320, 180],
  ['9:16', 180, 320],
])(
  'a %s shot without a clip becomes a slate with its number and prompt, even if its picture is broken',
  async (_, width, height) => {
    film.files.set('broken', { mime: 'image/png', bytes: new Uint8Array([1, 2, 3]) });
    const words = { number: 7, title: 'The last ferry leaves the quay at night, in the rain, with all its lamps lit' };
    const plan = planOf(
      [
        { kind: 'gap', frames: 12, seconds: 0.5, ...words },
        { kind: 'still', assetId: 'broken', frames: 12, seconds: 0.5, ...words },
        { kind: 'gap', frames: 12, seconds: 0.5, number: 8, title: '' },
      ],
      { width, height },
    );
    const { file } = await film.make({ plan, mode: 'encode' });
    const middle = Math.floor(height / 2);
    const rows = async (from: number, to: number) => await lumaOf(file, [0, from, width, to - from]);
    const edges = [
      ...(await rows(0, Math.floor(height / 4))),
      ...(await rows(height - Math.floor(height / 4), height)),
    ];
    for (const { darkest, brightest } of edges) expect([darkest > 8, brightest < 60]).toEqual([true, true]);
    expect((await rows(Math.floor(height / 4), middle)).map(({ brightest }) => brightest > 150)).toEqual(
      Array<boolean>(36).fill(true),
    );
    const below = await rows(middle + Math.floor(Math.min(width, height) * 0.06), height);
    expect(below.map(({ brightest }) => brightest > 100)).toEqual([
      ...Array<boolean>(24).fill(true),
      ...Array<boolean>(12).fill(false),
    ]);
  },
);

test.each([[{ num: 24, den: 1 }], [{ num: 25, den: 1 }], [{ num: 30_000, den: 1001 }], [{ num: 30, den: 1 }]])(
  'an upright film at %o has a constant rate and every frame',
  async (fps) => {
    const frames = Math.round((2 * fps.num) / fps.den);
    const plan = planOf([shot('a', { frames }), shot('tall', { frames })], { fps, width: 180, height: 320 });
    const { file } = await film.make({ plan, mode: 'encode' });
    const probed = await probeFilm(file);
    expect(probed.complaints).toBe('');
    const rate = `${fps.num}/${fps.den}`;
    expect(probed.streams[0]).toMatchObject({ width: 180, height: 320, r_frame_rate: rate, avg_frame_rate: rate });
    expect(probed.streams[0]?.nb_read_frames).toBe(String(frames * 2));
    const seconds = (frames * 2 * fps.den) / fps.num;
    expect(Math.abs(Number(probed.format.duration) - seconds)).toBeLessThan(fps.den / fps.num);
  },
);

test('without an H.264 encoder in the browser, the software encoder makes the film, and its speed is reported', async () => {
  const plan = planOf([shot('a'), shot('silent', { hasAudio: false })]);
  const { report, file } = await film.make({ plan, mode: 'encode' }, true);
  expect(report.why.join()).toMatch(
    /^This browser cannot encode H\.264\. A slower encoder was used: [\d.]+ frames a second\.$/,
  );
  const probed = await probeFilm(file);
  expect(probed.complaints).toBe('');
  expect(probed.streams[0]).toMatchObject({ codec_name: 'h264', nb_read_frames: '96', r_frame_rate: '24/1' });
});

/** Makes a film of a black half and a white one, and checks its luma range. */
async function expectLimitedRange(softwareOnly: boolean): Promise<void> {
  const canvas = createCanvas(320, 180);
  const pen = canvas.getContext('2d');
  for (const [at, grey] of ['#000', '#fff'].entries()) {
    pen.fillStyle = grey;
    pen.fillRect(at * 160, 0, 160, 180);
  }
  film.files.set('halves', { mime: 'image/png', bytes: canvas.toBuffer('image/png') });
  const plan = planOf([{ kind: 'still', assetId: 'halves', frames: 12, seconds: 0.5 }]);
  const { file } = await film.make({ plan, mode: 'encode' }, softwareOnly);
  expect((await probeFilm(file)).streams[0]).toMatchObject({
    color_range: 'tv',
    color_space: 'bt709',
    color_transfer: 'bt709',
    color_primaries: 'bt709',
    pix_fmt: 'yuv420p',
  });
  const within = async (x: number, level: number) =>
    (await lumaOf(file, [x, 40, 80, 100])).map(
      ({ brightest, darkest }) => Math.abs(darkest - level) < 3 && Math.abs(brightest - level) < 3,
    );
  expect(await within(40, 16)).toEqual(Array<boolean>(12).fill(true));
  expect(await within(200, 235)).toEqual(Array<boolean>(12).fill(true));
}

test('a film of the software encoder is limited-range BT.709 and labelled so', async () => {
  await expectLimitedRange(true);
});

test('the speed of the software encoder is measured with a few frames, if the browser has none', async () => {
  expect(await film.softwareSpeed(true)).toBeGreaterThan(0);
  expect(await film.softwareSpeed(false)).toBeUndefined();
});

test('a copy states its origin in the file: our JSON under an mdta key, and an XMP packet at the end', async () => {
  const json = JSON.stringify({ prompt: 'déjà vu', notes: 'x'.repeat(20_000) });
  const provenance = { json, xmp: '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>' };
  const { bytes, file } = await film.make({
    plan: planOf([shot('a')]),
    mode: 'join',
    title: 'Last Ferry – паром',
    provenance,
  });
  const probed = await probeFilm(file);
  expect(probed.complaints).toBe('');
  expect(probed.format.tags).toMatchObject({ title: 'Last Ferry – паром', 'com.dailies.provenance': json });
  expect(versionOfMeta(bytes)).toBe(0);
  const at = bytes.indexOf(Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'));
  expect(bytes.subarray(at + 16).toString('utf8')).toBe(provenance.xmp);
  const [copy, source] = [await packetsOf(bytes), await sourcePackets('a')];
  expect(copy).toEqual(source);
});
