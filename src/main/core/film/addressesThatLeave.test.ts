import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { exportEnded, FILM, framesOf, makeFilmFolder } from '../../../../test/helpers/filmStudio.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { type Export, TIMELINE_FORMATS } from '../../../shared/film/filmExport.ts';

const openStudio = studiosOfThisFile();
const SECRET = 'S3CR3T';
const SIGNED = `https://user:${SECRET}@bucket.example/frames/quay.png?X-Amz-Signature=${SECRET}#${SECRET}`;

let clip: Buffer;
beforeAll(async () => {
  clip = await framesOf({ frames: 24, rate: { num: 24, den: 1 } });
});

/** Two shots that have it everywhere: one with a clip, one that is left out. */
const openFilm = () =>
  openStudio({
    dataDir: makeFilmFolder(
      [
        { clip, uri: SIGNED, prompt: `${SIGNED} A quay at dawn` },
        { prompt: `A ferry as in ${SIGNED}`, shot: { title: '' } },
      ],
      `Film of ${SIGNED}`,
    ),
  });

const written = ({ folder, files }: Export): string =>
  files.map(({ name }) => `${name}\n${fs.readFileSync(path.join(folder, name), 'latin1')}`).join('\n');

test('no timeline, list, name or media of a film holds what makes an address open', async () => {
  const film = await openFilm();
  for (const holes of ['still', 'skip'] as const) {
    const started = await film.ask('film.export', {
      projectId: FILM,
      format: 'csv',
      beside: [...TIMELINE_FORMATS],
      names: '{project}_{title}_{030}',
      holes,
    });
    const done = await exportEnded(film, started);
    expect(done).toMatchObject({ state: 'done' });
    expect(written(done)).toContain('https://bucket.example/frames/quay.png');
    expect(written(done)).not.toContain(SECRET);
  }
});

test('neither does a file of the library, nor its sidecar', async () => {
  const film = await openFilm();
  const done = await exportEnded(film, await film.ask('library.export', { ids: ['a1'] }));
  const sidecar = JSON.parse(fs.readFileSync(path.join(done.folder, 'a1.mp4.json'), 'utf8'));
  expect(sidecar).toMatchObject({
    job: { request: { image: { uri: 'https://bucket.example/frames/quay.png' } } },
    ancestry: [{ field: 'image', uri: 'https://bucket.example/frames/quay.png' }],
  });
  expect(written(done)).not.toContain(SECRET);
  // What is on this machine still opens.
  const job = await film.ask('jobs.get', { id: 'j1' });
  expect(JSON.stringify(job.request)).toContain(SIGNED);
});
