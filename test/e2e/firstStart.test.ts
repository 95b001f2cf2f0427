import { expect, onTestFinished, test } from 'vitest';
import { labels, starting } from '../labels.ts';
import { Program } from './program.ts';

/** From the first start, in an empty folder, to something that plays. How long it takes is printed and never judged here. */

async function firstStart(): Promise<{ program: Program; told: (what: string) => void }> {
  const began = performance.now();
  const program = await Program.start();
  onTestFinished(() => program.stop());
  await program.page.getByRole('button', { name: labels.startInTheSandbox }).waitFor();
  return {
    program,
    told: (what) => console.info(`first start to ${what}: ${((performance.now() - began) / 1_000).toFixed(1)} s`),
  };
}

async function plays({ page }: Program): Promise<void> {
  await page.locator('video:not([hidden])[src]').waitFor();
  await page.getByRole('button', { name: labels.play, exact: true }).click();
  // The page allows no code of strings, by which `waitForFunction` would wait.
  const isPlaying = `[...document.querySelectorAll('video')].some((video) => !video.paused && video.currentTime > 0.2)`;
  await expect.poll(() => page.evaluate(isPlaying)).toBe(true);
}

test('a take of one’s own is made at its price, and plays', async () => {
  const { program, told } = await firstStart();
  const { page } = program;
  await page.getByRole('button', { name: labels.startInTheSandbox }).click();
  await program.goTo(labels.board);
  await page.getByRole('button', { name: starting(labels.startMyFilm) }).click();
  await page.getByRole('button', { name: labels.addTheFirstShot }).click();
  await page.getByRole('textbox', { name: labels.promptOfShot(1) }).fill('A lighthouse in a storm');
  await program.canSend(starting(labels.makeTake(1)));
  const job = await program.made('video', () =>
    page.getByRole('button', { name: starting(labels.makeTake(1)) }).click(),
  );
  expect(job.state).toBe('succeeded');
  await plays(program);
  told('a playing take');
  expect((await program.bill()).totalNano).toBe(job.money.chargedNano);
  expect(program.complaints).toEqual([]);
});

test('the sample film plays after one press, and costs nothing', async () => {
  const { program, told } = await firstStart();
  const { page } = program;
  await page.getByRole('button', { name: labels.openASampleFilm }).click();
  await page.getByRole('option', { name: /^Shot 5, / }).waitFor();
  await plays(program);
  told('the playing sample film');
  expect((await program.bill()).totalNano).toBe(0);
  expect(program.complaints).toEqual([]);
});
