import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { silentLog, tempDir } from '../../../../test/helpers/testPorts.ts';
import type { FilmSegment, MoviePlan } from '../../../shared/film/filmExport.ts';
import { FILM_PIECE_BYTES } from '../../../shared/film/filmTask.ts';
import { MEDIA_TASK_LIMIT_MS } from '../../../shared/library/asset.ts';
import type { ClipFacts } from '../library/index.ts';
import { MovieTasks } from './movieTasks.ts';

const segment: FilmSegment = {
  ...{ shotId: 's', number: 1, title: '', kind: 'clip', assetId: 'a' },
  ...{ frames: 48, seconds: 2, hasAudio: true, gainDb: 0 },
};
const heard = { from: 'shot' as const, assetId: 'a', start: 0, end: 4, fileStart: 0, keys: [{ at: 0, gain: 1 }] };
const plan: MoviePlan = {
  ...{ projectId: 'p', name: 'Film', fps: { num: 24, den: 1 }, width: 320, height: 180 },
  segments: [segment, { ...segment, number: 2 }],
  mix: { sources: [heard], headroom: 1, isAsked: false },
  words: [],
};
const sound: ClipFacts = {
  video: { codec: 'avc1', width: 320, height: 180, rate: { num: 24, den: 1 }, constantRate: true, frames: 96 },
  audio: { codec: 'mp4a', sampleRate: 48_000, channels: 2 },
  seconds: 4,
  c2pa: false,
};

let cancel: AbortController;
afterEach(() => cancel.abort());

function setUp(found: ClipFacts | null = sound) {
  const folder = tempDir('movie');
  let now = 0;
  let timers: { at: number; run(): void }[] = [];
  let ids = 0;
  const events: string[] = [];
  const progress: number[] = [];
  cancel = new AbortController();
  const tasks = new MovieTasks({
    clock: {
      now: () => now,
      after: (ms, run) => {
        timers.push({ at: now + ms, run });
        return () => {};
      },
    },
    ids: { id: (prefix) => prefix, secret: () => `claim${++ids}` },
    log: silentLog,
    emit: ({ type }) => events.push(type),
    bytesOf: () => 1_000,
    readBack: async () => found,
  });
  const partPath = path.join(folder, 'Film.mp4.part');
  const make = (file: string) =>
    tasks.make(plan, {
      mode: 'auto',
      partPath: file,
      onProgress: (share) => progress.push(share),
      signal: cancel.signal,
    });
  const made = make(partPath);
  const second = () => make(path.join(folder, 'Second.mp4.part'));
  const pass = (ms: number) => {
    now += ms;
    const due = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    for (const { run } of due) run();
  };
  return { tasks, made, second, cancel, events, progress, partPath, pass };
}

const piece = (text: string | Buffer) => Readable.from([Buffer.from(text)]);
const DONE = { ok: true, data: null };
const refused = (code: string) => ({ ok: false, error: { code } });
const report = { mode: 'join' as const, why: [] };

test('a page claims a film, writes it at positions, tells how far it is, and it is read back', async () => {
  const { tasks, made, progress, partPath, events } = setUp();
  expect(events).toEqual(['media.work']);
  const task = await tasks.claim();
  expect(task).toMatchObject({ id: 'claim1', mode: 'auto', plan: { name: 'Film' } });
  expect(await tasks.claim()).toBeNull();
  expect(await tasks.write('claim1', 4, piece('film'))).toEqual(DONE);
  expect(await tasks.write('claim1', 0, piece('the '))).toEqual(DONE);
  expect(tasks.beat('claim1', 50)).toEqual(DONE);
  expect(tasks.finish('claim1', { mode: 'join', why: ['One.', 'Two.'] }, undefined)).toEqual(DONE);
  expect(await made).toEqual({ ok: true, data: { mode: 'join', why: 'One. Two.' } });
  expect(readFileSync(partPath, 'utf8')).toBe('the film');
  expect(progress).toEqual([0.5]);
});

test.each([
  ['cannot be read', null],
  ['47 frames', { ...sound, video: { ...sound.video, frames: 47 } } as ClipFacts],
  ['of another size', { ...sound, video: { ...sound.video, width: 640 } } as ClipFacts],
  ['too long', { ...sound, seconds: 4.2 }],
  ['without its sound', { ...sound, audio: undefined } as unknown as ClipFacts],
])('a film that is %s is not called made', async (_, found) => {
  const { tasks, made } = setUp(found);
  await tasks.claim();
  tasks.finish('claim1', report, undefined);
  expect(await made).toMatchObject({
    ok: false,
    error: { code: 'internal', message: expect.stringMatching(/^What was made is not the film: it /) },
  });
});

test('writes of no claim, outside the bounds, or too large are refused', async () => {
  const { tasks, partPath } = setUp();
  expect(await tasks.write('claim1', 0, piece('early'))).toMatchObject(refused('not_found'));
  await tasks.claim();
  expect(await tasks.write('guess', 0, piece('x'))).toMatchObject(refused('not_found'));
  for (const at of [-1, 0.5, Number.NaN, 1e12]) {
    expect(await tasks.write('claim1', at, piece('x'))).toMatchObject(refused('invalid_input'));
  }
  const large = Buffer.alloc(FILM_PIECE_BYTES + 1);
  expect(await tasks.write('claim1', 0, piece(large))).toMatchObject(refused('too_large'));
  expect(readFileSync(partPath)).toHaveLength(0);
});

test('writing the same place without end is stopped', async () => {
  const { tasks } = setUp();
  await tasks.claim();
  const full = Buffer.alloc(FILM_PIECE_BYTES);
  let answer = await tasks.write('claim1', 0, piece(full));
  for (let count = 0; answer.ok && count < 1_000; count += 1) answer = await tasks.write('claim1', 0, piece(full));
  expect(answer).toMatchObject(refused('invalid_input'));
});
test('a page that is silent loses the film; the next starts over, and the late one writes nothing', async () => {
  const { tasks, partPath, pass, events } = setUp();
  await tasks.claim();
  await tasks.write('claim1', 0, piece('half of a film'));
  pass(MEDIA_TASK_LIMIT_MS - 1);
  expect(tasks.beat('claim1', 10)).toEqual(DONE);
  pass(MEDIA_TASK_LIMIT_MS);
  expect(await tasks.claim()).toBeNull();
  pass(MEDIA_TASK_LIMIT_MS + 2);
  expect(events).toEqual(['media.work', 'media.work']);
  expect(await tasks.claim()).toMatchObject({ id: 'claim2' });
  expect(readFileSync(partPath, 'utf8')).toBe('');
  expect(await tasks.write('claim1', 0, piece('late'))).toMatchObject({ ok: false });
  expect(tasks.beat('claim1', 90)).toMatchObject({ ok: false });
  expect(tasks.finish('claim1', report, undefined)).toMatchObject({ ok: false });
  expect(readFileSync(partPath, 'utf8')).toBe('');
});

test('a film that nobody claims is announced again, until it is claimed or canceled', async () => {
  const { tasks, made, cancel, pass, events } = setUp();
  pass(MEDIA_TASK_LIMIT_MS + 1);
  pass(MEDIA_TASK_LIMIT_MS + 1);
  expect(events).toHaveLength(3);
  await tasks.claim();
  tasks.beat('claim1', 10);
  pass(MEDIA_TASK_LIMIT_MS + 1);
  tasks.release('claim1', false);
  expect(events).toHaveLength(4);
  cancel.abort();
  await made;
  pass(MEDIA_TASK_LIMIT_MS + 1);
  pass(MEDIA_TASK_LIMIT_MS + 1);
  expect(events).toHaveLength(4);
});

test('a film that no page begins ends with a sentence, and none that pages are there for', async () => {
  const { tasks, made, pass, events } = setUp();
  const wait = (times: number) => {
    for (let count = 0; count < times; count += 1) pass(MEDIA_TASK_LIMIT_MS + 1);
  };
  wait(9);
  expect(await tasks.claim()).not.toBeNull();
  tasks.release('claim1', false);
  wait(9);
  expect(await tasks.claim()).not.toBeNull();
  tasks.release('claim2', false);
  wait(10);
  expect(await made).toMatchObject({
    ok: false,
    error: {
      message: expect.stringMatching(/^No page began to make the film in 10 minutes/),
    },
  });
  const told = events.length;
  wait(2);
  expect([events.length, await tasks.claim()]).toEqual([told, null]);
});

test('a film that waits while a page makes another one waits for as long as that takes', async () => {
  const { tasks, made, pass, second } = setUp();
  await tasks.claim();
  const next = second();
  for (let count = 0; count < 30; count += 1) {
    pass(MEDIA_TASK_LIMIT_MS - 1);
    expect(tasks.beat('claim1', count)).toEqual(DONE);
  }
  tasks.finish('claim1', report, undefined);
  expect(await made).toMatchObject({ ok: true });
  expect(await tasks.claim()).toMatchObject({ id: 'claim2' });
  tasks.finish('claim2', undefined, 'Done.');
  expect(await next).toMatchObject({ error: { message: 'Done.' } });
});

test('a page that goes gives its film back: the next one gets it at once, and no try is lost', async () => {
  const { tasks, events, partPath } = setUp();
  for (let count = 1; count <= 5; count += 1) {
    expect(await tasks.claim()).toMatchObject({ id: `claim${count}` });
    await tasks.write(`claim${count}`, 0, piece('half'));
    tasks.release(`claim${count}`, false);
    expect(await tasks.write(`claim${count}`, 0, piece('late'))).toMatchObject({ ok: false });
  }
  expect(events).toHaveLength(6);
  expect(readFileSync(partPath, 'utf8')).toBe('half');
  tasks.release('claim1', false);
  expect(events).toHaveLength(6);
});

test.each(['die of', 'are silent about'])('a film that three pages %s is given up in one sentence', async (how) => {
  const { tasks, made, pass } = setUp();
  for (let count = 1; count <= 3; count += 1) {
    expect(await tasks.claim()).not.toBeNull();
    if (how === 'die of') tasks.release(`claim${count}`, true);
    else pass(MEDIA_TASK_LIMIT_MS + 1);
  }
  expect(await tasks.claim()).toBeNull();
  expect(await made).toMatchObject({ ok: false, error: { message: 'No page could make the film, in 3 tries.' } });
});

test('a cancelled film is refused to its page at once', async () => {
  const { tasks, made, cancel } = setUp();
  await tasks.claim();
  cancel.abort();
  expect(await made).toMatchObject({ ok: false });
  expect(tasks.beat('claim1', 1)).toMatchObject(refused('not_found'));
  expect(await tasks.write('claim1', 0, piece('x'))).toMatchObject({ ok: false });
  expect(await tasks.claim()).toBeNull();
});

test('what the page says of a film that it cannot make is what the user reads', async () => {
  const { tasks, made } = setUp();
  await tasks.claim();
  tasks.finish('claim1', undefined, 'Shot 2 cannot be read: it has no pictures in it.');
  expect(await made).toMatchObject({
    ok: false,
    error: { message: 'Shot 2 cannot be read: it has no pictures in it.' },
  });
});
