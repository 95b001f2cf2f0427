import { expect, test } from 'vitest';
import { FILM, framesOf, makeFilmFolder } from '../../../../test/helpers/filmStudio.ts';
import { withPieces } from '../../../../test/helpers/hiddenFrames.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';

const openStudio = studiosOfThisFile();

test('clips that were encoded with other settings are not said to have one coding', async () => {
  const clip = await framesOf({ frames: 96, rate: { num: 24, den: 1 }, audio: true });
  const odd = Buffer.from(clip);
  const at = odd.indexOf('avcC');
  const last = at - 4 + odd.readUInt32BE(at - 4) - 1;
  odd.writeUInt8(odd.readUInt8(last) ^ 1, last);
  const film = await openStudio({ dataDir: makeFilmFolder([{ clip }, { clip: odd }]) });
  const { findings, whyNot } = await film.ask('film.preflight', { projectId: FILM });
  const message = 'Shot 2 was encoded with other settings than the first clip.';
  expect(whyNot).toEqual([message]);
  expect(findings).toEqual([{ level: 'know', code: 'coding', shotId: 's2', message }]);
});

test('a clip of several pieces, which are not followed, is told before the film is made', async () => {
  const film = await openStudio({ dataDir: makeFilmFolder([{ clip: await withPieces() }]) });
  const { findings, whyNot } = await film.ask('film.preflight', { projectId: FILM });
  expect(whyNot).toEqual(['Shot 1 is cut into pieces by its edit list.']);
  expect(findings).toContainEqual({
    level: 'know',
    code: 'coding',
    shotId: 's1',
    message: 'Shot 1 plays only parts of its file. The film plays it uncut from the first part.',
  });
});
