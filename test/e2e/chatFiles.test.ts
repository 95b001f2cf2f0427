import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FileChooser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { labels, whole } from '../labels.ts';
import { Program } from './program.ts';

/** A chat leaves as JSON and comes in as another one, by keyboard but for the system's dialog; a wrong file says what is wrong. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
});
afterAll(async () => {
  await program?.stop();
});

test('a chat is exported, brought in again with all it said, and costs nothing twice', async () => {
  const { host, page } = program;
  const { conversationId } = await host.ask('chat.create', { model: 'language', title: 'A quay' });
  const { jobId } = await host.ask('chat.send', { conversationId, text: 'A lamp', stream: false });
  await expect.poll(async () => (await host.ask('jobs.get', { id: jobId })).state).toBe('succeeded');
  await host.ask('settings.set', { welcomed: true });
  await page.reload();
  await page.getByRole('navigation', { name: labels.pages }).waitFor();
  await page.keyboard.press('Alt+2');
  await page.getByText('A quay').first().click();
  await page.getByText('A lamp').first().waitFor();

  await program.tabTo(whole(labels.export));
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: /^JSON/ }).waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByText(labels.theChatIsExported).waitFor();
  const [one] = (await host.ask('exports.list', {})).exports;
  const file = path.join(one?.folder ?? '', one?.files[0]?.name ?? '');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ dailies: 'chat', title: 'A quay' });

  const bringIn = async (given: Parameters<FileChooser['setFiles']>[0]) => {
    await page.getByRole('button', { name: labels.bringInAChatThat }).focus();
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
    await chooser.setFiles(given);
  };
  const before = await host.ask('ledger.totals', { groupBy: 'kind', play: true });
  await bringIn(file);
  await expect.poll(async () => (await host.ask('chat.list', {})).total).toBe(2);
  await page.getByText('elsewhere').first().waitFor();
  expect((await host.ask('ledger.totals', { groupBy: 'kind', play: true })).sum).toEqual(before.sum);

  await bringIn({ name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from('{"dailies":"chat","form":1}') });
  await page
    .getByText(/^bad\.json: .* Nothing was imported\.$/)
    .first()
    .waitFor();
  expect((await host.ask('chat.list', {})).total).toBe(2);
  expect(program.complaints).toEqual([]);
});
