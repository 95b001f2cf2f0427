import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Asset } from '../../src/shared/asset.ts';
import type { Result } from '../../src/shared/result.ts';
import { arrived } from '../helpers/browser.ts';
import { testPng } from '../helpers/png.ts';
import { labels, whole } from '../labels.ts';
import { axeFaults } from './axe.ts';
import { Program } from './program.ts';

/** The bin is emptied by keyboard alone: what nothing uses is gone from the disk, what a board shows is still there. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
});
afterAll(async () => {
  await program?.stop();
});

async function put(side: number): Promise<Asset> {
  const { host } = program;
  const response = await host.request(`/media?name=plate%20${side}.png`, { method: 'PUT', body: testPng(side, 16) });
  const answer = (await response.json()) as Result<Asset>;
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.data;
}

const isHere = ({ sha256 }: Asset) =>
  existsSync(path.join(program.host.dataDir, 'library', sha256.slice(0, 2), `${sha256}.png`));

test('what is in the bin is deleted for ever after a look at what goes, and what a board shows stays', async () => {
  const { host, page } = program;
  const [first, second, used] = [await put(40), await put(41), await put(42)];
  const { id: projectId } = await host.ask('projects.create', { name: 'Film' });
  const shot = { id: 'a', prompt: 'Sea', model: 'video-standard', image: { assetId: used.id } };
  await host.ask('storyboard.save', { projectId, revision: 0, shots: [shot] });
  await host.ask('library.bin', { ids: [first, second, used].map(({ id }) => id) });
  await host.ask('settings.set', { welcomed: true });
  await page.reload();
  await page.getByRole('navigation', { name: labels.pages }).waitFor();

  await page.keyboard.press('Alt+5');
  await program.tabTo(/^Bin, /);
  await page.keyboard.press('Enter');
  await program.tabTo(whole(labels.emptyTheBin));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: labels.emptyTheBinText });
  await dialog.getByText('2 items go for ever').waitFor();
  await dialog.getByText('1 stays in the bin: stands on a board or can come back to it.').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  expect([first, second, used].map(isHere)).toEqual([true, true, true]);
  await program.tabTo(whole(labels.deleteForEverN(2)));
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('2 items deleted for ever').first().waitFor();
  expect([first, second, used].map(isHere)).toEqual([false, false, true]);
  await page.getByText('1 in it').waitFor();

  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+z');
  // What the next page asks comes after what a press that was heard would have asked.
  await page.keyboard.press('Alt+4');
  await arrived(page, 'queue');
  expect((await host.ask('library.list', { binned: true })).total).toBe(1);
  expect(await host.ask('library.get', { id: first.id })).toMatchObject({ deleted: true, state: 'expired' });
  expect(program.complaints).toEqual([]);
});
