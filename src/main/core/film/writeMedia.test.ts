import fs from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { exportEnded, FILM, framesOf, makeFilmFolder } from '../../../../test/helpers/filmStudio.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { contentPath } from '../library/index.ts';
import { databaseFile } from '../store/index.ts';

const openStudio = studiosOfThisFile();

/** A film of an MP4 and a WebM. */
async function mixedFilm() {
  const dataDir = makeFilmFolder([
    { clip: await framesOf({ frames: 24, rate: { num: 24, den: 1 } }) },
    { clip: await framesOf({ frames: 48, rate: { num: 24, den: 1 } }) },
  ]);
  const db = new Database(databaseFile(dataDir));
  const changed = db.prepare("UPDATE assets SET mime = 'video/webm' WHERE id = 'a2' RETURNING sha256");
  const sha256 = changed.pluck().get() as string;
  db.close();
  fs.renameSync(contentPath(dataDir, sha256, 'mp4'), contentPath(dataDir, sha256, 'webm'));
  return openStudio({ dataDir });
}

test('an export says how many copies cannot say how they were made', async () => {
  const film = await mixedFilm();
  const why = async (more: { provenance?: boolean; media?: 'links' } = {}) =>
    (await exportEnded(film, await film.ask('film.export', { projectId: FILM, format: 'csv', ...more }))).why;
  expect(await why()).toContain('The media folder has 1 copy without a note of how it was made');
  expect([await why({ provenance: false }), await why({ media: 'links' })]).toEqual([undefined, undefined]);
});
