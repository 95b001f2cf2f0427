import { afterAll, beforeAll, expect, test } from 'vitest';
import { labels, starting } from '../labels.ts';
import { Program } from './program.ts';

/** The main job from an empty folder, as a person does it: type, click, play. Then the power fails, and everything is still there. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
  await program.host.ask('settings.set', { welcomed: true });
  await program.page.getByRole('navigation', { name: labels.pages }).waitFor();
});
afterAll(async () => {
  await program?.stop();
});

const main = () => program.page.getByRole('main');

test('an answer streams in, has a price before and after, and equals the stored text', async () => {
  const { page } = program;
  await program.goTo(labels.chat);
  const box = page.getByRole('textbox', { name: labels.message });
  await box.fill('Five shots for a night ferry');
  await program.canSend(starting(labels.send));
  const job = await program.made('chat', () => page.keyboard.press('Control+Enter'));
  expect(job.state).toBe('succeeded');
  // The page empties the field when the call is answered, perhaps after the job has ended.
  await expect.poll(() => box.inputValue()).toBe('');
  const answer = main().getByRole('article', { name: 'language' });
  await answer.getByText('No model was asked').waitFor();
  const { conversations } = await program.host.ask('chat.list', {});
  const { messages } = await program.host.ask('chat.get', { conversationId: conversations[0]?.id ?? '' });
  expect(messages[1]?.text).toBe(job.result?.text);
  expect(messages[1]?.state).toBe('done');
});

test('a film is started, a shot written, a take made and played to its end', async () => {
  const { page } = program;
  await program.goTo(labels.board);
  await page.getByRole('button', { name: labels.newFilm }).click();
  await page
    .getByRole('textbox', { name: labels.promptOfShot(1) })
    .and(page.locator(':focus'))
    .waitFor();
  await page.getByText('Write a prompt.').waitFor();
  expect(await page.getByRole('button', { name: /^Make take/ }).isDisabled()).toBe(true);
  await page.getByRole('textbox', { name: labels.promptOfShot(1) }).fill('Harbour at night, rain, the boat still lit');
  await page.getByRole('radio', { name: labels.seconds(4) }).click();
  await page.getByRole('radio', { name: '720p' }).click();
  await page.getByText('$1.60', { exact: true }).first().waitFor();
  const job = await program.made('video', () =>
    page.getByRole('button', { name: starting(labels.makeTake(1)) }).click(),
  );
  expect(job).toMatchObject({ state: 'succeeded', outputs: [{ mime: 'video/mp4', height: 90, state: 'local' }] });
  await playToTheEnd();
});

/** Checks that the video has frames of the right size, moves, and reaches its end. */
async function playToTheEnd(): Promise<void> {
  const { page } = program;
  await main().locator('video:not([hidden])[src]').waitFor();
  await page.getByRole('button', { name: labels.play, exact: true }).click();
  const shown = await page.evaluate<{ frames: number; seconds: number; size: number[] }>(`(async () => {
      const player = document.querySelector('main video:not([hidden])[src]');
      const times = new Set();
      // Its duration is NaN until it is known.
      while (!(player.currentTime >= player.duration - 0.1)) {
        times.add(player.currentTime);
        await new Promise((done) => setTimeout(done, 20));
      }
      return { frames: times.size, seconds: player.duration, size: [player.videoWidth, player.videoHeight] };
    })()`);
  // The sandbox of tests renders an eighth of 1280 × 720.
  expect(shown.size).toEqual([160, 90]);
  expect(shown.seconds).toBeCloseTo(4, 1);
  // The clip played without a jump. How often a busy machine looks proves nothing.
  expect(shown.frames).toBeGreaterThan(2);
}

test('after a power cut everything is still there', async () => {
  const before = await program.host.ask('jobs.list', { limit: 100 });
  await program.killAndRestart();
  const { page } = program;
  const after = await program.host.ask('jobs.list', { limit: 100 });
  expect(after).toEqual(before);
  await program.goTo(labels.board);
  await page.getByText('Harbour at night, rain').first().waitFor();
  await program.goTo(labels.chat);
  await page.getByText('Five shots for a night ferry').first().click();
  await main().getByText('No model was asked').waitFor();
  const [asset] = after.jobs.flatMap((job) => job.outputs);
  const bytes = await program.host.request(`/media/${asset?.id}`);
  expect((await bytes.arrayBuffer()).byteLength).toBe(asset?.bytes);
});

test('the page reported no errors', () => {
  expect(program.complaints).toEqual([]);
});
