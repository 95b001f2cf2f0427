import { afterAll, beforeAll, expect, test } from 'vitest';
import { hourOf } from '../../src/main/core/night/index.ts';
import { arrived } from '../helpers/browser.ts';
import { Program } from './program.ts';

/** A first session from the empty folder to the settings, by keyboard alone: nothing here clicks, and no script triggers a control. */

const HOUR = 3_600_000;

let program: Program;
beforeAll(async () => {
  program = await Program.start();
});
afterAll(async () => {
  await program?.stop();
});

/** Places where the focus was not visible: each is an error. */
const unseen = new Set<string>();

interface Focus {
  name: string;
  where: 'body' | 'page';
  isSeen: boolean;
}

const focused = (): Promise<Focus> => program.page.evaluate(focusOfPage) as Promise<Focus>;

/** Runs in the page: what has the focus, and whether a ring is drawn around it, its field or its picked row. */
function focusOfPage(): unknown {
  const { document, getComputedStyle } = globalThis as unknown as {
    document: { activeElement: El; body: El };
    getComputedStyle(element: El): { outlineStyle: string; boxShadow: string };
  };
  interface El {
    getAttribute(name: string): string | null;
    textContent: string | null;
    closest(selector: string): El | null;
    querySelector(selector: string): El | null;
    outerHTML: string;
    labels?: ArrayLike<El> | null;
    ownerDocument: { getElementById(id: string): El | null };
  }
  const element = document.activeElement;
  const by = element.getAttribute('aria-labelledby')?.split(' ')[0];
  const label = element.labels?.[0] ?? (by === undefined ? null : element.ownerDocument.getElementById(by));
  const kind = element.getAttribute('data-panel') === null ? '' : 'the panel ';
  const name = element.getAttribute('aria-label') ?? label?.textContent ?? element.textContent ?? '';
  const ringed = (one: El | null) => {
    if (one === null) return false;
    const { outlineStyle, boxShadow } = getComputedStyle(one);
    return outlineStyle !== 'none' || boxShadow.includes('inset');
  };
  const around = [
    element,
    element.closest('.in'),
    element.closest('.q'),
    element.querySelector('[aria-selected="true"]'),
  ];
  const isSeen = around.some(ringed);
  return {
    name: kind + name || element.outerHTML.slice(0, 120),
    where: element === document.body ? 'body' : 'page',
    isSeen,
  };
}

async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await program.page.keyboard.press(key);
}

/** The focus may move from a removed element to a new one; it must end visibly on the page. */
async function check(step: string): Promise<void> {
  await expect.poll(async () => (await focused()).where, { message: `${step}: the focus is nowhere` }).toBe('page');
  const { name, isSeen } = await focused();
  if (!isSeen) unseen.add(`${step}: no ring on ${name.slice(0, 60)}`);
}

/** Presses Tab until an element of that name has the focus; every stop on the way is checked. */
async function tabTo(name: RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  let bare = 0;
  for (let step = 0; step < 140; step++) {
    await press(key);
    const focus = await focused();
    // Behind the last control the window itself has a turn.
    bare = focus.where === 'body' ? bare + 1 : 0;
    if (bare > 1) break;
    if (focus.where === 'page' && !focus.isSeen) unseen.add(`no ring on ${focus.name.slice(0, 80)}`);
    if (focus.where === 'page' && name.test(focus.name.trim())) return;
    passed.push(focus.name.slice(0, 30));
  }
  throw new Error(`Tab never came to ${name}; it came to ${[...new Set(passed)].join(' | ')}`);
}

/** Replaces what is in a field. */
async function write(field: RegExp, text: string): Promise<void> {
  await tabTo(field);
  await press('Control+a');
  await program.page.keyboard.type(text);
}

/** Opens a menu and goes down to a line of it. */
async function choose(button: RegExp, line: RegExp): Promise<void> {
  await tabTo(button);
  await press('Enter');
  await program.page.getByRole('menu').waitFor();
  for (let step = 0; step < 20; step++) {
    await check('in a menu');
    if (line.test((await focused()).name)) return press('Enter');
    await press('ArrowDown');
  }
  throw new Error(`the menu has no ${line}`);
}

/** The sandbox accepts the request with this prompt and does not answer. */
async function lose(words: string): Promise<void> {
  const rules = [{ match: { promptIncludes: words }, action: { kind: 'drop', when: 'after' } }];
  const answer = await fetch(`${await sandbox()}/__sandbox/faults`, { method: 'PUT', body: JSON.stringify(rules) });
  if (!answer.ok) throw new Error(await answer.text());
}

const type = (text: string) => program.page.keyboard.type(text);
const seen = (text: string | RegExp) => program.page.getByText(text).first().waitFor();
const dialog = (name?: string | RegExp) => program.page.getByRole('dialog', name ? { name } : {}).waitFor();
const gone = () => program.page.getByRole('dialog').waitFor({ state: 'detached' });

async function sandbox(): Promise<string> {
  const { profiles } = await program.host.ask('profiles.list');
  return profiles.find(({ builtin }) => builtin)?.baseUrl ?? '';
}

test('the first screen: a gateway is entered, tested and used', async () => {
  await program.page.getByRole('button', { name: 'Start in the sandbox' }).waitFor();
  await check('the first screen');
  await tabTo(/^Base URL/);
  await type(await sandbox());
  await tabTo(/^API key/);
  await type('sk-0123456789abcdef');
  await tabTo(/^Test$/);
  await press('Enter');
  await seen('Test again');
  await check('after the test');
  await tabTo(/^Use this gateway/);
  await press('Enter');
  await program.page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await check('in the studio');
});

test('a project, a shot, its prompt, its frame, its price, and the request', async () => {
  const { page } = program;
  await press('Alt+2');
  await seen('Start a film');
  await check('on the board');
  await choose(/^Project: /, /^New project/);
  await dialog('New project');
  await type('Harbour');
  await press('Enter');
  await gone();
  await seen('No shot yet');
  await check('after a project was named');
  await tabTo(/^Add the first shot/);
  await press('Enter');
  await page.getByRole('heading', { name: 'Shot 1', exact: true }).waitFor();
  await check('after a shot was added');
  await tabTo(/^Prompt of shot 1/);
  await type('A lighthouse in a storm');
  await seen(/1 take, 4 s/);
  await program.canSend(/^Make take 1/);
  const job = await program.made('video', () => press('Control+Enter'));
  expect(job.state).toBe('succeeded');
  await page.locator('video:not([hidden])[src]').waitFor();
  await check('after the order');
});

test('it is watched, judged and extended', async () => {
  const { page } = program;
  await tabTo(/^Shot 1, /);
  await press('k');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await press('k');
  await press('y');
  await page.getByText('Take 1, keep, active').first().waitFor({ state: 'attached' });
  await choose(/^More$/, /^Next shot extends/);
  await page.getByRole('heading', { name: 'Shot 2', exact: true }).waitFor();
  await check('after the extension was begun');
  await tabTo(/^Prompt of shot 2/);
  await type('It goes dark');
  await program.canSend(/^Make take 1/);
  // Its answer is lost: it is settled further below.
  await lose('It goes dark');
  const events = await program.host.events();
  await press('Control+Enter');
  const { job } = await events.next('job.changed', (event) => event.job.state === 'uncertain');
  await events.close();
  expect(job.request).toHaveProperty('video');
  await check('after the extension was ordered');
});

test('a chat question gets its answer', async () => {
  await press('Alt+1');
  await arrived(program.page, 'chat');
  await check('on the chat');
  await tabTo(/^Message/);
  await type('Five shots for a night ferry');
  await program.canSend(/^Send/);
  await program.made('chat', () => press('Control+Enter'));
  await seen('No model was asked');
  await check('after the answer');
});

test('a picture is imagined, masked, and its edit sent', async () => {
  const { page } = program;
  await press('Alt+3');
  await arrived(page, 'images');
  await check('on Images');
  await tabTo(/^Prompt$/);
  await type('A ferry quay at night --ar 16:9');
  await program.canSend(/^Imagine/);
  await program.made('imagine', () => press('Control+Enter'));
  await page.getByRole('button', { name: 'Paint a mask and edit' }).waitFor();
  await check('after the picture');
  await tabTo(/^Paint a mask and edit/);
  await press('Enter');
  await page.getByRole('application', { name: /^Mask over the picture/ }).waitFor();
  await seen('Arrows move, Enter paints and lifts, Esc drops');
  await check('in the painter');
  await press('Enter', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'Enter');
  await seen('Stroke 1 of 1');
  await tabTo(/^Prompt of the edit/);
  await type('An old bicycle');
  await program.canSend(/^Send edit/);
  await program.made('edit', () => press('Control+Enter'));
  await seen('The edit is made');
  await check('after the edit');
});

test('a night is planned and armed, and the doubt is settled', async () => {
  const { page } = program;
  await press('Alt+4');
  await page.getByRole('article', { name: /^In doubt/ }).waitFor();
  await check('on the queue');
  await tabTo(/^Plan a night/);
  await press('Enter');
  await page.getByRole('complementary', { name: 'Plan', exact: true }).waitFor();
  await check('in the plan');
  // Of a night that begins at once, another sentence is said.
  await write(/^From/, hourOf(Date.now() + 2 * HOUR));
  await write(/^To/, hourOf(Date.now() + 9 * HOUR));
  await write(/^Hard cap/, '5');
  await press('Enter');
  await page.getByRole('button', { name: /^Arm night 1/, disabled: false }).waitFor();
  await press('Control+Enter');
  await seen('Armed. Close the window, not the machine.');
  await check('after the night was armed');
  await press('Escape');
  await page.getByRole('link', { name: 'Whole night' }).waitFor();
  await check('on the queue again');
  await tabTo(/^Count it as lost/, 'Shift+Tab');
  await press('Enter');
  await page.getByRole('article', { name: /^In doubt/ }).waitFor({ state: 'detached' });
  await check('after the doubt was settled');
});

test('spend and settings are reached, and the key recorder is left by Esc and by Tab', async () => {
  const { page } = program;
  await press('Alt+6');
  await page.getByRole('heading', { name: 'Spend', exact: true }).waitFor({ state: 'attached' });
  await check('on Spend');
  await press('Alt+7');
  await arrived(page, 'settings');
  await check('on Settings');
  await tabTo(/^Shortcuts/);
  await press('Enter');
  await page.getByRole('heading', { name: 'Shortcuts' }).waitFor();
  await check('on the shortcuts');
  await tabTo(/^Find or run anything: /);
  await press('Enter');
  await seen('press keys');
  await check('in the recorder');
  await press('Escape');
  await page.getByText('press keys').waitFor({ state: 'detached' });
  expect((await focused()).name).toMatch(/^Find or run anything: /);
  await press('Enter', 'Tab');
  await page.getByText('press keys').waitFor({ state: 'detached' });
  await check('behind the recorder');
  expect((await focused()).name).toMatch(/^Chat: /);
});

test('the focus was seen wherever it was, and the page had nothing to complain about', () => {
  expect([...unseen]).toEqual([]);
  expect(program.complaints).toEqual([]);
});
