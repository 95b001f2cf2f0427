import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPng } from '../helpers/png.ts';
import { axeFaults } from './axe.ts';
import { Program } from './program.ts';
import { rangeText } from './spending.ts';

/** The seams of a film with the keyboard alone: what jumps is found, and mended. */

let program: Program;
let projectId: string;
beforeAll(async () => {
  program = await Program.start();
  const { host, page } = program;
  ({ id: projectId } = await host.ask('projects.create', { name: 'Harbour' }));
  await host.ask('settings.set', { welcomed: true, projectId });
  const { revision } = await host.ask('storyboard.get', { projectId });
  const shot = { model: 'video-standard', config: { durationSeconds: 4 as const, generateAudio: true } };
  const shots = [
    { ...shot, id: 's1', prompt: 'A quay at night' },
    { ...shot, id: 's2', prompt: 'A salt flat at noon' },
    { ...shot, id: 's3', prompt: 'A quay at night' },
  ];
  await host.ask('storyboard.save', { projectId, revision, shots });
  // The second shot is made without the first one's frame: its joint is chosen afterwards, and jumps.
  for (const shotId of ['s1', 's2', 's3'])
    await program.made('video', () => host.ask('storyboard.makeTake', { projectId, shotId }));
  const board = await host.ask('storyboard.get', { projectId });
  await host.ask('storyboard.save', {
    ...board,
    shots: board.shots.map((made) => (made.id === 's2' ? { ...made, joint: 'continue' as const } : made)),
  });
  await page.evaluate(`location.hash = '#/storyboard'`);
  await page.getByRole('heading', { name: 'Shot 1', exact: true }).waitFor();
});
afterAll(async () => {
  await program?.stop();
});

const press = (key: string) => program.page.keyboard.press(key);
const see = (text: string | RegExp) => program.page.getByText(text).first().waitFor();

test('every joint is measured: one jumps, and a cut is meant', async () => {
  const { page } = program;
  await press('s');
  await page.getByRole('heading', { name: 'Joint 1 to 2' }).waitFor();
  await see(/0 meet, 1 jump, 1 meant as cuts, 0 not measured/);
  await page.getByRole('row', { name: /Frames jumps/ }).waitFor();
});

test('arrows go from joint to joint, N goes to the next jump', async () => {
  const { page } = program;
  await press('ArrowRight');
  await page.getByRole('heading', { name: 'Joint 2 to 3' }).waitFor();
  await press('n');
  await page.getByRole('heading', { name: 'Joint 1 to 2' }).waitFor();
});

test('the frames are shown in four ways, and a second around the seam is looped', async () => {
  const { page } = program;
  for (const [key, name] of [
    ['w', 'Wipe'],
    ['d', 'Difference'],
    ['f', 'Flicker'],
    ['p', 'Pair'],
  ] as const) {
    await press(key);
    await page.getByRole('radio', { name, checked: true }).waitFor();
  }
  await press('k');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  // The time that is shown goes on by the clock, whether a frame is played or not.
  const played = `Math.max(...[...document.querySelectorAll('.seam-main video')].map((video) => video.played.length))`;
  await expect.poll(() => page.evaluate(played)).toBeGreaterThan(0);
  await press('k');
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
});

test('the seams have no fault that axe knows', async () => {
  const { page } = program;
  expect(await axeFaults(page, { within: '.storyboard' })).toEqual([]);
});

test('at 1024 no row of the graphs holds more than its height', async () => {
  const { page } = program;
  await page.setViewportSize({ width: 1024, height: 700 });
  const [looked, over] = await page.evaluate<[number, string[]]>(`(() => {
    const all = [...document.querySelectorAll('.mrow > .ml, .mrow > .mf')];
    const over = all.filter((one) => one.scrollHeight > one.parentElement.clientHeight);
    return [all.length, over.map((one) => one.textContent)];
  })()`);
  expect(looked).toBeGreaterThan(0);
  expect(over).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('the first way out makes the shot again from what plays before it, at the shown price', async () => {
  const { page, host } = program;
  await page.locator('.ways').getByRole('button', { name: 'Continue again', disabled: false }).waitFor();
  await press('1');
  await program.canSend(/^Continue again.*Ctrl/);
  const job = await program.made('video', () => press('Control+Enter'));
  expect(job.state).toBe('succeeded');
  expect(job.request).toMatchObject({ image: { frame: 'last' } });
  const { shots } = await host.ask('storyboard.get', { projectId });
  expect(shots[1]?.takes).toHaveLength(2);
  await page.getByRole('heading', { name: 'Joint 1 to 2' }).waitFor();
});

/** Presses a way's key and the chord that spends; what the button showed is what the ledger has for the job, and what is billed. */
async function mend(key: string, title: string) {
  const { page } = program;
  const before = (await program.bill()).totalNano;
  // The key of a way that is still off only says why: a change of the board that makes it possible may not be on the page yet.
  await page.locator('.ways').getByRole('button', { name: title, disabled: false }).waitFor();
  await press(key);
  await program.canSend(new RegExp(`^${title}.*Ctrl`));
  const shown = await page.locator('aside[aria-label="Joint"] .sendbar .price').first().textContent();
  const job = await program.made('video', () => press('Control+Enter'));
  expect(job.state).toBe('succeeded');
  const { estimateNano, estimateLowNano, chargedNano } = job.money;
  expect(shown).toBe(rangeText(estimateLowNano, estimateNano));
  expect(chargedNano).toBe(estimateNano);
  const bill = (await program.bill()).totalNano;
  expect(bill - before).toBe(chargedNano);
  const { sum } = await program.host.ask('ledger.totals', { groupBy: 'project' });
  expect(sum).toMatchObject({ settledNano: bill, reservedNano: 0, uncertainNano: 0 });
  return job;
}

test('the second way extends instead: the joint and its take are ordered in one step, at the shown price', async () => {
  const job = await mend('2', 'Extend shot 1 instead');
  const { shots } = await program.host.ask('storyboard.get', { projectId });
  expect(job.request).toMatchObject({ video: { jobId: shots[0]?.activeTake } });
  expect(shots[1]).toMatchObject({ joint: 'extend', source: 'extend' });
  expect(shots[1]?.takes.at(-1)).toBe(job.id);
});

test('the fourth way is free: another take on this disk that meets better plays', async () => {
  const before = (await program.bill()).totalNano;
  const playing = async () => (await program.host.ask('storyboard.get', { projectId })).shots[1]?.activeTake;
  const old = await playing();
  await see(/Use take \d of shot/);
  await press('4');
  await see(/plays for shot \d now/);
  await expect.poll(playing).not.toBe(old);
  expect((await program.bill()).totalNano).toBe(before);
});

test('the last way out is free: the joint is a cut, and no fault any more', async () => {
  const { bill } = program;
  const before = (await bill.call(program)).totalNano;
  await press('6');
  await see(/2 meant as cuts/);
  expect((await bill.call(program)).totalNano).toBe(before);
  const joint = async () => (await program.host.ask('storyboard.get', { projectId })).shots[1]?.joint;
  await expect.poll(joint).toBe('cut');
});

test('the third way makes a transition, a new shot between the two, in one step', async () => {
  const { page, host } = program;
  const uploaded = await host.request('/media?name=end.png&role=source', { method: 'PUT', body: testPng(160, 90, 3) });
  const { data } = (await uploaded.json()) as { data: { id: string } };
  const board = await host.ask('storyboard.get', { projectId });
  await host.ask('storyboard.save', {
    ...board,
    shots: board.shots.map((shot) =>
      shot.id === 's2' ? { ...shot, source: 'first' as const, image: { assetId: data.id } } : shot,
    ),
  });
  // Nothing has to be mended at a cut that is meant: no price is offered until a way is chosen.
  expect(await page.locator('aside[aria-label="Joint"] .sendbar').count()).toBe(0);
  const job = await mend('3', 'Transition into take');
  expect(job.request).toMatchObject({ image: { frame: 'last' }, lastFrame: { assetId: data.id } });
  const { shots } = await host.ask('storyboard.get', { projectId });
  expect(shots.map(({ id, takes }) => [id, takes.includes(job.id)])).toEqual([
    ['s1', false],
    [expect.any(String), true],
    ['s2', false],
    ['s3', false],
  ]);
});

test('no page error was seen on the way', () => {
  expect(program.complaints).toEqual([]);
});
