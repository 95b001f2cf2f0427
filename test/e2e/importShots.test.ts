import { afterAll, beforeAll, expect, test } from 'vitest';
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
  await page.getByRole('button', { name: 'Start in the sandbox' }).waitFor();
  await program.tabTo(/^Start in the sandbox/);
  await press('Enter');
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await press('Alt+2');
  await page.getByText('Start a film').waitFor();
  await program.tabTo(/^Start “My film”/);
  await press('Enter');
  await page.getByText('No shot yet').waitFor();
  await program.tabTo(/^Import shots/);
  await press('Enter');
  // The text has the focus at once.
  await page.getByRole('textbox', { name: 'Shot list' }).and(page.locator(':focus')).waitFor();
  for (const line of ['title,prompt,seconds,colour', 'Sea,"Waves, wide",6,blue', 'Land,Fields,5,green']) {
    await page.keyboard.type(line);
    await press('Enter');
  }
  await page.getByText('Mend lines 1 and 3', { exact: false }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await press('F8');
  await page.locator(':focus', { hasText: 'Leave the column out' }).waitFor();
  await press('Enter');
  await page.getByText('Mend line 3', { exact: false }).waitFor();
  await press('F8');
  await page.locator(':focus', { hasText: /^4$/ }).waitFor();
  await press('Enter');
  await page.getByRole('button', { name: 'Add 2 shots', disabled: false }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await program.tabTo(/^Add 2 shots/);
  await press('Enter');
  await page.getByRole('heading', { name: 'Shot 1', exact: true }).waitFor();
  const { shots } = await board();
  expect(shots.map(({ title, prompt, config }) => [title, prompt, config.durationSeconds])).toEqual([
    ['Sea', 'Waves, wide', 6],
    ['Land', 'Fields', 4],
  ]);
});

test('the added shots are one step of undo, named before it is taken', async () => {
  const { page } = program;
  await page.getByRole('button', { name: 'Undo: add 2 shots' }).waitFor();
  await program.tabTo(/^Undo: add 2 shots/);
  await press('Enter');
  await page.getByText('No shot yet').waitFor();
  expect((await board()).shots).toEqual([]);
});

test('the page had nothing to complain about', () => {
  expect(program.complaints).toEqual([]);
});
