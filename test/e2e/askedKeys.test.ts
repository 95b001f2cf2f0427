import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseFile } from '../../src/main/core/store/index.ts';
import type { Quote } from '../../src/shared/quote.ts';
import { root } from '../helpers/host.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';
import { axeFaults } from './axe.ts';
import { countMouse, keys, mouseEvents } from './hands.ts';
import { Program } from './program.ts';
import { Spending } from './spending.ts';

/** What programs outside ask for, by the command line and by the protocol: read, approved or declined by keyboard alone. */

let program: Program;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dailies-asked-'));
  program = await Program.start();
});
afterAll(async () => {
  await program?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const start = join(root, 'src', 'main', 'start.mjs');
const at = () => ['--data-dir', program.host.dataDir];

/** `dailies quote` of a request, as a script types it. */
async function quoted(request: object): Promise<Quote> {
  const file = join(folder, 'order.json');
  writeFileSync(file, JSON.stringify(request));
  const words = [start, 'quote', file, '--client', 'A script', '--json', ...at()];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (data) => {
    said += data;
  });
  expect(await new Promise((done) => child.once('close', done))).toBe(0);
  return (JSON.parse(said) as { data: Quote }).data;
}

const row = (prompt: string) =>
  program.page
    .getByRole('complementary', { name: 'Asked from outside' })
    .getByRole('listitem')
    .filter({ hasText: prompt });
const dialog = () => program.page.getByRole('dialog');
const stateOf = async (id: string) => (await program.host.ask('quotes.get', { id })).state;

test('an order from outside is looked at and approved by keyboard, once, at the price that was shown', async () => {
  const { host, page } = program;
  await host.ask('settings.set', { welcomed: true });
  const first = await quoted({ kind: 'imagine', prompt: 'A quay from a script' });
  const client = new Client({ name: 'An editor', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [start, 'mcp', ...at()] }));
  const request = { kind: 'imagine', prompt: 'A pier from an editor' };
  const answer = await client.callTool({ name: 'quote_order', arguments: { request } });
  const second = (answer.structuredContent as { quote: { quote: string } }).quote.quote;
  const third = await quoted({ kind: 'imagine', prompt: 'A tower nobody wants' });
  await page.reload();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await countMouse(page);
  const hands = keys(page);
  const spending = new Spending(program, hands);
  await spending.begin();
  await page.keyboard.press('Alt+4');

  await row('A quay from a script').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  // Looked at: every byte that would be sent, who asks, and that nothing is sent by looking.
  await hands.press(row('A quay from a script').getByRole('button', { name: /^Approve/ }));
  const text = await dialog().getByRole('textbox', { name: 'What would be sent' }).inputValue();
  expect(JSON.parse(text)).toEqual(first.request);
  await dialog()
    .getByText(/A script\b.* asks for this/)
    .waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  expect((await spending.all()).length).toBe(0);

  // Approved: one order at the price on the button's dialog.
  for (const prompt of ['A quay from a script', 'A pier from an editor']) {
    await hands.press(row(prompt).getByRole('button', { name: /^Approve/ }));
    const approve = dialog().getByRole('button', { name: /^Approve/ });
    const [job] = await spending.press(approve, dialog().locator('.price'), 1);
    expect(job?.request).toMatchObject({ prompt });
    await row(prompt).waitFor({ state: 'detached' });
  }
  await hands.press(row('A tower nobody wants').getByRole('button', { name: /^Decline/ }));
  await row('A tower nobody wants').waitFor({ state: 'detached' });
  expect([await stateOf(first.id), await stateOf(second), await stateOf(third.id)]).toEqual([
    'approved',
    'approved',
    'declined',
  ]);

  await expect.poll(async () => (await spending.all()).map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
  const look = await client.callTool({ name: 'look_at_quote', arguments: { quote: second } });
  expect(look.structuredContent).toMatchObject({ quote: { state: 'approved' }, job: { state: 'succeeded' } });
  await client.close();
  const charged = (await spending.all()).reduce((sum, { money }) => sum + (money.chargedNano ?? 0), 0);
  expect(charged).toBe((await program.bill()).totalNano);
  expect((await program.bill()).entries.map(({ prompt }) => prompt).sort()).toEqual([
    'A pier from an editor',
    'A quay from a script',
  ]);
  expect(await mouseEvents(page)).toBe(0);
  expect(program.complaints).toEqual([]);
});

test.each<[string, (id: string) => Promise<unknown>]>([
  ['price', () => repriced()],
  ['byte', async (id) => changedByte(id)],
])('another %s while it is looked at voids it: it is said, and nothing is sent', async (what, change) => {
  const { host, page } = program;
  const prompt = `A lamp with another ${what}`;
  const { id } = await quoted({ kind: 'imagine', prompt });
  const before = [(await host.ask('jobs.list', {})).jobs.length, (await program.bill()).totalNano];
  await keys(page).press(row(prompt).getByRole('button', { name: /^Approve/ }));
  await dialog()
    .getByRole('button', { name: /^Approve/, disabled: false })
    .waitFor();
  await change(id);
  await program.press(/^Approve/, dialog().getByText(/The quote is void: .+ Nothing was sent/));
  expect(await host.ask('quotes.get', { id })).toMatchObject({ state: 'void' });
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await row(prompt).waitFor({ state: 'detached' });
  expect([(await host.ask('jobs.list', {})).jobs.length, (await program.bill()).totalNano]).toEqual(before);
  expect(await mouseEvents(page)).toBe(0);
  expect(program.complaints).toEqual([]);
});

async function repriced(): Promise<void> {
  const { prices } = (await program.host.ask('profiles.list')).profiles.find(({ builtin }) => builtin) ?? {};
  const dearer = prices?.map((price) => ({ ...price, readings: [{ unit: 'image' as const, nano: 60_000_000 }] }));
  await program.host.ask('profiles.save', { id: 'sandbox', prices: dearer });
}

/** As another program would, in the database itself. */
function changedByte(id: string): void {
  const db = new Database(databaseFile(program.host.dataDir), { timeout: PATIENCE_MS });
  const changed = db
    .prepare("UPDATE quotes SET document = json_set(document, '$.order.request.prompt', 'A lamp') WHERE id = ?")
    .run(id);
  db.close();
  expect(changed.changes).toBe(1);
}
