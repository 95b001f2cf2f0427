import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, expect, test } from 'vitest';
import { exportEnded, FILM, framesOf, makeFilmFolder, type ShotOf } from '../../../../test/helpers/filmStudio.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import type { CallInput } from '../../../shared/contract/contract.ts';
import { MEDIA_TASK_LIMIT_MS } from '../../../shared/library/asset.ts';
import { planOf } from './plan.ts';

const openStudio = studiosOfThisFile();
const AT_24 = { num: 24, den: 1 };

let clip: Buffer;
let other: Buffer;
let slow: Buffer;
beforeAll(async () => {
  clip = await framesOf({ frames: 96, rate: AT_24, audio: true });
  other = await framesOf({ frames: 48, rate: AT_24 });
  slow = await framesOf({ frames: 60, rate: { num: 30_000, den: 1_001 }, audio: true });
});

const filmOf = (shots: readonly ShotOf[], name?: string, ports = {}) =>
  openStudio({ dataDir: makeFilmFolder(shots, name), ports });

async function exported(film: Awaited<ReturnType<typeof filmOf>>, input: Partial<CallInput<'film.export'>>) {
  const started = await film.ask('film.export', { projectId: FILM, format: 'csv', ...input });
  const ended = exportEnded(film, started);
  await measure(film);
  return ended;
}

/** Does the work of the media page: every sound is one of -18 LUFS, unless it is `lost`. */
async function measure(film: Awaited<ReturnType<typeof filmOf>>, lost?: string): Promise<void> {
  const none = { wave: [], waveStart: [], waveEnd: [], silent: [], clipped: [] };
  const sound = { lufs: -18, truePeakDb: -6, momentary: [-18], ...none };
  for (let { task } = await film.ask('media.claim'); task; { task } = await film.ask('media.claim'))
    await film.ask('media.finish', {
      taskId: task.id,
      ...(lost === undefined ? { measures: { seconds: 4, sound } } : { error: lost }),
    });
}

type Film = Awaited<ReturnType<typeof filmOf>>;
const preflight = ({ ask }: Film) => ask('film.preflight', { projectId: FILM });
/** The amounts by which a timeline raises its sounds. */
const amountsIn = ({ folder }: { folder: string }) =>
  [...fs.readFileSync(path.join(folder, 'Last-Ferry.fcpxml'), 'utf8').matchAll(/adjust-volume amount="([^"]+)"/g)].map(
    ([, amount]) => amount,
  );

const SILENT = 'Shot 2 has no sound, and silence in pcm-s16 has to be encoded.';

test('the preflight says what each shot is made of, and what to know of it', async () => {
  const large = await framesOf({ frames: 48, rate: AT_24, audio: true, side: 32 });
  const otherwise = await framesOf({ frames: 48, rate: AT_24, audio: 'pcm-f32' });
  const clips = [{ clip }, { clip: other }, { clip: slow }, {}, { clip, remote: true }, { clip: large }];
  const { findings, streams, canJoin, whyNot } = await preflight(await filmOf([...clips, { clip: otherwise }]));
  expect(findings.map(({ level, code, shotId }) => `${level} ${code} ${shotId}`)).toEqual([
    ...['know silent s2', 'know rate s3', 'stop missing s4', 'stop unavailable s5', 'know size s6', 'know coding s7'],
  ]);
  const first = { shotId: 's1', jobId: 'j1', assetId: 'a1', width: 16, height: 16, fps: 24, seconds: 4 };
  expect([streams[0], streams[2], streams[3]]).toMatchObject([first, { fps: 29.97 }, { shotId: 's4' }]);
  expect(canJoin).toBe(false);
  expect(whyNot).toEqual(expect.arrayContaining([SILENT, 'Shot 3 has 29.97 frames a second, the film 24.']));
});

const turned = () => framesOf({ frames: 48, rate: AT_24, audio: true, rotation: 90 });

test.each<[string, () => Promise<ShotOf[]>, object]>([
  ['equal clips', async () => [{ clip }, { clip }], { findings: [], canJoin: true, whyNot: [] }],
  [
    'only the sound differs',
    async () => [{ clip }, { clip: other }],
    {
      canJoin: false,
      joinsPictures: true,
      soundEncoded: [SILENT],
      whyNot: [SILENT, expect.stringMatching(/^Only the/)],
    },
  ],
  [
    'one clip is turned',
    async () => [{ clip }, { clip: await turned() }],
    { canJoin: false, joinsPictures: false, whyNot: ['Shot 2 is turned by 90°.'] },
  ],
  [
    'all clips are turned',
    async () => [{ clip: await turned() }, { clip: await turned() }],
    { canJoin: true, whyNot: [] },
  ],
  [
    'the board mixes the sound',
    async () => [{ clip, shot: { ownSound: { level: -6 } } }, { clip }],
    { canJoin: true, joinsPictures: true, soundEncoded: ['The board mixes the sound.'] },
  ],
])('what is joined and what is encoded: %s', async (_, shots, told) => {
  expect(await preflight(await filmOf(await shots()))).toMatchObject(told);
});

test('how fast a film is encoded in software is known once a media page has tried', async () => {
  const film = await filmOf([{ clip }]);
  expect(await preflight(film)).not.toHaveProperty('encoderSpeed');
  await film.ask('media.encoderSpeed', { pixelsPerSecond: 9_216_000 });
  expect(await preflight(film)).toMatchObject({ encoderSpeed: 9_216_000 });
});

test('a stale shot is told, a skipped one is no part of the film', async () => {
  const film = await filmOf([
    { clip, shot: { takes: ['j1', 'j3'], activeTake: 'j1' } },
    { clip, from: 'j3', shot: { source: 'first' } },
    { clip, shot: { skipped: true } },
    { shot: { skipped: true } },
  ]);
  const { findings, streams } = await preflight(film);
  expect(findings.map(({ level, code, shotId }) => [level, code, shotId])).toEqual([['know', 'stale', 's2']]);
  expect(streams.map(({ shotId }) => shotId)).toEqual(['s1', 's2']);
});

test('a take that was sent with a picture that its member has no more is told, and what was made from it', async () => {
  const sent = { memberId: 'i', name: 'Ines', kind: 'person' as const, slot: 1, sheet: 1, assetId: 'old' };
  const film = await filmOf([{ clip, cast: [sent] }, { clip, from: 'j1', shot: { source: 'first' } }, { clip }]);
  const stale = async () =>
    (await preflight(film)).findings.map(({ code, shotId, message }) => [code, shotId, message.split(': ')[1]]);
  const withSheet = async (assetId: string) => {
    const board = await film.ask('storyboard.get', { projectId: FILM });
    const ines = { id: 'i', name: 'Ines', kind: 'person' as const, words: '', sheets: [{ assetId }] };
    await film.ask('storyboard.save', { ...board, cast: [ines] });
  };
  await withSheet('old');
  expect(await stale()).toEqual([]);
  await withSheet('new');
  const why = 'it was made from an old picture of Ines.';
  expect(await stale()).toEqual([
    ['stale', 's1', why],
    ['stale', 's2', why],
  ]);
});

test('a hole is refused in every format, and nothing is started', async () => {
  const film = await filmOf([{ clip }, {}]);
  for (const format of ['mp4', 'csv', 'fcpxml', 'otio', 'edl'] as const)
    expect(await film.call('film.export', { projectId: FILM, format }), format).toMatchObject({
      ...{ ok: false, error: { code: 'has_holes', data: { holes: [{ shotId: 's2' }] } } },
    });
  expect((await film.ask('exports.list')).exports).toEqual([]);
});

test('where stills are decided shot by shot, another hole is refused', async () => {
  const film = await filmOf([{ clip }, {}, {}]);
  const ask = (held: string[]) => film.call('film.export', { projectId: FILM, format: 'csv', holes: 'still', held });
  expect(await ask(['s2'])).toMatchObject({
    ok: false,
    error: { code: 'has_holes', data: { holes: [{ shotId: 's3' }] } },
  });
  expect(await ask(['s2', 's3'])).toMatchObject({ ok: true });
});

test('a shot list comes with its media folder, whole and listed as it is on the disk', async () => {
  const money = { charged: 3_200_000_001, low: 400_000_000, doubt: 5 };
  const film = await filmOf([{ clip, prompt: '=1+1, "quoted"', verdict: 'keep', money }, { clip: other }]);
  const done = await exported(film, {});
  expect(done).toMatchObject({ state: 'done', progress: 100, kind: 'csv', name: 'Last Ferry' });
  expect(done.files.map(({ name }) => name)).toEqual([
    'media/Last-Ferry_SH010_T01.mp4',
    'media/Last-Ferry_SH020_T01.mp4',
    'Last-Ferry.csv',
  ]);
  for (const { name, bytes, sha256 } of done.files) {
    const content = fs.readFileSync(path.join(done.folder, name));
    expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256]);
  }
  expect(fs.readFileSync(path.join(done.folder, 'Last-Ferry.csv'), 'utf8').split('\r\n')).toEqual([
    '\ufeffnumber,title,prompt,source,model,seconds,resolution,aspect,audio,seed,take,verdict,file,cost_usd,cost_low_usd,in_doubt_usd',
    `1,"","'=1+1, ""quoted""",text,"film-1",4,,,,1,1,keep,"media/Last-Ferry_SH010_T01.mp4",3.200000001,0.400000000,0.000000005`,
    '2,"","Shot 2",text,"film-1",4,,,,2,1,,"media/Last-Ferry_SH020_T01.mp4",0.000000000,0.000000000,0.000000000',
    '',
  ]);
  expect(fs.readdirSync(done.folder, { recursive: true }).filter((name) => String(name).endsWith('.part'))).toEqual([]);
});

test('what is left out is told; a still is held for the planned length', async () => {
  const film = await filmOf([{ clip }, { shot: { config: { durationSeconds: 6 } } }]);
  const skipped = await exported(film, { holes: 'skip' });
  expect(skipped).toMatchObject({ state: 'done', why: 'Left out, without a clip: shot 2.' });
  const held = await exported(film, { holes: 'still' });
  const lines = fs.readFileSync(path.join(held.folder, 'Last-Ferry.csv'), 'utf8').split('\r\n');
  expect(lines[2]).toMatch(/^2,"","Shot 2",text,"film-1",6,/);
});

test('documents go beside the one that was asked for, with one media folder for all of them', async () => {
  const film = await filmOf([{ clip }, { clip: other }]);
  const done = await exported(film, { format: 'fcpxml', beside: ['csv', 'otio', 'fcpxml'], name: 'Cut' });
  expect(done.files.map(({ name }) => name)).toEqual([
    'media/Last-Ferry_SH010_T01.mp4',
    'media/Last-Ferry_SH020_T01.mp4',
    'Cut.fcpxml',
    'Cut.csv',
    'Cut.otio',
  ]);
  expect((await film.ask('exports.list')).exports).toHaveLength(1);
});

test('the words leave beside the film at its own times, in the files that the board asks for', async () => {
  const words = (startMs: number, endMs: number, text: string) => ({
    subtitles: [{ id: '1', startMs, endMs, text }],
  });
  const shots = [
    { clip, shot: words(500, 1_500, 'The last boat') },
    { clip, shot: { ...words(0, 1_000, 'Not shown'), skipped: true } },
    { clip: other, shot: words(1_000, 9_000, 'Leaves & <ten>') },
  ];
  const film = await filmOf(shots);
  const done = await exported(film, {});
  const text = (name: string) => fs.readFileSync(path.join(done.folder, name), 'utf8');
  expect(text('Last-Ferry.srt').split('\r\n').slice(0, 7)).toEqual([
    '1',
    '00:00:00,500 --> 00:00:01,500',
    'The last boat',
    '',
    '2',
    '00:00:05,000 --> 00:00:06,000',
    'Leaves & <\u2060ten>',
  ]);
  expect(text('Last-Ferry.vtt')).toContain('00:00:05.000 --> 00:00:06.000\nLeaves &amp; &lt;ten&gt;\n');
  const board = await film.ask('storyboard.get', { projectId: FILM });
  await film.ask('storyboard.save', { ...board, words: { files: ['vtt'] } });
  const names = (await exported(film, { name: 'Again' })).files.map(({ name }) => name);
  expect(names.filter((name) => !name.startsWith('media/'))).toEqual(['Again.csv', 'Again.vtt']);
});

test.each<[why: string, shots: ShotOf[], kept: string | undefined]>([
  ['the picture that it begins with', [{}, { shot: { source: 'first', image: { assetId: 'pic' } } }], 'pic'],
  ['a picture of another source is not its first frame', [{ shot: { image: { assetId: 'pic' } } }], undefined],
  [
    'the planned end of the shot before',
    [{ shot: { source: 'firstLast', lastFrame: { assetId: 'pic' } } }, { shot: {} }],
    'pic',
  ],
  [
    'the end of a shot that is skipped counts for nothing',
    [{ shot: { source: 'firstLast', lastFrame: { assetId: 'pic' }, skipped: true } }, { shot: {} }],
    undefined,
  ],
  ['nothing is known', [{ shot: {} }], undefined],
])('what stands in for a clip in the export is what plays for it: %s', async (_, shots, kept) => {
  const film = await filmOf([...shots, { clip }]);
  const picture = testPng(160, 90, 3);
  const uploaded = await film.studio.media.upload({ name: 'end.png', body: Readable.from([picture]) });
  const id = uploaded.ok ? uploaded.data.id : '';
  const board = await film.ask('storyboard.get', { projectId: FILM });
  const text = JSON.stringify(board.shots).replaceAll('"pic"', JSON.stringify(id));
  await film.ask('storyboard.save', { ...board, shots: JSON.parse(text) });
  const done = await exported(film, { holes: 'still' });
  const stills = done.files.filter(({ mime }) => mime === 'image/png');
  expect(stills).toHaveLength(kept === undefined ? 0 : 1);
});

test('an export measures what it levels first, and what cannot be measured is told', async () => {
  const film = await filmOf([{ clip }, { clip: other }]);
  const started = await film.ask('film.export', { projectId: FILM, format: 'fcpxml' });
  const ended = exportEnded(film, started);
  expect((await film.ask('exports.get', { id: started.id })).state).toBe('running');
  await measure(film);
  const done = await ended;
  expect([done.state, done.why, amountsIn(done)]).toEqual(['done', undefined, ['-5']]);
  const { streams } = await preflight(film);
  expect(streams.map(({ lufs }) => lufs)).toEqual([-18, undefined]);

  const long = await filmOf([{ clip }, { clip: other }]);
  await preflight(long);
  await measure(long, 'Only files of up to 10 minutes are measured.');
  const why = 'Shot 1 is not levelled. Only files of up to 10 minutes are measured.';
  const told = await preflight(long);
  expect(told.findings.filter(({ code }) => code === 'loudness')).toEqual([
    { level: 'know', code: 'loudness', shotId: 's1', message: why },
  ]);
  expect(told.streams[0]).toMatchObject({ soundFault: 'Only files of up to 10 minutes are measured.' });
  expect(await exported(long, { format: 'fcpxml' })).toMatchObject({ state: 'done', why });
});

test('an export that nobody measures for goes on after a while, tells it, and can be canceled before', async () => {
  const clock = new TestClock();
  const film = await filmOf([{ clip }], undefined, { clock });
  const canceled = await film.ask('film.export', { projectId: FILM, format: 'edl' });
  await film.ask('exports.cancel', { id: canceled.id });
  expect((await film.ask('exports.get', { id: canceled.id })).state).toBe('canceled');
  const ended = exportEnded(film, await film.ask('film.export', { projectId: FILM, format: 'edl' }));
  await film.ask('exports.list');
  await clock.advance(2 * MEDIA_TASK_LIMIT_MS);
  expect(await ended).toMatchObject({
    state: 'done',
    why: 'Shot 1 is not levelled. The sound is not measured.',
  });
});

test('the own levels of shots go into the timelines, with what levels them', async () => {
  const film = await filmOf([
    { clip, shot: { ownSound: { level: -6.5 } } },
    { clip, shot: { ownSound: { isOff: true } } },
  ]);
  expect(amountsIn(await exported(film, { format: 'fcpxml' }))).toEqual(['-11.5', '-96']);
});

test('the size of the film is that of its shots, unless another is chosen', async () => {
  const options = { projectId: FILM, name: 'Film', holes: 'still' as const, gainOf: () => 0, stillOf: () => undefined };
  const shots = [
    { shot: { id: 's1', title: 'Quay', config: { aspectRatio: '16:9', resolution: '720p' } }, number: 1, takes: [] },
  ] as never;
  const size = (format?: object) => {
    const { width, height } = planOf(shots, { ...options, format }).plan;
    return [width, height];
  };
  expect([size(), size({ aspectRatio: '9:16' }), size({ resolution: '1080p' })]).toEqual([
    [1280, 720],
    [720, 1280],
    [1920, 1080],
  ]);
});
