import type { Route } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerTo } from '../helpers/browser.ts';
import { labels, starting } from '../labels.ts';
import { Program } from './program.ts';

/** In a real browser, only the answer of a spending call is lost: there is one job, and one entry on the bill. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
  await program.host.ask('settings.set', { welcomed: true });
});
afterAll(() => program?.stop());

/** The first call reaches the studio; `lose` handles its answer. Later ones pass. */
async function loseFirst(lose: (route: Route) => Promise<unknown>): Promise<{ keys: string[] }> {
  const keys: string[] = [];
  await program.page.route('**/rpc/jobs.enqueue', async (route) => {
    const { requestKey } = route.request().postDataJSON() as { requestKey: string };
    keys.push(requestKey);
    if (keys.length > 1) return route.continue();
    expect((await answerTo(route)).ok()).toBe(true);
    await lose(route);
  });
  return { keys };
}

async function imagine(prompt: string): Promise<void> {
  // A double click counts as one request; a page that is opened again starts anew.
  await program.goTo(labels.queue);
  await program.goTo(labels.images);
  await program.page.getByRole('textbox', { name: labels.prompt, exact: true }).fill(prompt);
  await program.canSend(starting(labels.makeImages(1)));
  await program.page.keyboard.press('Control+Enter');
}

/** The errors beside the paid button. */
const refusals = () => program.page.locator('.sendbar [role="alert"]');

const made = async (prompt: string) => {
  const { jobs } = await program.host.ask('jobs.list', { limit: 500, text: prompt });
  return jobs;
};

/** One job that ended well, and one entry for it. */
async function expectPaidOnce(prompt: string): Promise<void> {
  await expect.poll(async () => (await made(prompt)).map(({ state }) => state)).toEqual(['succeeded']);
  const { entries } = await program.bill();
  expect(entries.filter((entry) => entry.prompt.includes(prompt))).toHaveLength(1);
}

test('after a cut connection, the page repeats the call under the same key and says that the job is queued', async () => {
  const { keys } = await loseFirst((route) => route.abort('connectionreset'));
  await imagine('A quay with a crane');
  await expect.poll(() => keys.length).toBe(2);
  expect(new Set(keys).size).toBe(1);
  await expectPaidOnce('A quay with a crane');
  await expect.poll(() => refusals().count()).toBe(0);
  // The same prompt again makes another picture.
  await imagine('A quay with a crane');
  await expect.poll(async () => (await made('A quay with a crane')).length).toBe(2);
  expect(new Set(keys).size).toBe(2);
});

test('after a reload before the answer, the same click gives the same job', async () => {
  const { page } = program;
  let reloaded: () => void = () => {};
  const answered = new Promise<void>((done) => {
    reloaded = done;
  });
  const { keys } = await loseFirst(async () => reloaded());
  await imagine('A lamp in the fog');
  await answered;
  await page.reload();
  // The notice disappears after a while.
  const told = page.getByText('Both count as one request.').first().waitFor();
  await imagine('A lamp in the fog');
  await told;
  await expect.poll(() => keys.length).toBe(2);
  expect(new Set(keys).size).toBe(1);
  await expectPaidOnce('A lamp in the fog');
});

test('after a kill between commit and answer, the page repeats the call at the restarted studio', async () => {
  const { page } = program;
  // The built-in sandbox ends with its host, so ask it before that.
  await program.host.ask('queue.pause');
  const { keys } = await loseFirst(async (route) => {
    await program.host.kill('SIGKILL');
    await route.abort('connectionreset');
  });
  await imagine('A harbour by night');
  await page.getByText(labels.theAnswerWasLostIt).waitFor();
  program.host = await program.host.restart();
  await expect.poll(() => keys.length).toBe(2);
  expect(new Set(keys).size).toBe(1);
  await program.canSend(starting(labels.makeImages(1)));
  await expect.poll(() => refusals().count()).toBe(0);
  expect(await made('A harbour by night')).toMatchObject([{ state: 'blocked', reason: 'paused' }]);
  await program.host.ask('queue.resume');
  await expectPaidOnce('A harbour by night');
});
