import fs from 'node:fs';
import { expect, test } from 'vitest';
import { exportEnded, FILM, framesOf, makeFilmFolder, type ShotOf } from '../../../../test/helpers/filmStudio.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';

/** What the export cannot decode is reported before it runs, with a way out. */

const openStudio = studiosOfThisFile();
const fixture = (name: string) => new URL(`../../../../test/fixtures/codecs/${name}`, import.meta.url);
const bytesOf = (name: string): Buffer => fs.readFileSync(fixture(name));
const filmOf = (shots: readonly ShotOf[]) => openStudio({ dataDir: makeFilmFolder(shots) });

test.each([
  ['v-mpeg4.mp4', 'MPEG-4 Part 2'],
  ['hevc.mp4', 'H.265 (HEVC)'],
  ['prores.mov', 'ProRes'],
])('%s stops a film, and is named', async (file, name) => {
  const clip = await framesOf({ frames: 48, rate: { num: 24, den: 1 } });
  const film = await filmOf([{ clip }, { clip: bytesOf(file) }]);
  const { findings, canJoin, whyNot } = await film.ask('film.preflight', { projectId: FILM });
  const message = `The take of shot 2 is ${name}. Convert it to H.264, or choose another take.`;
  expect(findings.filter(({ level }) => level === 'stop')).toEqual([
    { level: 'stop', code: 'unavailable', shotId: 's2', message },
  ]);
  expect(canJoin).toBe(false);
  expect(whyNot).toContain(message);
  expect(await film.call('film.export', { projectId: FILM, format: 'mp4' })).toMatchObject({
    ok: false,
    error: { code: 'has_holes', message: expect.stringContaining(message) },
  });
  // Editing programs have decoders of their own.
  const done = await exportEnded(film, await film.ask('film.export', { projectId: FILM, format: 'csv' }));
  expect(done.state).toBe('done');
  expect(done.files.filter(({ mime }) => mime.startsWith('video/'))).toHaveLength(2);
});

test('a track in a coding that cannot be decoded stops a film, and is named', async () => {
  const film = await filmOf([{ clip: await framesOf({ frames: 48, rate: { num: 24, den: 1 } }) }]);
  const { id: assetId } = await film.ask('library.import', { path: decodeURI(fixture('alac.m4a').pathname) });
  const board = await film.ask('storyboard.get', { projectId: FILM });
  const track = { assetId, in: 0, fadeIn: 0, fadeOut: 0, level: 0 };
  await film.ask('storyboard.save', { ...board, sound: { track } });
  const { findings } = await film.ask('film.preflight', { projectId: FILM });
  const message = 'Dailies cannot decode the track alac.m4a (ALAC): convert it to AAC or WAV.';
  expect(findings).toContainEqual({ level: 'stop', code: 'unavailable', shotId: 's1', message, isOfTrack: true });
  expect(await film.call('film.export', { projectId: FILM, format: 'mp4' })).toMatchObject({
    ok: false,
    error: { code: 'has_holes' },
  });
});
