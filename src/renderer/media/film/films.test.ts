import { expect, test } from 'vitest';
import type { FilmTask } from '../../../shared/film/filmTask.ts';
import { Hung } from '../loop.ts';
import { type DoFilm, type FilmStudio, filmLoop } from './films.ts';

const UNMIXED = { mix: { sources: [], headroom: 1, isAsked: false }, words: [] };
const task = (id: string): FilmTask => ({
  id,
  mode: 'auto',
  plan: { projectId: 'p', name: 'Film', fps: { num: 24, den: 1 }, width: 16, height: 16, segments: [], ...UNMIXED },
});
const report = { mode: 'join' as const, why: [] };

function studioWith(tasks: FilmTask[]) {
  const calls: string[] = [];
  const studio: FilmStudio = {
    claim: async () => tasks.shift() ?? null,
    bytes: async () => new Blob(),
    write: async (id, at) => void calls.push(`${id} wrote at ${at}`),
    beat: async (id, progress) => {
      if (id === 'canceled') throw new Error('this film is not made here any more.');
      calls.push(`${id} ${progress}`);
    },
    finish: async (id, outcome) =>
      void calls.push(`${id} ${'report' in outcome ? outcome.report.mode : outcome.error}`),
  };
  return { studio, calls };
}

const { signal } = new AbortController();

test('a film is written, told of and reported; one that fails ends with its sentence, and the next is made', async () => {
  const { studio, calls } = studioWith([task('1'), task('2'), task('3')]);
  const doFilm: DoFilm = async ({ id }, desk) => {
    if (id === '2') throw new Error('Shot 1 cannot be read.');
    await desk.write(8, new Uint8Array(1));
    await desk.progress(120);
    return report;
  };
  await filmLoop(studio, doFilm, signal).wake();
  expect(calls).toEqual([
    '1 wrote at 8',
    '1 100',
    '1 join',
    '2 Shot 1 cannot be read.',
    '3 wrote at 8',
    '3 100',
    '3 join',
  ]);
});

test('a film that is not wanted any more ends at the next beat', async () => {
  const { studio, calls } = studioWith([task('canceled')]);
  let wentOn = false;
  const doFilm: DoFilm = async (_, desk) => {
    await desk.progress(1);
    wentOn = true;
    return report;
  };
  await filmLoop(studio, doFilm, signal).wake();
  expect(wentOn).toBe(false);
  expect(calls).toEqual(['canceled this film is not made here any more.']);
});

test('whoever answers no more leaves the film to another page', async () => {
  const { studio, calls } = studioWith([task('1'), task('2')]);
  await filmLoop(studio, () => Promise.reject(new Hung()), signal).wake();
  expect(calls).toEqual([]);
});
