import AxeBuilder from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StudioRequest } from '../../src/shared/request.ts';
import { Program } from './program.ts';

/** Every page and dialog, with work in it, held against WCAG 2.2 AA by axe, in both themes and at two sizes. */

let program: Program;
let conversationId: string;
beforeAll(async () => {
  program = await Program.start();
  await program.page.close();
  const context = await program.browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  program.page = await context.newPage();
  await program.page.goto(program.host.url);
  await fill();
});
afterAll(async () => {
  await program?.stop();
});

const clip = {
  kind: 'video',
  model: 'video-standard',
  prompt: 'A quay at night',
  config: { durationSeconds: 4 },
} as const satisfies StudioRequest;

/** What a person has after a first evening: a film with a take, a picture, a chat, a job that was refused, one that waits, a budget. */
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
  await events.close();
  await host.ask('queue.pause');
  await host.ask('jobs.enqueue', { requests: [clip, { ...clip, prompt: 'The same at dawn' }] });
  await host.ask('budgets.set', { scope: 'day', hardNano: 50_000_000_000 });
}

/** Rule, and where: what a person has to be told to mend it. */
async function violations(): Promise<string[]> {
  const { page } = program;
  await page.waitForLoadState('networkidle');
  // A menu belongs to the button that opened it, not to a landmark of the page.
  const axe = new AxeBuilder({ page })
    .disableRules('region')
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
  const { violations: found } = await axe.analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}: ${failureSummary?.split('\n')[1]?.trim()}`),
  );
}

const press = (chord: string) => program.page.keyboard.press(chord);
const go = async (hash: string) => {
  await program.page.evaluate(`location.hash = '#/${hash}'`);
  await program.page.locator('main').first().waitFor();
};

const click = (role: 'button' | 'option' | 'menuitem' | 'tab', name: string | RegExp) =>
  program.page.getByRole(role, { name }).first().click();
const dialog = () => program.page.getByRole('dialog').waitFor();

/** How each is reached, and what shows that it is there. */
const PLACES: [name: string, open: () => Promise<unknown>, close?: () => Promise<unknown>][] = [
  ['chat', () => go(`chat?conversation=${conversationId}`)],
  ['storyboard', () => go('storyboard')],
  [
    'removed shots',
    async () => {
      await go('storyboard');
      await program.page.getByRole('button', { name: /^Removed 1/ }).click();
      await program.page.getByRole('dialog', { name: 'Removed shots' }).waitFor();
    },
    () => press('Escape'),
  ],
  ['images', () => go('images')],
  ['queue', () => go('queue')],
  ['library', () => go('library')],
  ['spend', () => go('spend')],
  ['settings', () => go('settings')],
  ['settings: appearance', () => go('settings?section=appearance')],
  ['settings: shortcuts', () => go('settings?section=shortcuts')],
  ['the palette', () => press('Control+k'), () => press('Escape')],
  ['projects', () => click('button', /^Project: /), () => press('Escape')],
  [
    'a new project',
    async () => {
      await click('button', /^Project: /);
      await click('menuitem', 'New project');
      await dialog();
    },
    () => press('Escape'),
  ],
  [
    'the picker of frames',
    async () => {
      await go('storyboard');
      await click('option', /^Shot 2/);
      await click('button', /first frame/i);
      await dialog();
    },
    () => press('Escape'),
  ],
  [
    'the plan of a night',
    async () => {
      await go('queue');
      await click('button', 'Plan a night');
      await dialog();
    },
    () => press('Escape'),
  ],
  [
    'the price before a job is tried again',
    async () => {
      await go('queue');
      await program.page.locator('.qrow', { hasText: 'The same at dawn' }).click();
    },
  ],
  [
    'the painter',
    async () => {
      await go('images');
      await click('tab', 'Edit');
      await program.page.locator('canvas').first().waitFor();
    },
    // At 720 the tabs are in a drawer by now.
    () => program.page.reload(),
  ],
];

describe.each([
  ['dark', 1440, 900],
  ['light', 1440, 900],
  ['dark', 720, 450],
  ['light', 720, 450],
] as const)('%s at %i × %i', (theme, width, height) => {
  test.each(PLACES)('%s', async (_, open, close) => {
    await program.host.ask('settings.set', { theme });
    await program.page.setViewportSize({ width, height });
    await open();
    await program.page.locator(`html[data-theme="${theme}"]`).waitFor();
    const found = await violations();
    await close?.();
    expect(found).toEqual([]);
  });
});

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
