import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../helpers/host.ts';
import { axeFaults } from './axe.ts';
import { Program } from './program.ts';

/** From a picture to its evidence by keyboard alone, to the files, and what `verify` says of them before and after one changed byte. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
});
afterAll(async () => {
  await program?.stop();
});

const press = async (...keys: string[]) => {
  for (const key of keys) await program.page.keyboard.press(key);
};

/** As a person runs it, without a data folder. */
function verify(place: string): { code: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'src/main/start.mjs'), 'verify', place],
    {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    },
  );
  return { code: status, said: stdout + stderr };
}

function changeOneByte(file: string): void {
  const bytes = fs.readFileSync(file);
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  fs.writeFileSync(file, bytes);
}

test('the evidence of a picture is opened, saved and proven, and fails after one changed byte', async () => {
  const { host, page } = program;
  await host.ask('jobs.enqueue', { requests: [{ kind: 'imagine', prompt: 'A lamp in the harbour' }] });
  await expect
    .poll(async () => (await host.ask('library.list', { roles: ['output'], states: ['local'] })).total)
    .toBe(1);
  await host.ask('settings.set', { welcomed: true });
  await page.reload();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await press('Alt+5');
  await page.getByRole('option').first().waitFor();
  await press('Home');
  await page.getByRole('link', { name: 'Evidence' }).waitFor();
  await program.tabTo(/^Evidence$/);
  await press('Enter');

  await page.getByText(/^whole, checked/).waitFor();
  await page.getByText('To the billing desk of Sandbox').waitFor();
  for (const what of ['Ordered', 'Sent', 'Charged', 'Fetched'])
    await page.getByRole('cell', { name: what, exact: true }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await press('2');
  await page.getByText('evidence.json, as it is saved').waitFor();
  expect(await page.locator('.ev-json').textContent()).not.toContain('A lamp in the harbour');
  await press('Control+Enter');
  await page.getByText('The evidence is saved').waitFor();

  const [saved] = (await host.ask('exports.list', {})).exports;
  const folder = saved?.folder ?? '';
  expect(saved?.files.map(({ name }) => name)).toEqual(['letter.txt', 'letter.html', 'evidence.json', 'evidence.html']);
  expect(verify(folder)).toMatchObject({ code: 0, said: expect.stringContaining('whole       evidence.json') });
  changeOneByte(path.join(folder, 'letter.txt'));
  expect(verify(folder)).toMatchObject({ code: 1, said: expect.stringContaining('changed     letter.txt') });
  const file = path.join(folder, 'evidence.json');
  expect(verify(file)).toMatchObject({ code: 0 });
  changeOneByte(file);
  expect(verify(file)).toMatchObject({ code: 1 });

  await press('v');
  await page.getByRole('dialog', { name: 'Verify' }).waitFor();
  await page.getByLabel('File of evidence').setInputFiles(file);
  await page.getByText(/^Not whole/).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await program.tabTo(/^The journal of this machine$/);
  await press('Enter');
  await page.getByText(/^Whole: \d+ records of 1 job/).waitFor();
  await press('Escape');
  await page.getByRole('dialog', { name: 'Verify' }).waitFor({ state: 'detached' });
  await press('Escape');
  await page.getByRole('heading', { name: 'Spend', level: 1 }).waitFor({ state: 'attached' });
  expect(program.complaints).toEqual([]);
});
