import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { StudioLink } from '../../link/index.ts';
import type { Given } from '../command.ts';
import { EXIT } from '../exitCodes.ts';
import { exportFilm } from './export.ts';

const HOLES = fail('has_holes', 'Shot 2 has no clip.');

/** The command, with a studio that answers the export with this. */
function given(to: string, answer: () => Result<unknown>, ended: object = { state: 'done' }): Given {
  const call = async (name: string) => {
    if (name === 'film.export') return answer();
    if (name === 'exports.get') return ok({ id: 'x', progress: 100, folder: join(to, 'Film'), files: [], ...ended });
    return ok({ projects: [{ id: 'p', name: 'Film' }] });
  };
  const terminal = { isInteractive: false, say: () => undefined, ask: async () => '' };
  const link = async (): Promise<Result<StudioLink>> => ok({ dataDir: '', call: call as never });
  return { args: ['Film'], flags: { format: 'mp4', to }, terminal, link };
}

test('a refused export leaves no folder that it has made', async () => {
  const home = tempDir('export');
  const to = join(home, 'films', 'new');
  expect(await exportFilm.run(given(to, () => HOLES))).toMatchObject({ code: EXIT.refused });
  expect(readdirSync(home)).toEqual([]);
  // Half of the path was created before the disk refused the rest.
  const tooLong = join(home, 'films', 'x'.repeat(300));
  expect(await exportFilm.run(given(tooLong, () => HOLES))).toMatchObject({ code: EXIT.refused });
  expect(readdirSync(home)).toEqual([]);
});

test('a folder that was there stays, and so does one that has got something in it', async () => {
  const home = tempDir('export');
  mkdirSync(join(home, 'films'));
  await exportFilm.run(given(join(home, 'films'), () => HOLES));
  expect(readdirSync(home)).toEqual(['films']);
  const to = join(home, 'films', 'new', 'deeper');
  const filled = () => {
    writeFileSync(join(home, 'films', 'new', 'mine.txt'), 'mine');
    return HOLES;
  };
  expect(await exportFilm.run(given(to, filled))).toMatchObject({ code: EXIT.refused });
  expect(readdirSync(join(home, 'films'), { recursive: true }).sort()).toEqual(['new', join('new', 'mine.txt')]);
});

test.each([
  ['that is made', ok({ id: 'x', progress: 0 }), EXIT.ok],
  ['whose answer is lost', fail('unreachable', 'Dailies did not answer.', { lost: true }), EXIT.unknown],
])('the folder of an export %s stays', async (_, answer, code) => {
  const to = join(tempDir('export'), 'new');
  expect(await exportFilm.run(given(to, () => answer))).toMatchObject({ code });
  expect(existsSync(to)).toBe(true);
});

test.each([
  [undefined, 'The export was canceled.'],
  ['It may still be in it.', 'The export was canceled. It may still be in it.'],
])('a canceled export says that it was, and what stays (%s)', async (error, said) => {
  const to = join(tempDir('export'), 'new');
  const ended = { state: 'canceled', ...(error === undefined ? {} : { error }) };
  const result = await exportFilm.run(given(to, () => ok({ id: 'x', progress: 0 }), ended));
  expect(result.code).toBe(EXIT.failed);
  expect(JSON.stringify(result)).toContain(`"${said}"`);
});
