import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import { visit, whenRead } from '../helpers/browser.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';
import { axeFaults } from './axe.ts';
import { OddGateway } from './oddGateway.ts';
import { Program } from './program.ts';

/** Every page, dialog and menu, with content, checked against WCAG 2.2 AA by axe, in both themes and at two sizes. */

let program: Program;
let odd: OddGateway;
let conversationId: string;
let mismatchId: string;
let assetId: string;
beforeAll(async () => {
  [program, odd] = await Promise.all([Program.start(), OddGateway.start()]);
  await program.page.close();
  const context = await program.browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE_MS);
  program.page = await context.newPage();
  await program.page.goto(program.host.url);
  await fill();
});
afterAll(async () => {
  await program?.stop();
  await odd?.stop();
});

const clip = {
  kind: 'video',
  model: 'video-standard',
  prompt: 'A quay at night',
  config: { durationSeconds: 4 },
} as const satisfies StudioRequest;

/** Content after a first session: a film with a take, a picture, a chat, a refused job, a waiting job, a budget. */
async function fill(): Promise<void> {
  const { host } = program;
  const { id: projectId } = await host.ask('projects.create', { name: 'Harbour' });
  await host.ask('settings.set', { welcomed: true, projectId });
  const board = await host.ask('storyboard.get', { projectId });
  const shot = {
    id: 's1',
    title: 'Arrival',
    prompt: clip.prompt,
    model: clip.model,
    config: { durationSeconds: 4 as const },
  };
  await host.ask('storyboard.save', { ...board, shots: [shot, { ...shot, id: 's2', source: 'first' as const }] });
  const events = await host.events();
  const ended = (id: string) => events.next('job.changed', ({ job }) => job.id === id && job.finishedAt !== undefined);
  const take = await host.ask('storyboard.makeTake', { projectId, shotId: 's1' });
  await ended(take.job.id);
  await host.ask('jobs.judge', { id: take.job.id, verdict: 'keep' });
  const facts = { endsAt: Date.now() + 60 * 86_400_000, last: false };
  await host.ask('models.set', { model: clip.model, facts });
  // One that was made and removed: it is in the bin.
  const { revision, shots } = await host.ask('storyboard.get', { projectId });
  await host.ask('storyboard.save', {
    projectId,
    revision,
    shots: [...shots, { ...shot, id: 's3', title: 'Left out' }],
  });
  await host.ask('storyboard.save', { projectId, revision: revision + 1, shots });
  const { jobs } = await host.ask('jobs.enqueue', {
    requests: [{ kind: 'imagine', prompt: 'Salt flat at noon', mode: 'turbo' }],
    projectId,
  });
  await ended(jobs[0]?.id ?? '');
  ({ conversationId } = await host.ask('chat.create', {}));
  const said = await host.ask('chat.send', { conversationId, text: 'Say **something** with a table' });
  await ended(said.jobId);
  await fillOdd(events);
  await events.close();
  await host.ask('queue.pause');
  const { jobs: waiting } = await host.ask('jobs.enqueue', {
    requests: [clip, { ...clip, prompt: 'The same at dawn' }, { ...clip, prompt: 'Called off' }],
  });
  await host.ask('jobs.enqueue', {
    requests: [{ ...clip, prompt: 'From its last frame', image: { jobId: waiting[0]?.id ?? '', frame: 'last' } }],
  });
  await host.ask('jobs.cancel', { id: waiting[2]?.id ?? '' });
  await host.ask('budgets.set', { scope: 'day', hardNano: 50_000_000_000 });
  assetId = (await host.ask('library.list', { limit: 1 })).assets[0]?.id ?? '';
}

/** Open cases of a gateway: a request in doubt, and a mismatched price with one chat waiting for it. */
async function fillOdd(events: Awaited<ReturnType<typeof program.host.events>>): Promise<void> {
  const { host } = program;
  await host.ask('profiles.save', {
    id: 'odd',
    name: 'Odd gateway',
    baseUrl: odd.baseUrl,
    extraHeaders: { 'X-Team': 'a' },
  });
  await host.ask('profiles.setKey', { id: 'odd', apiKey: 'sk-0123456789abcdef' });
  await host.ask('profiles.activate', { id: 'odd' });
  const chat = {
    kind: 'chat' as const,
    model: 'language',
    messages: [{ role: 'user' as const, content: 'Hello' }],
    stream: false,
  } satisfies StudioRequest;
  const stopped = events.next('mismatch.changed');
  await host.ask('jobs.enqueue', { requests: [chat] });
  mismatchId = (await stopped).mismatch.id;
  const lost = events.next('job.changed', ({ job }) => job.state === 'uncertain');
  await host.ask('jobs.enqueue', { requests: [chat, { ...clip, prompt: 'Lost on the way' }] });
  await lost;
  await host.ask('profiles.activate', { id: 'sandbox' });
}

const press = (chord: string) => program.page.keyboard.press(chord);
const go = async (hash: string) => {
  await visit(program.page, hash.replace('MISMATCH', mismatchId).replace('ASSET', assetId));
};

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
const backToSandbox: Open = async () => {
  await press('Escape');
  await as('sandbox');
};
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
  ['chat', () => go(`chat?conversation=${conversationId}`)],
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
  ['settings: appearance', () => go('settings?section=appearance')],
  ['settings: library folder', () => go('settings?section=folder')],
  ['settings: backups', () => go('settings?section=backups')],
  ['settings: diagnostics', () => go('settings?section=diagnostics')],
  ['settings: shortcuts', () => go('settings?section=shortcuts')],
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
    const found = [...(await axeFaults(program.page, { themes })), ...(await focusTakers())];
    await close?.();
    expect(found).toEqual([]);
  });
});

/**
 * A list that names its active option keeps the focus: a clicked option that had it would take it along when it is scrolled out of the page,
 * and the keys would lead nowhere.
 */
const focusTakers = (): Promise<string[]> =>
  program.page
    .locator(':is([role="listbox"], [role="grid"], table)[tabindex="0"], [aria-activedescendant]')
    .locator(':is([role="option"], tr)[tabindex]')
    .evaluateAll((found) => found.map(({ outerHTML }) => `takes the focus: ${outerHTML.slice(0, 200)}`));

describe.each([
  [720, 450],
  [1024, 700],
])('at %i × %i what spends is in view with its price, and nothing covers it', (width, height) => {
  test.each([
    ['storyboard', 'storyboard', /^Make take/],
    ['images', 'images', /^Imagine/],
    ['chat', 'chat', /^Send/],
  ] as const)('%s', async (_, place, label) => {
    const { page } = program;
    await page.setViewportSize({ width, height });
    await go(place);
    if (place === 'chat') await page.getByRole('textbox', { name: 'Message' }).fill('And in colour?');
    const bar = page.locator('.sendbar, .composer').first();
    const button = bar.getByRole('button', { name: label });
    for (const element of [button, bar.locator('.price').first()]) {
      await element.waitFor();
      expect(await element.evaluate(isOnTop)).toBe(true);
    }
  });
});

interface Box {
  getBoundingClientRect(): { left: number; top: number; width: number; height: number };
  contains(other: unknown): boolean;
  ownerDocument: { elementFromPoint(x: number, y: number): unknown };
}

/** Runs in the page: whether a click into the middle of the element would meet it. */
function isOnTop(node: unknown): boolean {
  const element = node as Box;
  const { left, top, width, height } = element.getBoundingClientRect();
  const met = element.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
  return met !== null && element.contains(met);
}
