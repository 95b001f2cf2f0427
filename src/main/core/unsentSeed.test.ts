import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { exported } from '../../../test/helpers/exported.ts';
import { FILM, framesOf, makeFilmFolder } from '../../../test/helpers/filmStudio.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import { databaseFile } from './store/index.ts';

/** A random seed that was not sent, because the gateway takes none, cannot reproduce a take: no export names it as its seed. */

const openStudio = studiosOfThisFile();
const SEED = 70_001;

/** A film of one take, whose seed was sent or not. */
async function filmOf(isSent: boolean) {
  const clip = await framesOf({ frames: 24, rate: { num: 24, den: 1 } });
  const dataDir = makeFilmFolder([{ clip, seed: SEED }]);
  const db = new Database(databaseFile(dataDir));
  if (!isSent) db.exec(`UPDATE jobs SET omitted = '["seed"]'`);
  db.close();
  return openStudio({ dataDir });
}

type Film = Awaited<ReturnType<typeof filmOf>>;

/** The texts of an export, and the names of its files. */
async function leaving(film: Film, format: 'csv' | 'otio' | 'fcpxml'): Promise<string> {
  const done = await exported(
    film,
    await film.ask('film.export', { projectId: FILM, format, names: '{title}_{seed}' }),
  );
  const texts = done.files.filter(({ name }) => !name.endsWith('.mp4'));
  return [
    ...done.files.map(({ name }) => name),
    ...texts.map(({ name }) => fs.readFileSync(path.join(done.folder, name), 'utf8')),
  ].join('\n');
}

async function sidecarOf(film: Film) {
  const done = await exported(film, await film.ask('library.export', { ids: ['a1'] }));
  return JSON.parse(fs.readFileSync(path.join(done.folder, 'a1.mp4.json'), 'utf8'));
}

test.each([
  [true, SEED],
  [false, undefined],
])('sent: %s, and the library, the documents of a film and a sidecar say so', async (isSent, seed) => {
  const film = await filmOf(isSent);
  expect((await film.ask('library.get', { id: 'a1' })).seed).toBe(seed);
  for (const format of ['csv', 'otio', 'fcpxml'] as const)
    expect((await leaving(film, format)).includes(String(SEED))).toBe(isSent);
  const { made, provenance, job } = await sidecarOf(film);
  expect([made.seed, provenance.seed, job.request.config.seed]).toEqual([seed, seed, SEED]);
});

test('a film that is opened elsewhere still knows it', async () => {
  const film = await filmOf(false);
  const done = await exported(film, await film.ask('bundle.export', { projectId: FILM }));
  await film.close();
  const to = await openStudio();
  const { id } = await to.ask('bundle.open', { path: path.join(done.folder, done.files[0]?.name ?? '') });
  const { jobs } = await to.ask('jobs.list', { projectId: id });
  expect(jobs).toMatchObject([
    { request: { config: { seed: SEED } }, omitted: ['seed'], outputs: [{ state: 'local' }] },
  ]);
  expect(jobs[0]?.outputs[0]?.seed).toBeUndefined();
});
