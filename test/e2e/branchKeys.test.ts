import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFaults } from './axe.ts';
import { Program } from './program.ts';

/** A chat's branches by keyboard alone: other words, another answer, the way back; each is ordered once and is on the bill once. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
});
afterAll(async () => {
  await program?.stop();
});

const answered = () => program.page.locator('.msg[aria-label="language"][aria-busy="false"]').first().waitFor();

test('words are edited, an answer is asked for again, and each branch is reached by a key', async () => {
  const { host, page } = program;
  await host.ask('settings.set', { welcomed: true });
  await page.reload();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await page.keyboard.press('Alt+1');
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  await box.waitFor();
  await box.focus();
  await page.keyboard.type('A lamp on a quay');
  await program.canSend(/^Send/);
  await program.made('chat', () => page.keyboard.press('Control+Enter'));
  await answered();

  await program.tabTo(/^Search chats$/);
  await program.tabTo(/^Edit$/);
  await page.keyboard.press('Enter');
  const words = page.getByRole('textbox', { name: 'Edit the message' });
  await words.waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('A lamp on a ship');
  await program.canSend(/^Send as a new branch/);
  await program.made('chat', async () => {
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Control+Enter');
  });
  await page.getByRole('group', { name: 'Version 2 of 2' }).waitFor();
  await page.getByText('A lamp on a ship', { exact: true }).first().waitFor();

  await page.keyboard.press('Alt+ArrowLeft');
  await page.getByRole('group', { name: 'Version 1 of 2' }).waitFor();
  await answered();
  await program.tabTo(/^Search chats$/);
  await program.tabTo(/^Regenerate$/);
  await page.keyboard.press('Enter');
  await program.canSend(/^Answer again/);
  await program.made('chat', () => page.keyboard.press('Control+Enter'));
  await page
    .getByRole('group', { name: /^Version/ })
    .nth(1)
    .waitFor();
  await answered();
  await page.getByRole('radio', { name: 'Branches' }).focus();
  await page.keyboard.press('Space');
  await page.locator('.branch-map li').nth(2).waitFor();
  expect(await axeFaults(page)).toEqual([]);

  const { total } = await host.ask('jobs.list', { kinds: ['chat'] });
  expect(total).toBe(3);
  const { sum } = await host.ask('ledger.totals', { groupBy: 'kind', play: true });
  expect(sum.settledNano).toBe((await program.bill()).totalNano);
  expect((await program.bill()).entries).toHaveLength(3);
  expect(program.complaints).toEqual([]);
});
