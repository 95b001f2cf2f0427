import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOnTop, visit, whenRead } from '../helpers/browser.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';
import { axeFaults, focusTakers } from './axe.ts';
import { type Filled, fillStudio } from './filledStudio.ts';
import { OddGateway } from './oddGateway.ts';
import { Program } from './program.ts';

/** Every page, dialog and menu, with content, checked against WCAG 2.2 AA by axe, in both themes and at two sizes. */

let program: Program;
let odd: OddGateway;
let filled: Filled;
beforeAll(async () => {
  [program, odd] = await Promise.all([Program.start(), OddGateway.start()]);
  await program.page.close();
  const context = await program.browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE_MS);
  program.page = await context.newPage();
  await program.page.goto(program.host.url);
  filled = await fillStudio(program.host, odd);
});
afterAll(async () => {
  await program?.stop();
  await odd?.stop();
});
const press = (chord: string) => program.page.keyboard.press(chord);
const go = (hash: string) =>
  visit(
    program.page,
    hash
      .replace('MISMATCH', filled.mismatchId)
      .replace('ASSET', filled.assetId)
      .replace('CHAT', filled.conversationId)
      .replace('LINKED', filled.linkedId),
  );

const click = (role: 'button' | 'option' | 'menuitem' | 'tab', name: string | RegExp) =>
  program.page.getByRole(role, { name }).first().click();
const dialog = () => program.page.getByRole('dialog').waitFor();
const plan = async () => {
  await program.page.getByRole('complementary', { name: 'Plan', exact: true }).waitFor();
  // The dry run has answered: what stands before it is not the page.
  await program.page.getByText(/^Dry run of /).waitFor();
};

type Open = () => Promise<unknown>;
const leave: Open = () => press('Escape');
const row = (text: string) => program.page.locator('.qrow', { hasText: text }).first().click();
const as = (id: string) => program.host.ask('profiles.activate', { id });
const asOdd = (hash: string, then?: Open) => async () => {
  await as('odd');
  await go(hash);
  await then?.();
};
const backToSandbox: Open = () => press('Escape').then(() => as('sandbox'));
const opened =
  (hash: string, ...actions: Open[]): Open =>
  async () => {
    await go(hash);
    for (const action of actions) await action();
  };
const menu = () => program.page.getByRole('menu').waitFor();
const list = () => program.page.getByRole('listbox', { name: '' }).last().waitFor();
const asTable = async () => {
  await program.page.getByRole('radio', { name: 'Table' }).click();
  await program.page.getByRole('grid').getByRole('row').nth(1).waitFor();
};
const chosen = () => program.page.getByRole('region', { name: 'Chosen' }).waitFor();
const profile = (name: string) => () => program.page.getByRole('tab', { name }).click();

/** How each is opened and closed. */
const PLACES: [name: string, open: Open, close?: Open][] = [
  ['chat', opened('chat?conversation=CHAT')],
  [
    'an address that a model wrote',
    opened(
      'chat?conversation=LINKED',
      () => program.page.getByRole('link', { name: 'the tide table' }).click(),
      dialog,
    ),
    leave,
  ],
  [
    'the pictures that a model is shown',
    opened('chat?conversation=CHAT', () => click('button', 'Show pictures'), dialog),
    leave,
  ],
  ['a chat to be deleted', opened('chat', async () => click('button', /^Delete /), dialog), leave],
  ['storyboard', () => go('storyboard')],
  [
    'preflight and export',
    opened('storyboard?view=export', () =>
      program.page
        .getByText(/^Shot 2 has no take/)
        .first()
        .waitFor(),
    ),
  ],
  ['removed shots', opened('storyboard', () => click('button', /^Removed 1/), dialog), leave],
  ['what can be done with a shot', opened('storyboard', () => click('button', 'More'), menu), leave],
  ['the models of a shot', opened('storyboard', () => program.page.getByRole('combobox').first().click(), list), leave],
  [
    'the picker of frames',
    opened(
      'storyboard',
      () => click('option', /^Shot 2/),
      () => click('button', /first frame/i),
      dialog,
    ),
    leave,
  ],
  ['models and prices', opened('settings?section=models', () => program.page.getByText(/^Extend shot 1/).waitFor())],
  [
    'facts of a model by hand',
    opened('settings?section=models&model=video-standard', () => click('button', 'Set by hand'), dialog),
    leave,
  ],
  [
    'a model to be added',
    asOdd('settings?section=models', async () => {
      await click('button', 'By hand');
      await dialog();
    }),
    backToSandbox,
  ],
  ['the doctor', opened('settings?section=doctor', () => program.page.getByText(/^8 steps/).waitFor())],
  ['a month on paper', opened('spend/print', () => program.page.getByRole('table', { name: 'By day' }).waitFor())],
  ['images', () => go('images')],
  ['queue', () => go('queue')],
  [
    'the kinds of the queue',
    opened('queue', () => program.page.getByRole('combobox', { name: 'Kind' }).click(), list),
    leave,
  ],
  ['the plan of a night', opened('queue', () => click('button', 'Plan a night'), plan), leave],
  [
    'a job to be canceled with what waits for it',
    opened(
      'queue',
      () => row('A quay at night'),
      () => click('button', /^Cancel/),
      dialog,
    ),
    leave,
  ],
  ['a job that waits', opened('queue', () => row('The same at dawn'))],
  [
    'the price before a job is tried again',
    opened(
      'queue',
      () => row('Called off'),
      () => click('button', /^Retry/),
      dialog,
    ),
    leave,
  ],
  [
    'a doubt',
    asOdd('queue', () => program.page.getByRole('article', { name: /^In doubt: Lost/ }).waitFor()),
    backToSandbox,
  ],
  [
    'the price before it is sent again',
    asOdd('queue', async () => {
      await click('button', 'Send again knowingly');
      await dialog();
    }),
    backToSandbox,
  ],
  [
    'a price that does not agree',
    asOdd(`queue?mismatch=MISMATCH`, () => program.page.getByRole('table').last().waitFor({ state: 'attached' })),
    backToSandbox,
  ],
  [
    'the price before it is adopted',
    asOdd(`queue?mismatch=MISMATCH`, async () => {
      await click('button', /^Adopt/);
      await dialog();
    }),
    backToSandbox,
  ],
  ['library', () => go('library')],
  ['one thing of the library', () => go('library?asset=ASSET')],
  ['all of the library, as a table', opened('library', asTable, () => press('Control+a'), chosen), leave],
  ['spend', () => go('spend')],
  ['spend of real money', asOdd('spend'), backToSandbox],
  ['a budget', opened('spend', () => click('button', 'Add a budget'), dialog), leave],
  ['the prices that are published', opened('spend', () => click('button', 'Import'), dialog), leave],
  [
    'both readings of a price',
    opened(
      'storyboard',
      () => click('option', /^Shot 1/),
      () => program.page.locator('button.price').first().click(),
      dialog,
    ),
    leave,
  ],
  ['settings', () => go('settings')],
  ['a gateway of one’s own', opened('settings', profile('Odd gateway'))],
  [
    'a profile to be removed',
    opened('settings', profile('Odd gateway'), () => click('button', 'Remove'), dialog),
    leave,
  ],
  ...['appearance', 'folder', 'backups', 'diagnostics', 'licences', 'shortcuts'].map((section): [string, Open] => [
    `settings: ${section}`,
    () => go(`settings?section=${section}`),
  ]),
  [
    'a key that means something already',
    opened(
      'settings?section=shortcuts',
      () => click('button', /^Keep: /),
      () => press('j'),
      () => program.page.getByText('already means').waitFor(),
    ),
    leave,
  ],
  ['the palette', () => press('Control+k'), leave],
  ['projects', opened('chat', () => click('button', /^Project: /), menu), leave],
  [
    'a new project',
    opened(
      'chat',
      () => click('button', /^Project: /),
      () => click('menuitem', 'New project'),
      dialog,
    ),
    leave,
  ],
  [
    'the painter',
    opened(
      'images',
      () => click('tab', 'Edit'),
      () => program.page.locator('canvas').first().waitFor(),
    ),
    // At 720 the tabs are in a drawer by now.
    () => program.page.reload(),
  ],
  [
    'the first screen',
    async () => {
      await program.host.ask('settings.set', { welcomed: false });
      await program.page.reload();
      await program.page.getByRole('button', { name: 'Start in the sandbox' }).waitFor();
    },
    async () => {
      await program.host.ask('settings.set', { welcomed: true });
      await program.page.reload();
      await program.page.getByRole('navigation', { name: 'Pages' }).waitFor();
    },
  ],
];

/** In a drawer where the window is narrow, and the same in it. */
const WIDE_ONLY = new Set(['a chat to be deleted']);

describe.each([
  [1440, 900, PLACES],
  [720, 450, PLACES.filter(([name]) => !WIDE_ONLY.has(name))],
] as const)('at %i × %i', (width, height, places) => {
  test.each(places)('%s', async (_, open, close) => {
    await program.page.setViewportSize({ width, height });
    await open();
    await whenRead(program.page);
    // The themes differ in what they look like, and that in the same way at any size.
    const themes = width > 1_200 ? (['dark', 'light'] as const) : (['dark'] as const);
    const found = [...(await axeFaults(program.page, { themes })), ...(await focusTakers(program.page))];
    await close?.();
    expect(found).toEqual([]);
  });
});

/** What spends or commits, how it is opened, and the part that holds its button and, where it has one, its price. */
const prompt = () => program.page.getByRole('textbox', { name: 'Prompt', exact: true });
const SPENDS: [name: string, open: Open, button: RegExp, close?: Open][] = [
  ['a take', opened('storyboard'), /^Make take/],
  [
    'a promotion',
    opened(
      'storyboard',
      () => click('option', /^Shot 1/),
      () => click('button', 'More'),
      () => click('menuitem', /^Promote take/),
    ),
    /^Make take/,
    leave,
  ],
  [
    'an audition',
    opened(
      'storyboard',
      () => click('option', /^Shot 1/),
      () => press('a'),
    ),
    /^Keep take \d(?!,)/,
    () => click('tab', 'Board'),
  ],
  ['an export', opened('storyboard?view=export'), /^Export/],
  ['pictures of a matrix', opened('images', () => prompt().fill('A {red|blue|green} door, {open|shut}')), /^Imagine/],
  [
    'an edit',
    opened(
      'images',
      () => click('tab', 'Edit'),
      () => program.page.locator('canvas').first().waitFor(),
    ),
    /^Send edit/,
    () => program.page.reload(),
  ],
  [
    'a message',
    opened('chat', () => program.page.getByRole('textbox', { name: 'Message' }).fill('And in colour?')),
    /^Send/,
  ],
  ['a night', opened('queue?plan=night', plan), /^Arm night/],
  [
    'jobs that are imported',
    opened('queue?import=jobs', async () => {
      await program.page.getByRole('textbox', { name: 'Lines' }).fill('kind,prompt\nimagine,A quay\nimagine,A pier');
      await click('button', /^Read the lines/);
      await program.page.getByRole('button', { name: /^Queue 2 jobs/ }).waitFor();
    }),
    /^Queue 2 jobs/,
  ],
  [
    'a job again',
    opened(
      'queue',
      () => row('Called off'),
      () => click('button', /^Retry/),
      dialog,
    ),
    /again/,
    leave,
  ],
  [
    'a change of a job that waits',
    opened(
      'queue',
      () => row('The same at dawn'),
      () => click('button', /^Edit/),
      dialog,
    ),
    /^Save the change/,
    leave,
  ],
  ['extensions before a model ends', opened('settings?section=models'), /^Extend shot 1/],
  [
    'what is in doubt, again',
    asOdd('queue', async () => {
      await click('button', 'Send again knowingly');
      await dialog();
    }),
    /again/,
    backToSandbox,
  ],
  [
    'a price that is adopted',
    asOdd('queue?mismatch=MISMATCH', async () => {
      await click('button', /^Adopt/);
      await dialog();
    }),
    /^Adopt/,
    backToSandbox,
  ],
];
/** Cost nothing. */
const FREE = new Set(['an audition']);

// The first window of the desktop program at 200 % is 680 × 430.
describe.each([
  [680, 430],
  [720, 450],
  [1024, 700],
])('at %i × %i what spends is in view with its price, and nothing covers it', (width, height) => {
  test.each(SPENDS)('%s', async (name, open, label, close) => {
    const { page } = program;
    await page.setViewportSize({ width, height });
    await open();
    const bars = page.locator('.sendbar, .composer, .aud-foot');
    const bar = bars.filter({ has: page.getByRole('button', { name: label }) }).last();
    const button = bar.getByRole('button', { name: label });
    const shown = FREE.has(name) ? [button] : [button, bar.locator('.price').first()];
    const found: boolean[] = [];
    for (const element of shown) {
      await element.waitFor();
      found.push(await element.evaluate(isOnTop));
    }
    await close?.();
    expect(found).toEqual(shown.map(() => true));
  });
});
