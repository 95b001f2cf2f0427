import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPng } from '../helpers/png.ts';
import { labels } from '../labels.ts';
import { Program } from './program.ts';

/** An imported picture can be used wherever a generated one can; otherwise the reason is shown. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
  const { id: projectId } = await program.host.ask('projects.create', { name: 'Harbour' });
  await program.host.ask('settings.set', { welcomed: true, projectId });
  await program.page.reload();
});
afterAll(async () => {
  await program?.stop();
});

test('it is opened on the Images page and is in the strip', async () => {
  const { page } = program;
  await program.goTo(labels.images);
  const picture = { name: 'ferry.png', mimeType: 'image/png', buffer: testPng(640, 360) };
  await page.getByLabel(labels.pictureToOpen).setInputFiles(picture);
  await page.getByRole('option', { name: labels.pictureOf2('ferry') }).waitFor();
  await page.getByRole('img', { name: /ferry/ }).waitFor();
  await page.getByText('640 × 360').first().waitFor();
});

test('an edit of it is off, with the reason', async () => {
  const { page } = program;
  await page.getByRole('button', { name: labels.paintAMaskAndEdit }).click();
  await page
    .locator('.why', { hasText: /gateway|service/ })
    .first()
    .waitFor();
  expect(await page.getByRole('button', { name: labels.sendEdit }).getAttribute('aria-disabled')).toBe('true');
});

test('it becomes the first frame of a shot', async () => {
  const { page, host } = program;
  await page.getByRole('tab', { name: labels.imagine }).click();
  await page.getByRole('button', { name: labels.useAsFrame }).first().click();
  await page
    .getByText(/Start a film|No shot yet/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: labels.addTheFirstShot }).click();
  await page.getByRole('button', { name: labels.firstFrame }).click();
  const [asset] = (await host.ask('library.list', { types: ['image'] })).assets;
  const { projects } = await host.ask('projects.list');
  await expect
    .poll(async () => (await host.ask('storyboard.get', { projectId: projects[0]?.id ?? '' })).shots[0]?.image)
    .toEqual({ assetId: asset?.id });
  expect(program.complaints).toEqual([]);
});
