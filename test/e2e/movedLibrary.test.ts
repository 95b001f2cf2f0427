import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPng } from '../helpers/png.ts';
import { labels, starting, whole } from '../labels.ts';
import { axeFaults } from './axe.ts';
import { Program } from './program.ts';

/** The library moves to another disk by keyboard, is killed in the middle, and everything that was made is there. */

let program: Program;
const disk = mkdtempSync(path.join(tmpdir(), 'dailies-disk-'));
beforeAll(async () => {
  program = await Program.start();
});
afterAll(async () => {
  await program?.stop();
  rmSync(disk, { recursive: true, force: true });
});

const PICTURES = 120;

const hashOf = async (id: string): Promise<string> => {
  const response = await program.host.request(`/media/${id}`);
  return createHash('sha256')
    .update(new Uint8Array(await response.arrayBuffer()))
    .digest('hex');
};

test('the library is moved by keyboard with a kill in the middle: all of it is whole, and nothing is left behind', async () => {
  for (let n = 0; n < PICTURES; n++) {
    const body = new Uint8Array(testPng(16 + n, 16));
    await program.host.request(`/media?name=p${n}.png`, { method: 'PUT', body });
  }
  await program.host.ask('jobs.enqueue', {
    requests: [{ kind: 'video', model: 'video-standard', prompt: 'A quay', config: { durationSeconds: 4 } }],
  });
  const clips = async () => (await program.host.ask('library.list', { types: ['video'], states: ['local'] })).total;
  await expect.poll(clips).toBe(1);
  await program.host.ask('settings.set', { welcomed: true });
  await program.page.reload();
  await program.page.getByRole('navigation', { name: labels.pages }).waitFor();

  await program.page.keyboard.press('Alt+7');
  await program.tabTo(whole(labels.libraryFolder));
  await program.page.keyboard.press('Enter');
  const folder = path.join(disk, 'Film');
  const field = program.page.getByRole('textbox', { name: starting(labels.newFolder) });
  await field.waitFor();
  const isOnField = async () => {
    await program.page.keyboard.press('Tab');
    return field.evaluate((element) => element.matches(':focus'));
  };
  await expect.poll(isOnField).toBe(true);
  await program.page.keyboard.type(folder);
  const events = await program.host.events();
  await program.page.keyboard.press('Enter');
  const { export: begun } = await events.next(
    'export.changed',
    ({ export: one }) => one.kind === 'move' && one.progress >= 20,
  );
  expect(begun.state).toBe('running');
  await program.killAndRestart();

  await program.page.getByRole('navigation', { name: labels.pages }).waitFor();
  await program.page.keyboard.press('Alt+7');
  await program.tabTo(whole(labels.libraryFolder));
  await program.page.keyboard.press('Enter');
  await program.page.getByText(`Moved to ${folder}, every checksum read back.`).waitFor();
  const { assets } = await program.host.ask('library.list', { states: ['local'], limit: 500 });
  expect(assets.length).toBeGreaterThan(PICTURES);
  for (const { id, sha256 } of assets) expect(await hashOf(id)).toBe(sha256);
  expect(existsSync(path.join(program.host.dataDir, 'library'))).toBe(false);
  expect(readdirSync(path.join(folder, 'library')).length).toBeGreaterThan(10);

  await program.tabTo(whole(labels.checkEveryFile));
  await program.page.keyboard.press('Enter');
  await program.page.getByText(/files? read, all as recorded/).waitFor();
  expect(await axeFaults(program.page)).toEqual([]);
  await program.tabTo(whole(labels.diagnostics));
  await program.page.keyboard.press('Enter');
  await program.page.getByText('## Gateways').waitFor();
  expect(await axeFaults(program.page)).toEqual([]);
  expect(program.complaints).toEqual([]);
});
