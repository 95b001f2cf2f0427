import type { Route } from 'playwright';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answerTo, arrived } from '../helpers/browser.ts';
import { labels, starting } from '../labels.ts';
import { Program } from './program.ts';

/** A new user's first take: whatever interrupts the click, the prompt is kept and one take is made and billed. */

const PROMPT = 'A ferry leaves a rainy quay at night';

let program: Program;
beforeEach(async () => {
  program = await Program.start();
});
afterEach(async () => {
  await program?.stop();
});

/** Types the prompt and waits for the price on its button. */
async function write() {
  const field = program.page.getByRole('textbox', { name: labels.whatShouldTheFirstShotShow });
  await field.and(program.page.locator(':focus')).waitFor();
  await field.fill(PROMPT);
  await program.canSend(starting(labels.makeTheFirstTake));
  return program.page.getByRole('button', { name: starting(labels.makeTheFirstTake) });
}

/** Waits on the board until the first take of the only film has one of these states. */
async function firstTake(states = ['succeeded']) {
  await arrived(program.page, 'storyboard');
  const { projects } = await program.host.ask('projects.list');
  expect(projects.map(({ name }) => name)).toEqual(['Untitled film']);
  const projectId = projects[0]?.id ?? '';
  const jobs = async () => (await program.host.ask('jobs.list', { projectId })).jobs;
  await expect.poll(async () => (await jobs()).map(({ state }) => states.includes(state))).toEqual([true]);
  const { shots } = await program.host.ask('storyboard.get', { projectId });
  expect(shots).toMatchObject([{ prompt: PROMPT, takes: [expect.any(String)] }]);
  const bill = await program.bill();
  expect(bill.entries.length).toBeLessThanOrEqual(1);
  if ((await jobs())[0]?.state === 'succeeded') expect(bill.entries).toHaveLength(1);
}

const onceLost = async (call: string, then: (route: Route) => Promise<void>) => {
  let isFirst = true;
  await program.page.route(`**/rpc/${call}`, async (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    await then(route);
  });
};

test('a prompt and a double click make one film and one clip, which plays on the board', async () => {
  await (await write()).dblclick();
  await firstTake();
  await program.page.locator('video:not([hidden])[src]').waitFor();
  expect(program.complaints).toEqual([]);
});

test('after a lost reply the call is repeated and gives the same take', async () => {
  const button = await write();
  await onceLost('storyboard.makeTake', async (route) => {
    await answerTo(route);
    await route.abort();
  });
  await button.click();
  await firstTake();
});

test('reloaded while it is sent, the window shows the film with its prompt on the board', async () => {
  const button = await write();
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  await onceLost('storyboard.makeTake', async (route) => {
    await answerTo(route);
    resolve();
  });
  await button.click();
  await sent;
  await program.page.reload();
  await firstTake();
});

test('a power cut during sending loses neither the prompt nor the take', async () => {
  const button = await write();
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  await onceLost('storyboard.makeTake', async (route) => {
    await answerTo(route);
    resolve();
  });
  await button.click();
  await sent;
  await program.killAndRestart();
  // If the request was on its way, it is unconfirmed and not sent again.
  await firstTake(['succeeded', 'uncertain']);
});
