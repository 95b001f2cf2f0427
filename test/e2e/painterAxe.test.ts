import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { testPng } from '../helpers/png.ts';
import { axeFaults } from './axe.ts';
import { Program } from './program.ts';

/** What the painter opens, checked against WCAG 2.2 AA by axe in both themes, where it is used: each on the picture that was painted before. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
  const { page, host } = program;
  await host.ask('settings.set', { welcomed: true });
  await page.reload();
  await program.goTo('Images');
  await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('A quay --ar 16:9');
  await program.canSend(/^Imagine/);
  await program.made('imagine', () => page.keyboard.press('Control+Enter'));
  await page.getByRole('button', { name: 'Paint a mask and edit' }).click();
  await page.locator('.host img').waitFor();
  const box = await page.locator('.host img').boundingBox();
  if (!box) throw new Error('the picture is not there');
  await page.keyboard.press('u');
  await page.getByRole('button', { name: /^Rectangle/, pressed: true }).waitFor();
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.3);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.7, { steps: 4 });
  await page.mouse.up();
  await page.getByText('Ready to send').waitFor();
});
afterAll(() => program?.stop());
afterEach(() => expect(program.complaints).toEqual([]));

const faults = (): Promise<string[]> => axeFaults(program.page);

test('growing and shrinking the mask', async () => {
  const { page } = program;
  await page.keyboard.press('g');
  const dialog = page.getByRole('dialog', { name: 'Grow and shrink' });
  await dialog.getByRole('textbox', { name: /^Pixels/ }).waitFor();
  expect(await faults()).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('the figures of a chosen shape, and its handles', async () => {
  const { page } = program;
  await page.keyboard.press('v');
  await page.locator('.host').focus();
  await page.keyboard.press('Tab');
  await page.getByRole('textbox', { name: 'Width' }).waitFor();
  await page.locator('.shape-frame').waitFor();
  expect(await faults()).toEqual([]);
});

test('the import of a mask: empty, of another size, and seen before it is taken', async () => {
  const { page } = program;
  await page.keyboard.press('i');
  await page.getByRole('dialog', { name: 'Import a mask' }).waitFor();
  expect(await faults()).toEqual([]);
  const buffer = testPng(40, 30);
  const file = { name: 'other.png', mimeType: 'image/png', buffer };
  await page.getByLabel('Picture to read as a mask').setInputFiles(file);
  await page.getByText(/^This picture is 40 × 30/).waitFor();
  expect(await faults()).toEqual([]);
  await page.getByRole('checkbox', { name: 'Fit it to the picture' }).click();
  await page.getByRole('img', { name: /^The mask to be/ }).waitFor();
  expect(await faults()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('the original put back outside, and each way to look at the edit', async () => {
  const { page } = program;
  await page.getByRole('textbox', { name: 'Prompt of the edit' }).fill('An old bicycle');
  await program.canSend(/^Send edit/);
  await program.made('edit', () => page.getByRole('button', { name: /^Send edit/ }).click());
  await page.getByText('Not one pixel differs').waitFor();
  await page.getByRole('button', { name: 'Put the original back outside' }).waitFor();
  expect(await faults()).toEqual([]);
  await page.getByRole('button', { name: 'See before and after' }).click();
  await page.getByRole('slider', { name: 'Before and after' }).waitFor();
  expect(await faults()).toEqual([]);
  await page.keyboard.press('4');
  await page.locator('.stage .heat canvas').waitFor();
  expect(await faults()).toEqual([]);
  await page.keyboard.press('2');
  await page.locator('.stage .heat').waitFor({ state: 'detached' });
  expect(await faults()).toEqual([]);
});

test('a button that can be pressed from now on is readable at once', async () => {
  const { page } = program;
  await page.mouse.move(0, 0);
  const moving = await page.getByRole('button', { name: /^Imagine/ }).evaluate((button) => {
    button.classList.add('is-off');
    for (const one of button.getAnimations()) one.finish();
    button.classList.remove('is-off');
    return button.getAnimations().length;
  });
  expect(moving).toBe(0);
});
