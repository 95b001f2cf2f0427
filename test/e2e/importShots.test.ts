import { afterAll, beforeAll, expect, test } from 'vitest';
import { labels, starting } from '../labels.ts';
import { axeFaults } from './axe.ts';
import { Program } from './program.ts';

/** A shot list is read in, mended and added with the keyboard alone: no test here moves the mouse. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
});
afterAll(async () => {
  await program?.stop();
});

const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await program.page.keyboard.press(key);
};

const board = async () => {
  const { projects } = await program.host.ask('projects.list');
  return program.host.ask('storyboard.get', { projectId: projects[0]?.id ?? '' });
};

test('a list with wrong cells is mended by F8 and its cures, and added as one step', async () => {
  const { page } = program;
  await page.getByRole('button', { name: labels.startInTheSandbox }).waitFor();
  await program.tabTo(starting(labels.startInTheSandbox));
  await press('Enter');
  await page.getByRole('navigation', { name: labels.pages }).waitFor();
  await press('Alt+2');
  await page.getByText(labels.startAFilm).waitFor();
  await program.tabTo(starting(labels.startMyFilm));
  await press('Enter');
  await page.getByText(labels.noShotYet).waitFor();
  await program.tabTo(starting(labels.importShots));
  await press('Enter');
  // The text has the focus at once.
  await page.getByRole('textbox', { name: labels.shotList }).and(page.locator(':focus')).waitFor();
  for (const line of ['title,prompt,seconds,colour', 'Sea,"Waves, wide",6,blue', 'Land,Fields,5,green']) {
    await page.keyboard.type(line);
    await press('Enter');
  }
  await page.getByText('Mend lines 1 and 3', { exact: false }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await press('F8');
  await page.locator(':focus', { hasText: labels.leaveTheColumnOut }).waitFor();
  await press('Enter');
  await page.getByText('Mend line 3', { exact: false }).waitFor();
  await press('F8');
  await page.locator(':focus', { hasText: /^4$/ }).waitFor();
  await press('Enter');
  await page.getByRole('button', { name: labels.addShots(2), disabled: false }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await program.tabTo(starting(labels.addShots(2)));
  await press('Enter');
  await page.getByRole('heading', { name: labels.shotN(1), exact: true }).waitFor();
  const { shots } = await board();
  expect(shots.map(({ title, prompt, config }) => [title, prompt, config.durationSeconds])).toEqual([
    ['Sea', 'Waves, wide', 6],
    ['Land', 'Fields', 4],
  ]);
});

test('the added shots are one step of undo, named before it is taken', async () => {
  const { page } = program;
  await page.getByRole('button', { name: `${labels.undo}: add 2 shots` }).waitFor();
  await program.tabTo(/^Undo: add 2 shots/);
  await press('Enter');
  await page.getByText(labels.noShotYet).waitFor();
  expect((await board()).shots).toEqual([]);
});

test('the page had nothing to complain about', () => {
  expect(program.complaints).toEqual([]);
});
