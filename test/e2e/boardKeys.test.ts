import { afterAll, beforeAll, expect, test } from 'vitest';
import { Program } from './program.ts';

/** The board with the keyboard alone: no test here moves the mouse. */

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

const tabTo = (name: RegExp): Promise<void> => program.tabTo(name);

const board = async () => {
  const { projects } = await program.host.ask('projects.list');
  return program.host.ask('storyboard.get', { projectId: projects[0]?.id ?? '' });
};

test('a film is begun and a take made', async () => {
  const { page } = program;
  await page.getByRole('button', { name: 'Start in the sandbox' }).waitFor();
  await tabTo(/^Start in the sandbox/);
  await press('Enter');
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await press('Alt+2');
  await page.getByText('Start a film').waitFor();
  await tabTo(/^Start “My film”/);
  await press('Enter');
  await page.getByText('No shot yet').waitFor();
  await tabTo(/^Add the first shot/);
  await press('Enter');
  await page.getByRole('heading', { name: 'Shot 1', exact: true }).waitFor();
  await tabTo(/^Prompt of shot 1/);
  await page.keyboard.type('A lighthouse in a storm');
  await page.getByText(/1 take, 4 s/).waitFor();
  await program.canSend(/^Make take 1/);
  const job = await program.made('video', () => press('Control+Enter'));
  expect(job.state).toBe('succeeded');
  await page.locator('video:not([hidden])[src]').waitFor();
});

test('it is played, stepped frame by frame, and judged', async () => {
  const { page } = program;
  await tabTo(/^Shot 1, /);
  const time = page.getByRole('timer', { name: 'Time' });
  await press('Shift+ArrowRight');
  await page.getByText('00:00:01:00').waitFor();
  await press('Escape');
  await press('Shift+ArrowLeft');
  await page.getByText('00:00:00:00').first().waitFor();
  await press('k');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await press('k');
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  expect(await time.textContent()).toMatch(/^00:00:0\d:\d\d$/);
  await press('y');
  await page.getByText('Take 1, keep, active').first().waitFor({ state: 'attached' });
  const { jobs } = await program.host.ask('jobs.list', { limit: 1 });
  expect(jobs[0]?.verdict).toBe('keep');
});

test('the next shot continues from it, is moved before it and back, removed and put back', async () => {
  const { page } = program;
  await tabTo(/^More$/);
  await press('Enter');
  // A menu can be seen a moment before its first item has the focus, and until then Enter is the button's.
  await page.locator('[role=menuitem]:focus', { hasText: 'Next shot from its last frame' }).waitFor();
  await press('Enter');
  await page.getByRole('heading', { name: 'Shot 2', exact: true }).waitFor();
  await press('Alt+ArrowLeft');
  await page.getByRole('heading', { name: 'Shot 1', exact: true }).waitFor();
  await press('Alt+ArrowRight');
  await page.getByRole('heading', { name: 'Shot 2', exact: true }).waitFor();
  await tabTo(/^Shot 2, /);
  await press('Delete');
  await page.getByText('was removed').waitFor();
  await tabTo(/^Put it back/);
  await press('Enter');
  await page.getByRole('heading', { name: 'Shot 2', exact: true }).waitFor();
  await page.getByText('saved', { exact: true }).waitFor();
  const { shots } = await board();
  expect(shots.map(({ source, image }) => [source, image])).toEqual([
    ['text', undefined],
    ['first', { jobId: shots[0]?.takes[0], frame: 'last' }],
  ]);
});

test('the joints are one stop of Tab, told in words, chosen and looped by keys', async () => {
  const { page } = program;
  await tabTo(/^Joint to shot 2: continue/);
  await press('ArrowRight', 'Enter');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await press('Shift+L');
  await press('k');
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  await tabTo(/^Add a shot$/);
  await press('Shift+Tab', 'Enter');
  await page.getByRole('dialog', { name: 'Joint 1 to 2' }).waitFor();
  await press('Escape');
});

test('edits are undone and redone, and a removed shot with a take is in the bin until it is restored', async () => {
  const { page } = program;
  const [first] = (await board()).shots;
  await tabTo(/^Shot 2, /);
  await press('ArrowLeft', 'Delete');
  await page.getByText('Its 1 take can be seen under Removed.').waitFor();
  await press('Control+z');
  await page.getByText('Undone: removed shot 1').waitFor();
  expect((await board()).shots[0]).toEqual(first);
  await press('Control+Shift+Z');
  await page.getByText('Done again: removed shot 1').waitFor();
  expect((await board()).shots).toHaveLength(1);
  await page.getByRole('button', { name: /^Removed 1/ }).waitFor();
  await tabTo(/^Removed 1/);
  await press('Enter');
  await page
    .getByRole('dialog', { name: 'Removed shots' })
    .getByText(/^1 take, /)
    .waitFor();
  await tabTo(/^Put back “A lighthouse/);
  await press('Enter');
  await page.getByText('Nothing is removed.').waitFor();
  await press('Escape');
  expect((await board()).shots[0]).toEqual(first);
});

test('in a text field, Ctrl Z is the field’s own', async () => {
  const { page } = program;
  const field = page.getByRole('textbox', { name: 'Prompt of shot 1' });
  await tabTo(/^Prompt of shot 1/);
  const before = await field.inputValue();
  await page.keyboard.type('At dawn ');
  await press('Control+z');
  const after = await field.inputValue();
  expect(after.endsWith(before) && after.length < 'At dawn '.length + before.length).toBe(true);
  await page.getByText('saved', { exact: true }).waitFor();
  expect((await board()).shots[0]?.prompt).toBe(after);
  expect(
    await page
      .locator('.board-status')
      .getByText(/^Undone/)
      .count(),
  ).toBe(0);
});

test('the page had nothing to complain about', () => {
  expect(program.complaints).toEqual([]);
});
