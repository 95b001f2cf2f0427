import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/main/sandbox/index.ts';
import { arrived } from '../helpers/browser.ts';
import { MovedClock } from '../helpers/movedClock.ts';
import { labels, starting, whole } from '../labels.ts';
import { Keyboard } from './keyboard.ts';
import { Program } from './program.ts';

/**
 * The first day, night and morning by keyboard alone: from the first screen to an exported film, the user's own gateway, and a rated take
 * of the overnight run.
 */

const at = (day: number, hour: number): number => new Date(2026, 10, day, hour).getTime();
const clock = new MovedClock(at(21, 22));
let program: Program;
let gateway: Sandbox;
let keys: Keyboard;
beforeAll(async () => {
  [program, gateway] = await Promise.all([Program.start({ env: clock.env }), startSandbox({ speed: 'fast' })]);
  keys = new Keyboard(program);
  await clock.showTo(program.page);
  await program.page.reload();
});
afterAll(async () => {
  await program?.stop();
  await gateway?.close();
});

const made = async (take: number) => {
  await program.canSend(starting(labels.makeTake(take)));
  expect((await program.made('video', () => keys.press('Control+Enter'))).state).toBe('succeeded');
};

test('a film of four shots is made, linked and rated', async () => {
  const { page } = program;
  await page.getByRole('textbox', { name: labels.whatShouldTheFirstShotShow }).and(page.locator(':focus')).waitFor();
  await keys.type('A lighthouse in a storm');
  await program.canSend(starting(labels.makeTheFirstTake));
  await program.made('video', () => keys.press('Control+Enter'));
  await arrived(page, 'storyboard');
  await keys.check('on the board');
  for (const number of [2, 3, 4]) {
    await keys.open(/^Add shot/);
    await page
      .getByRole('textbox', { name: labels.promptOfShot(number) })
      .and(page.locator(':focus'))
      .waitFor();
    await keys.type(`The sea, ${number}`);
    await made(1);
    await keys.check(`shot ${number}`);
  }
  await keys.tabTo(/^Shot 4, /);
  await keys.press('y');
  await page
    .getByText(/^Take 1 of shot 4, Keep, Selected take/)
    .first()
    .waitFor({ state: 'attached' });
  await keys.press('ArrowLeft');
  await keys.check('on shot 3');
  await keys.press('Alt+j');
  await page.getByRole('menu').waitFor();
  await keys.press('ArrowDown', 'Enter');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await keys.check('after the link');
});

test('the film is exported', async () => {
  const { page } = program;
  await keys.press('Control+e');
  await page.getByRole('heading', { name: 'Export', exact: true }).waitFor();
  await keys.check('on the export');
  await page.getByRole('button', { name: /^Export/, disabled: false }).waitFor();
  await keys.press('Control+Enter');
  await keys.see(labels.exported);
  await keys.check('after the export');
  await keys.press('Escape');
  await page.getByRole('tab', { name: labels.board }).waitFor();
  await keys.check('back on the board');
});

test('a gateway is connected with real money and a budget', async () => {
  const { page } = program;
  await keys.open(/^Settings$/);
  await arrived(page, 'settings');
  await keys.open(starting(labels.connectAGateway));
  await page.getByRole('textbox', { name: labels.baseUrl }).and(page.locator(':focus')).waitFor();
  await keys.type(gateway.baseUrl);
  await keys.press('Tab');
  await keys.type('wrong-0123456789abcdef');
  await keys.press('Enter');
  await keys.see('The gateway refused the key');
  await keys.check('after the key was refused');
  await keys.write(/^API key/, gateway.apiKey);
  await keys.press('Enter');
  await keys.see(/ is connected$/);
  await keys.check('after the check');
  await keys.open(whole(labels.continue));
  await keys.see('Daily budget');
  await keys.check('on real money');
  await keys.open(whole(labels.startWithRealMoney));
  await page.getByRole('navigation', { name: labels.pages }).waitFor();
  await keys.check('after the start with real money');
});

test('the spend in real and in test money is read', async () => {
  await keys.press('Alt+7');
  await arrived(program.page, 'spend');
  await keys.check('on spend');
  await keys.tabTo(/^Test money$|^Real money$/);
  await keys.press('ArrowRight');
  await keys.check('on the other side');
  await keys.open(whole('Check a bill'));
  await keys.check('on the bill');
});

test('a take is scheduled for the night at its price', async () => {
  const { page } = program;
  await keys.press('Alt+4');
  await page.getByRole('link', { name: starting(labels.planANight) }).waitFor();
  await keys.open(starting(labels.planANight));
  await page.getByRole('complementary', { name: labels.plan, exact: true }).waitFor();
  await keys.write(starting(labels.from), '23:00');
  await keys.write(starting(labels.to), '07:00');
  await keys.write(starting(labels.hardCap), '5');
  await keys.press('Enter');
  await program.press(/^Schedule run 1/, page.getByText(labels.armedCloseTheWindowNot));
  await keys.check('after the run was scheduled');
  await keys.press('Alt+1');
  await program.canSend(starting(labels.makeTake(2)));
  await keys.tabTo(starting(labels.makeTake(2)));
  await keys.open(whole(labels.scheduleTonight));
  // The first paid request to a gateway asks once.
  await page.getByRole('dialog', { name: starting('Pay with real money at') }).waitFor();
  await keys.open(starting('Pay with real money'));
  await keys.see('Make take 2: Scheduled overnight');
  await keys.check('after the take was scheduled');
});

test('in the morning the report leads to the take, which is rated', async () => {
  const { page } = program;
  await clock.sleepUntil(at(21, 23) + 1_000, page);
  await page
    .getByText(/^Take 2 of shot 3, (Selected take, )?At most/)
    .first()
    .waitFor({ state: 'attached' });
  await clock.sleepUntil(at(22, 7) + 1_000, page);
  await keys.press('Alt+4');
  await page.getByRole('region', { name: labels.night(1) }).waitFor();
  await keys.check('on the morning report');
  await keys.open(starting(labels.reviewTakes(1)));
  await page.getByRole('button', { name: starting(labels.keepN('take 2')) }).waitFor();
  await keys.press('y');
  await keys.see(labels.nothingLeftToReview);
  await keys.check('where nothing is left to review');
});

test('the focus was always visible, and the page reported no errors', () => {
  expect([...keys.unseen]).toEqual([]);
  expect(program.complaints).toEqual([]);
});
