import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFaults } from './axe.ts';
import { Program } from './program.ts';

/** A model drafts, the user approves, by keyboard alone: what is approved is made once at its price, and nothing else is. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
});
afterAll(async () => {
  await program?.stop();
});

test('five shots and two posters are drafted, one of them malformed; one is approved, one declined, the rest follow', async () => {
  const { host, page } = program;
  const { id: projectId } = await host.ask('projects.create', { name: 'Last Ferry' });
  await host.ask('settings.set', { welcomed: true, projectId });
  await page.reload();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await page.keyboard.press('Alt+1');
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  await box.waitFor();
  await box.focus();
  await page.keyboard.type('Five shots of a lamp on a quay, the third 5 s, and two posters.');
  await program.canSend(/^Send/);
  await program.made('chat', () => page.keyboard.press('Control+Enter'));
  await page.getByText('6 drafts for Last Ferry').waitFor();
  await page.getByText('shots.2.config.durationSeconds').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  const madeBefore = await host.ask('jobs.list', { kinds: ['video', 'imagine'] });
  expect([madeBefore.total, (await host.ask('storyboard.get', { projectId })).shots]).toEqual([0, []]);

  const { conversations } = await host.ask('chat.list', {});
  const conversationId = conversations[0]?.id ?? '';
  const drafts = async () => (await host.ask('director.drafts', { conversationId })).drafts;
  const [, second] = await drafts();
  await program.tabTo(/^New shot 1/);
  await page.keyboard.press('ArrowDown');
  await program.canSend(/^Approve one/);
  await program.made('video', async () => {
    await page.keyboard.press('y');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Control+Enter');
  });
  await page.getByText('approved', { exact: true }).waitFor();
  expect((await drafts()).filter(({ state }) => state === 'approved').map(({ id }) => id)).toEqual([second?.id]);

  await program.tabTo(/^Decline Poster 2/);
  await page.keyboard.press('Enter');
  await page.getByText('declined', { exact: true }).waitFor();

  await program.tabTo(/^(New shot|Poster) /);
  const left = (await drafts()).filter(({ state, errors }) => state === 'open' && !errors);
  expect(left).toHaveLength(4);
  await program.canSend(/^Approve 4/);
  await page.keyboard.press('Shift+Y');
  await page.keyboard.press('Control+Enter');
  await page.getByText('approved', { exact: true }).nth(4).waitFor();
  const { shots } = await host.ask('storyboard.get', { projectId });
  expect(shots.map(({ takes }) => takes.length)).toEqual([1, 1, 1, 1]);
  const { jobs } = await host.ask('jobs.list', { kinds: ['video', 'imagine'] });
  expect(jobs).toHaveLength(5);
  expect(new Set(jobs.map(({ id }) => id))).toEqual(
    new Set((await drafts()).flatMap(({ jobId }) => (jobId ? [jobId] : []))),
  );

  await program.tabTo(/^Let the model go on/);
  await page.keyboard.press('Enter');
  await program.canSend(/^Continue/);
  await program.tabTo(/^Continue/);
  await program.made('chat', () => page.keyboard.press('Enter'));
  await page.getByText('declined by the user').first().waitFor();

  await box.focus();
  await page.keyboard.type('Make @');
  const offered = page.getByRole('listbox', { name: 'Shots of the board' });
  await offered.getByRole('option').nth(3).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await offered.waitFor({ state: 'detached' });
  expect(await box.inputValue()).toBe(`Make shot 2 “${shots[1]?.title}” `);
  expect(program.complaints).toEqual([]);
});
