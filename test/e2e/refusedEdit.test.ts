import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPng } from '../helpers/png.ts';
import { labels } from '../labels.ts';
import { Program } from './program.ts';

/** What the studio refuses of a board is told, kept over a reload and taken back, and keeps nothing else from being saved or undone. */

const KEY = 'canary-Zk83hdPq0eM41xwTz';

let program: Program;
let projectId: string;
beforeAll(async () => {
  program = await Program.start();
  const { host, page } = program;
  const profile = await host.ask('profiles.save', { name: 'Mine', baseUrl: 'https://gateway.example' });
  await host.ask('profiles.setKey', { id: profile.id, apiKey: KEY });
  ({ id: projectId } = await host.ask('projects.create', { name: 'Harbour' }));
  await host.ask('settings.set', { welcomed: true, projectId });
  const shot = { prompt: 'A quay', model: 'video-standard', config: { durationSeconds: 4 as const } };
  await host.ask('storyboard.save', { projectId, revision: 0, shots: ['s1', 's2'].map((id) => ({ ...shot, id })) });
  await page.evaluate(`location.hash = '#/storyboard'`);
  await page.getByRole('heading', { name: labels.shotN(1), exact: true }).waitFor();
});
afterAll(async () => {
  await program?.stop();
});

const shots = async () => (await program.host.ask('storyboard.get', { projectId })).shots;
const prompt = (number: number) => program.page.getByLabel(`Prompt of shot ${number}`);
const strip = () => program.page.locator('main').getByRole('alert');
const SECRET = 'Not saved: in shot 1 the prompt contains one of your API keys.';

test('a key in a prompt is told where it stands; the next shot is saved, and undone', async () => {
  const { page } = program;
  await prompt(1).fill(`Signed ${KEY}`);
  await strip().getByText(SECRET).waitFor();
  await page.locator('#shot-s2').click();
  await prompt(2).fill('A lamp');
  await expect.poll(async () => (await shots()).map((shot) => shot.prompt)).toEqual(['A quay', 'A lamp']);
  await page.locator('#shot-s2').click();
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await shots())[1]?.prompt).toBe('A quay');
  await strip().getByText(SECRET).waitFor();
  await strip().getByRole('button', { name: labels.showIt }).click();
  await page.getByRole('heading', { name: labels.shotN(1), exact: true }).waitFor();
  await strip().getByRole('button', { name: labels.takeItBack }).click();
  await strip().waitFor({ state: 'detached' });
  await expect.poll(() => prompt(1).inputValue()).toBe('A quay');
});

test('what breaks a rule is there again after a reload, and mended it is saved', async () => {
  const { page } = program;
  const long = 'x'.repeat(100_001);
  const rule = 'Not saved: in shot 1 the prompt must have at most 100,000 characters.';
  await prompt(1).fill(long);
  await strip().getByText(rule).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: labels.shotN(1), exact: true }).waitFor();
  await strip().getByText(rule).waitFor();
  await expect.poll(() => prompt(1).inputValue()).toBe(long);
  expect((await shots())[0]?.prompt).toBe('A quay');
  await prompt(1).fill('A quay at night');
  await strip().waitFor({ state: 'detached' });
  await expect.poll(async () => (await shots())[0]?.prompt).toBe('A quay at night');
});

test('a shot whose first frame is gone from the disk is marked, and has no way to be paid for', async () => {
  const { page, host } = program;
  const put = await host.request('/media?name=quay.png&role=source', { method: 'PUT', body: testPng(16, 9) });
  const { data } = (await put.json()) as { data: { id: string; sha256: string } };
  const board = await host.ask('storyboard.get', { projectId });
  const [first, ...rest] = board.shots;
  if (!first) throw new Error('no shot');
  const image = { assetId: data.id };
  await host.ask('storyboard.save', { ...board, shots: [{ ...first, source: 'first', image }, ...rest] });
  await page.getByRole('button', { name: /^First frame: quay\.png/ }).waitFor();
  const areShown = `[...document.images].every((one) => one.complete)`;
  await expect.poll(() => page.evaluate(areShown)).toBe(true);
  const { dataDir } = await host.ask('app.info');
  rmSync(path.join(dataDir, 'library', data.sha256.slice(0, 2), `${data.sha256}.png`));
  await page.evaluate(`window.dispatchEvent(new Event('focus'))`);
  await page.locator('#shot-s1').getByText(labels.pictureGone).waitFor();
  await page
    .getByText('The first frame is not on this disk any more: bring it in again, or choose another.')
    .first()
    .waitFor();
  expect((await host.ask('jobs.list', {})).total).toBe(0);
});

test('no page error was seen on the way', () => {
  expect(program.complaints).toEqual([]);
});
