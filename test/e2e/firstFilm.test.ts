import { afterAll, beforeAll, expect, test } from 'vitest';
import { arrived, boxOf } from '../helpers/browser.ts';
import { labels, starting } from '../labels.ts';
import { Program } from './program.ts';

/** The first start: one click opens the sample film beside its guide, whose steps are checked off as they are done. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
});
afterAll(async () => {
  await program?.stop();
});

const doneSteps = () => program.page.getByRole('listitem').getByText('Done', { exact: true }).count();

test('one click opens the sample film, which plays', async () => {
  const { page } = program;
  await page.getByRole('button', { name: starting(labels.openTheSampleFilm) }).click();
  await page.getByRole('complementary', { name: labels.yourFirstFilm }).waitFor();
  await page.getByText(labels.ofDone(0, 6)).waitFor();
  await page.getByRole('option', { name: /^Shot 5, / }).waitFor();
  await page.locator('video:not([hidden])[src]').waitFor();
  await page.getByRole('button', { name: labels.play, exact: true }).click();
  const isPlaying = `[...document.querySelectorAll('video')].some(({ currentTime }) => currentTime > 0.2)`;
  await expect.poll(() => page.evaluate(isPlaying)).toBe(true);
  // Pause now: at its end the film stops by itself.
  await page.getByRole('button', { name: labels.pause }).click();
  await page.getByText(labels.ofDone(1, 6)).waitFor();
  expect((await program.bill()).totalNano).toBe(0);
});

test('steps are checked off however they are done, and a take is billed by the sandbox only', async () => {
  const { page } = program;
  const step = (title: string) => page.getByRole('listitem').getByRole('button', { name: title }).click();
  await step(labels.lookAtTheTakesOfShot3);
  await page.getByRole('option', { name: starting(labels.takeOfShot(1, 3)) }).click();
  // Shot 4 continues from this take. Selecting it is two steps of undo and costs nothing.
  await expect.poll(doneSteps).toBe(3);
  await step(labels.rateTheTakesOfShot3);
  await arrived(page, 'review');
  // The quality check finds the fault of the open take.
  await page.getByRole('heading', { name: 'Take 1', exact: true }).waitFor();
  await page.getByText(labels.broken, { exact: true }).first().waitFor();
  await page.keyboard.press('n');
  await page.getByRole('heading', { name: 'Take 2', exact: true }).waitFor();
  await page.keyboard.press('y');
  const { projects } = await program.host.ask('projects.list');
  const projectId = projects[0]?.id ?? '';
  const read = () => program.host.ask('storyboard.get', { projectId });
  // The kept take is used in the film, so the link is broken again.
  const isKeptUsed = async () => {
    const third = (await read()).shots[2];
    return third?.activeTake === third?.takes[1];
  };
  await expect.poll(isKeptUsed).toBe(true);
  await page.keyboard.press('Alt+1');
  await expect.poll(doneSteps).toBe(3);
  const board = await read();
  const shots = board.shots.map((shot, index) => (index === 2 ? { ...shot, activeTake: shot.takes[0] } : shot));
  await program.host.ask('storyboard.save', { ...board, shots });
  await expect.poll(doneSteps).toBe(4);
  await step(labels.changeThePromptOfShot5);
  await page
    .getByRole('heading', { name: labels.shotN(5), exact: true })
    .first()
    .waitFor();
  const next = page.getByRole('button', { name: starting(labels.makeTake(3)) });
  const job = await program.made('video', () => program.press(starting(labels.makeTake(2)), next));
  expect(job.state).toBe('succeeded');
  await expect.poll(doneSteps).toBe(5);
  // The step is checked off wherever the export starts.
  await program.host.ask('film.export', { projectId, format: 'csv', media: 'links' });
  await page.getByRole('button', { name: labels.keepItAsMyFilm }).waitFor();
  expect((await program.bill()).totalNano).toBe(job.money.chargedNano);
});

test('the guide closes and opens by its key, and the sample can be kept as the user’s own film', async () => {
  const { page } = program;
  await page.getByRole('button', { name: labels.closeTheGuide }).click();
  await expect.poll(() => page.getByRole('complementary', { name: labels.yourFirstFilm }).count()).toBe(0);
  await page.keyboard.press('g');
  await page.getByRole('button', { name: labels.keepItAsMyFilm }).click();
  await expect.poll(() => page.getByRole('complementary', { name: labels.yourFirstFilm }).count()).toBe(0);
  expect((await program.host.ask('projects.list')).projects.map(({ name }) => name)).toEqual(['My film']);
});

test('a notice of an outdated shot moves nothing', async () => {
  const { page, host } = program;
  const projectId = (await host.ask('projects.list')).projects[0]?.id ?? '';
  const playTake = async (index: number, outdated: number) => {
    const board = await host.ask('storyboard.get', { projectId });
    const shots = board.shots.map((shot, at) => (at === 2 ? { ...shot, activeTake: shot.takes[index] } : shot));
    await host.ask('storyboard.save', { ...board, shots });
    await expect
      .poll(() =>
        page
          .locator('[data-panel]', { has: page.getByRole('listbox', { name: labels.shots }) })
          .locator('.stale-tag')
          .count(),
      )
      .toBe(outdated);
  };
  const places = () =>
    Promise.all([
      boxOf(page.locator('main :has(> .media > video)').first()),
      boxOf(page.getByRole('button', { name: labels.play, exact: true })),
    ]);
  for (const [width, height] of [
    [1440, 900],
    [1024, 700],
  ] as const) {
    await page.setViewportSize({ width, height });
    await playTake(0, 0);
    const before = await places();
    await playTake(1, 1);
    expect(await places()).toEqual(before);
  }
});

test('the page reported no errors', () => {
  expect(program.complaints).toEqual([]);
});
