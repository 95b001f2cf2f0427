import AxeBuilder from '@axe-core/playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Program } from './program.ts';

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
const see = (text: string | RegExp) => program.page.getByText(text).first().waitFor({ timeout: 60_000 });

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
  await expect.poll(() => page.locator('.seam-main .tc').textContent(), { timeout: 20_000 }).not.toBe('0');
  await press('k');
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
});

test.each(['dark', 'light'] as const)('the seams have no fault that axe knows, %s', async (theme) => {
  const { page } = program;
  await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().include('.storyboard').analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
});

test('the first way out makes the shot again from what plays before it, at the shown price', async () => {
  const { page, host } = program;
  await press('1');
  await program.canSend(/^Continue again.*Ctrl/);
  const job = await program.made('video', () => press('Control+Enter'));
  expect(job.state).toBe('succeeded');
  expect(job.request).toMatchObject({ image: { frame: 'last' } });
  const { shots } = await host.ask('storyboard.get', { projectId });
  expect(shots[1]?.takes).toHaveLength(2);
  await page.getByRole('heading', { name: 'Joint 1 to 2' }).waitFor();
});

test('the last way out is free: the joint is a cut, and no fault any more', async () => {
  const { bill } = program;
  const before = (await bill.call(program)).totalNano;
  await press('5');
  await see(/2 meant as cuts/);
  expect((await bill.call(program)).totalNano).toBe(before);
  const joint = async () => (await program.host.ask('storyboard.get', { projectId })).shots[1]?.joint;
  await expect.poll(joint, { timeout: 20_000 }).toBe('cut');
});

test('no page error was seen on the way', () => {
  expect(program.complaints).toEqual([]);
});
