import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { SHOT_SOURCES } from '../../../shared/board/board.ts';
import { SHOT_COLUMNS, type ShotListReading, TAKE_COLUMNS } from '../../../shared/board/shotList.ts';
import type { Result } from '../../../shared/contract/result.ts';
import { csvCell } from '../../../shared/tables/csv.ts';
import { readShotList } from './readShotList.ts';

/** A shot list is read with the errors of each row, and only adding changes the board. */

const openStudio = studiosOfThisFile();

async function open() {
  const { ask, studio } = await openStudio();
  const { id: projectId } = await ask('projects.create', { name: 'Film' });
  const read = (text: string, format: 'csv' | 'lines' = 'csv') => ask('film.readShots', { projectId, text, format });
  const tried = (name: string, input: object) => studio.call(name, input) as Promise<Result<unknown>>;
  const get = () => ask('storyboard.get', { projectId });
  return { ask, tried, projectId, read, get };
}

const LIMITS = { models: ['video-standard', 'video-pro'], room: 500 };
const reading = (text: string, limits = LIMITS, format: 'csv' | 'lines' = 'csv'): ShotListReading => {
  const read = readShotList(text, format, limits);
  if (!read.ok) throw new Error(read.error.message);
  return read.data;
};
const errorsOf = (text: string, limits = LIMITS) =>
  reading(text, limits).rows.flatMap(({ line, errors }) => errors.map(({ field }) => `${line} ${field}`));

const HEADER = [...SHOT_COLUMNS, ...TAKE_COLUMNS].join(',');

describe('a list that is read', () => {
  test('has a shot or errors on each line, and changes nothing', async () => {
    const { read, get } = await open();
    const list = await read(
      '\ufefftitle,prompt,seconds,model\r\nSea,"Waves,\r\nwide",6,video-pro\r\nLand,Fields,5,video-ultra\r\n',
    );
    expect(list).toEqual({
      rows: [
        {
          line: 2,
          shot: {
            title: 'Sea',
            prompt: 'Waves,\r\nwide',
            model: 'video-pro',
            source: 'text',
            config: { resolution: '720p', durationSeconds: 6, aspectRatio: '16:9', generateAudio: true },
            referenceImages: [],
          },
          errors: [],
        },
        {
          line: 4,
          errors: [
            { field: 'model', message: 'video-ultra is not in this gateway’s list of video models.' },
            { field: 'seconds', message: 'must be 4, 6, 8, or 7 when extending.' },
          ],
        },
      ],
      good: 1,
      bad: 1,
    });
    expect((await get()).shots).toEqual([]);
  });

  test('of lines has a shot a line, as cheap as a new one', async () => {
    const { read } = await open();
    const { rows, good } = await read('\ufeffWaves, "wide"\r\n\r\n  Fields\rRain\n', 'lines');
    expect(rows.map(({ line, shot }) => [line, shot?.prompt, shot?.config.durationSeconds, shot?.model])).toEqual([
      [1, 'Waves, "wide"', 4, 'video-standard'],
      [3, 'Fields', 4, 'video-standard'],
      [4, 'Rain', 4, 'video-standard'],
    ]);
    expect(good).toBe(3);
  });

  test('names an unknown column as an error of line 1, and one that is there twice', () => {
    const { rows, good, bad } = reading('title,colour,title\nSea,blue,Sea');
    expect(rows[0]?.errors.map(({ field, message }) => `${field}: ${message.slice(0, 15)}`)).toEqual([
      'colour: is no column of',
      'title: is a column twi',
    ]);
    expect([rows[0]?.line, good, bad]).toEqual([1, 1, 1]);
  });

  test('takes no notice of what was made of the shots', () => {
    const text = `${HEADER}\n1,Sea,Waves,text,video-pro,4,1080p,9:16,FALSE,0,3,keep,a.mp4,nonsense,,x`;
    expect(reading(text).rows[0]?.shot?.config).toEqual({
      resolution: '1080p',
      durationSeconds: 4,
      aspectRatio: '9:16',
      generateAudio: false,
      seed: 0,
    });
  });

  test.each([
    ['seconds', '5'],
    ['seconds', '7'],
    ['seconds', '1e1'],
    ['seconds', 'six'],
    ['seconds', '-4'],
    ['resolution', '4k'],
    ['aspect', '1:1'],
    ['audio', 'loud'],
    ['seed', '4294967296'],
    ['seed', '0.5'],
    ['seed', '2.84E+06'],
    ['source', 'film'],
    ['number', 'x'],
    ['title', 'x'.repeat(201)],
    ['prompt', 'x'.repeat(100_001)],
    ['prompt', 'a\0b'],
  ])('says that %s cannot be %j', (column, cell) => {
    const other = column === 'title' ? 'prompt' : 'title';
    expect(errorsOf(`${other},${column}\nSea,${cell}`)).toEqual([`2 ${column}`]);
  });

  test('says what the length of an extension must be, and needs none', () => {
    expect(errorsOf('prompt,source,seconds\nOn,extend,7\nOn,extend,4\nOn,extend,')).toEqual(['3 seconds']);
    for (const text of ['prompt,source\nOn,extend', 'prompt,source,seconds\nOn,extend,7'])
      expect(reading(text).rows[0]?.shot?.config.durationSeconds).toBeUndefined();
  });

  test.each([
    ['too many cells', 'title,prompt\nSea,Waves, wide\nLand,Fields', ['2 ']],
    ['too few cells', 'title,prompt,seconds\nSea,Waves', ['2 ']],
    ['text in a column without a name', 'title,\nSea,\nLand,x', ['3 column 2']],
    ['a quote that is never closed', 'title,prompt\nSea,"Waves\nLand,Fields', ['2 ']],
    ['no column of a list', 'Waves at night\nFields', ['1 waves at night', '1 prompt']],
    ['neither title nor prompt', 'seconds\n4', ['1 prompt']],
    ['nothing', '', []],
    ['a header alone', 'title,prompt\r\n', []],
    ['rows of nothing but separators', 'title,prompt\n,\n , \n', []],
  ])('with %s', (_, text, errors) => {
    expect(errorsOf(text)).toEqual(errors);
  });

  test('is as long as the board has room', () => {
    const { rows, good, bad } = reading('prompt\na\n\nb\nc', { ...LIMITS, room: 2 });
    expect([good, bad, rows.at(-1)?.errors[0]?.message]).toEqual([
      2,
      1,
      'is one too many: a board has at most 500 shots, and this one has room for 2.',
    ]);
  });
});

describe('a hostile list', () => {
  test.each([
    ['10 MB', 'x'.repeat(10_000_000), 'text: must have at most 500,000 characters'],
    ['100,000 lines', 'a\n'.repeat(100_001), 'text: has 100,000 rows; at most 2,000 are read at once.'],
  ])('of %s is refused in one sentence', async (_, text, message) => {
    const { tried, projectId } = await open();
    const answer = await tried('film.readShots', { projectId, text, format: 'csv' });
    expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_input', message, data: { field: 'text' } } });
  });

  test('has no shot, and few errors, whatever its bytes are', () => {
    const bytes = fc.uint8Array({ maxLength: 2_000 }).map((list) => Buffer.from(list).toString('latin1'));
    const quotes = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\0', 'a'), maxLength: 2_000 });
    fc.assert(
      fc.property(fc.oneof(bytes, quotes), (text) => {
        const { rows, good, bad } = reading(text);
        expect(good).toBe(0);
        expect(rows.length).toBe(bad);
        for (const { errors } of rows) expect(errors.length).toBeLessThanOrEqual(50);
      }),
    );
  });

  test('of half a million separators, quotes or names is read in one pass', () => {
    const names = Array.from({ length: 90_000 }, (_, n) => n.toString(36)).join(',');
    for (const text of [','.repeat(499_999), '"'.repeat(499_999), '""a\n'.repeat(1_500), names])
      expect(reading(text).good).toBe(0);
  });
});

const LINKS_MEANT: Record<string, string> = { first: 'continue', firstLast: 'transition', extend: 'extend' };

test('a row that starts from a frame or a clip is joined to the shot before it, in the way that its source means', async () => {
  const { ask, projectId, read, get } = await open();
  const list = 'prompt,source\nSea,first\nSand,first\nSky,firstLast\nBirds,references\nOn,extend\nRoad,text';
  const joints = ({ rows }: Awaited<ReturnType<typeof read>>) => rows.map(({ shot }) => shot?.joint);
  const first = await read(list, 'csv');
  expect(joints(first)).toEqual([undefined, 'continue', 'transition', undefined, 'extend', undefined]);
  await ask('film.addShots', { projectId, shots: first.rows.flatMap(({ shot }) => shot ?? []) });
  expect(joints(await read('prompt,source\nMore,first', 'csv'))).toEqual(['continue']);
  expect((await get()).shots[1]).toMatchObject({ source: 'first', joint: 'continue' });
});

test('what is written as a list is read back as it was', () => {
  const words = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }).filter((text) => !text.includes('\0')),
    fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', "'", '=', ' ', 'a'), maxLength: 20 }),
  );
  const shot = fc.record({
    title: words,
    prompt: words,
    source: fc.constantFrom(...SHOT_SOURCES),
    model: fc.constantFrom(...LIMITS.models),
    seconds: fc.constantFrom(4, 6, 8),
    resolution: fc.constantFrom('720p', '1080p', undefined),
    aspect: fc.constantFrom('16:9', '9:16', undefined),
    audio: fc.constantFrom(true, false, undefined),
    seed: fc.option(fc.integer({ min: 0, max: 4_294_967_295 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(shot, { maxLength: 5 }), (shots) => {
      const rows = shots.map((one, index) => {
        const seconds = one.source === 'extend' ? 7 : one.seconds;
        const cells = { ...one, number: index + 1, seconds };
        return [...SHOT_COLUMNS.map((column) => String(cells[column] ?? '')), ...TAKE_COLUMNS.map(() => '')];
      });
      const text = `\ufeff${[[HEADER], ...rows.map((row) => row.map(csvCell))].map((row) => row.join(',')).join('\r\n')}`;
      expect(
        reading(text).rows.map(({ shot: read, errors }) => ({ ...read?.config, ...read, config: undefined, errors })),
      ).toEqual(
        shots.map(({ seconds, aspect, audio, ...one }, index) => ({
          ...one,
          ...(index > 0 && LINKS_MEANT[one.source] ? { joint: LINKS_MEANT[one.source] } : {}),
          ...(one.source === 'extend' ? {} : { durationSeconds: seconds }),
          aspectRatio: aspect,
          generateAudio: audio,
          referenceImages: [],
          errors: [],
        })),
      );
    }),
  );
});

describe('shots of a list', () => {
  test('are added at the end or before another one, as one step', async () => {
    const { ask, projectId, read, get } = await open();
    const first = await read('Sea\nLand', 'lines');
    const shots = first.rows.flatMap(({ shot }) => shot ?? []);
    const { board, ids } = await ask('film.addShots', { projectId, shots });
    expect(board.shots.map(({ id, prompt }) => [id, prompt])).toEqual([
      [ids[0], 'Sea'],
      [ids[1], 'Land'],
    ]);
    const again = await ask('film.addShots', { projectId, shots, before: ids[1] ?? '' });
    expect(again.board.shots.map(({ prompt }) => prompt)).toEqual(['Sea', 'Sea', 'Land', 'Land']);
    expect((await ask('board.steps', { projectId })).undo).toBe('Add 2 shots');
    await ask('board.undo', { projectId });
    expect((await get()).shots).toEqual(board.shots);
  });

  test('take the place of a blank shot and of no other, as one step', async () => {
    const { ask, tried, projectId, get } = await open();
    const blank = { id: 'blank', source: 'text' as const };
    const { board } = await ask('film.addShots', { projectId, shots: [blank] });
    const spoken = { id: 'spoken', subtitles: [{ id: 's', startMs: 0, endMs: 900, text: 'Land' }] };
    await ask('film.addShots', { projectId, shots: [spoken] });
    expect(await tried('film.addShots', { projectId, shots: [{}], replaces: 'spoken' })).toMatchObject({ ok: false });
    await ask('board.undo', { projectId });
    const shots = [
      { id: 'sea', prompt: 'Sea', joint: 'continue' as const },
      { id: 'land', prompt: 'Land' },
    ];
    await ask('film.addShots', { projectId, shots, replaces: 'blank' });
    const added = await get();
    expect(added.shots.map(({ id, joint }) => [id, joint])).toEqual([
      ['sea', undefined],
      ['land', undefined],
    ]);
    // Of the blank one there is nothing to bring back.
    expect((await ask('board.bin', { projectId })).shots.map(({ shot }) => shot.id)).toEqual(['spoken']);
    for (const [replaces, code] of [
      ['blank', 'not_found'],
      ['land', 'wrong_state'],
    ])
      expect(await tried('film.addShots', { projectId, shots: [{ prompt: 'Rain' }], replaces })).toMatchObject({
        error: { code, data: { field: 'replaces' } },
      });
    await ask('board.undo', { projectId });
    expect((await get()).shots).toEqual(board.shots);
  });

  test('keep an id that is free, and none is put over another shot', async () => {
    const { ask, tried, projectId, get } = await open();
    await ask('film.addShots', { projectId, shots: [{ id: 'mine', prompt: 'Sea' }] });
    for (const shots of [[{ id: 'mine' }], [{ id: 'new' }, { id: 'new' }]])
      expect(await tried('film.addShots', { projectId, shots })).toMatchObject({
        error: {
          code: 'invalid_input',
          message: expect.stringContaining('is the id of another shot'),
          // The page knows by it that the shots of a lost answer are there.
          data: { field: `shots.${shots.length - 1}.id` },
        },
      });
    expect((await get()).shots.map(({ id }) => id)).toEqual(['mine']);
  });

  test.each([
    ['to a project that is not there', { projectId: 'none' }, 'not_found', 'There is no such project.'],
    ['before a shot that is not there', { before: 'none' }, 'not_found', 'before: there is no such shot.'],
    ['with takes', { shots: [{ prompt: 'Sea', takes: ['job'] }] }, 'invalid_input', 'shots.0.takes'],
    ['of which there are none', { shots: [] }, 'invalid_input', 'shots: needs at least one entry'],
    [
      'beyond what a board holds',
      { shots: Array(501).fill({}) },
      'invalid_input',
      'shots: must have at most 500 entries',
    ],
  ])('cannot be added %s', async (_, input, code, message) => {
    const { tried, projectId, get } = await open();
    const answer = await tried('film.addShots', { projectId, shots: [{ prompt: 'Sea' }], ...input });
    expect(answer).toMatchObject({ ok: false, error: { code, message: expect.stringContaining(message) } });
    expect((await get()).shots).toEqual([]);
  });

  test('fill the board, and not one more', async () => {
    const { ask, tried, projectId, read } = await open();
    await ask('film.addShots', { projectId, shots: Array(499).fill({ prompt: 'Sea' }) });
    expect(await read('prompt\none\ntwo')).toMatchObject({ good: 1, bad: 1 });
    const two = await tried('film.addShots', { projectId, shots: [{}, {}] });
    expect(two).toMatchObject({ error: { message: 'shots: a board has at most 500 shots; remove one first.' } });
  });
});
