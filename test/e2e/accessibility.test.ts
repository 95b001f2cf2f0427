import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOnTop, visit, whenRead } from '../helpers/browser.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';
import { testPng } from '../helpers/png.ts';
import { labels, starting } from '../labels.ts';
import { axeFaults, focusTakers } from './axe.ts';
import { PLACES, WIDE_PLACES } from './places.ts';
import {
  asOdd,
  backToSandbox,
  button,
  dialog,
  fill,
  key,
  leave,
  menuitem,
  type Open,
  opened,
  option,
  plan,
  program,
  reload,
  row,
  seePart,
  seeRole,
  startFilled,
  stopFilled,
  tab,
} from './stage.ts';

/** Every page, dialog and menu with content, checked against WCAG 2.2 AA by axe, in both themes and at two sizes. */

beforeAll(startFilled);
afterAll(stopFilled);

/** Places that a narrow window shows in a drawer with the same content. */
const WIDE_ONLY = new Set(['a chat to be deleted']);

describe.each([
  [1440, 900, [...PLACES.slice(0, -1), ...WIDE_PLACES, ...PLACES.slice(-1)]],
  [720, 450, PLACES.filter(([name]) => !WIDE_ONLY.has(name))],
] as const)('at %i × %i', (width, height, places) => {
  test.each(places)('%s', async (_, open, close) => {
    await program.page.setViewportSize({ width, height });
    await open();
    await whenRead(program.page);
    // Themes differ alike at every size, so one size suffices.
    const themes = width > 1_200 ? (['dark', 'light'] as const) : (['dark'] as const);
    const found = [...(await axeFaults(program.page, themes)), ...(await focusTakers(program.page))];
    await close?.();
    expect(found).toEqual([]);
  });
});

/** What spends or commits: how to open it, and the part with its button and price. */
const firstShot = option(starting(labels.shotN(1)));
const SPENDS: [name: string, open: Open, button: RegExp, close?: Open][] = [
  ['a take', opened('storyboard'), /^Make take/],
  [
    'a promotion',
    opened('storyboard', firstShot, button(labels.shotMenu), menuitem(/^Promote take/)),
    /^Make take/,
    leave,
  ],
  ['a rating', opened('storyboard', firstShot, key('a')), /^Keep take \d/],
  ['an export', opened('storyboard?view=export'), /^Export/],
  [
    'pictures of a matrix',
    opened('images', fill(labels.prompt, 'A {red|blue|green} door, {open|shut}')),
    /^Make 6 images/,
  ],
  ['an edit', opened('images', tab(labels.edit), seePart('canvas')), /^Send edit/, reload],
  ['a message', opened('chat', fill(labels.message, 'And in colour?')), /^Send/],
  ['a night', opened('queue?plan=night', plan), /^Schedule run/],
  [
    'jobs that are imported',
    opened(
      'queue?import=jobs',
      fill(labels.jobs, 'kind,prompt\nimagine,A quay\nimagine,A pier'),
      button(starting(labels.readRows)),
      seeRole('button', starting(labels.queueJobs(2))),
    ),
    /^Queue 2 jobs/,
  ],
  ['a job again', opened('queue', row('Called off'), button(starting(labels.retry)), dialog), /again/, leave],
  [
    'a change of a job that waits',
    opened('queue', row('The same at dawn'), button(starting(labels.edit)), dialog),
    /^Save/,
    leave,
  ],
  ['an unconfirmed job, again', asOdd('queue', button(labels.sendAgainKnowingly), dialog), /again/, backToSandbox],
  ['a price that is adopted', asOdd('queue', button(/^Adopt/), dialog), /^Adopt/, backToSandbox],
];
const FREE = new Set(['a rating']);

// The first window of the desktop program at 200 % is 680 × 430.
describe.each([
  [680, 430],
  [1024, 700],
])('at %i × %i every paid button is in view with its price, and nothing covers it', (width, height) => {
  test.each(SPENDS)('%s', async (name, open, label, close) => {
    const { page } = program;
    await page.setViewportSize({ width, height });
    await open();
    const layer = page.locator('main, [role=dialog], [role=alertdialog]').last();
    const spend = layer.getByRole('button', { name: label }).last();
    const bar = spend.locator('xpath=ancestor::*[.//*[contains(@class, "price")]][1]');
    const shown = FREE.has(name) ? [spend] : [spend, bar.locator('.price').first()];
    await Promise.all(shown.map((element) => element.waitFor()));
    // A dialog grows as prices arrive, so wait until it is stable.
    const areOnTop = () => Promise.all(shown.map((element) => element.evaluate(isOnTop)));
    await expect.poll(areOnTop, { timeout: PATIENCE_MS }).toEqual(shown.map(() => true));
    await close?.();
  });
});

/** Each state follows on the picture painted before. */
describe('the painter', () => {
  beforeAll(async () => {
    const { page, host } = program;
    await host.ask('queue.resume', {});
    await page.setViewportSize({ width: 1440, height: 900 });
    await visit(page, 'images');
    await fill(labels.prompt, 'A quay --ar 16:9')();
    await program.canSend(starting(labels.makeImages(1)));
    await program.made('imagine', () => page.keyboard.press('Control+Enter'));
    await page.getByRole('button', { name: labels.paintAMaskAndEdit }).click();
    await page.getByRole('application').locator('img').waitFor();
    const box = await page.getByRole('application').locator('img').boundingBox();
    if (!box) throw new Error('the picture is not there');
    await page.keyboard.press('u');
    await page.getByRole('button', { name: starting(labels.rectangle), pressed: true }).waitFor();
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.3);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.7, { steps: 4 });
    await page.mouse.up();
    await page.getByText(labels.readyToSend).waitFor();
  });

  test('growing and shrinking the mask', async () => {
    const { page } = program;
    await page.keyboard.press('g');
    const dialog = page.getByRole('dialog', { name: labels.growAndShrink });
    await dialog.getByRole('textbox', { name: /^Pixels/ }).waitFor();
    expect(await axeFaults(program.page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('the figures of a chosen shape, and its handles', async () => {
    const { page } = program;
    await page.keyboard.press('v');
    await page.getByRole('application').focus();
    await page.keyboard.press('Tab');
    await page.getByRole('textbox', { name: labels.width }).waitFor();
    await page.getByRole('application').locator('.shape-frame').waitFor();
    expect(await axeFaults(program.page)).toEqual([]);
  });

  test('the import of a mask: empty, of another size, and as a preview', async () => {
    const { page } = program;
    await page.keyboard.press('i');
    await page.getByRole('dialog', { name: labels.importAMask }).waitFor();
    expect(await axeFaults(program.page)).toEqual([]);
    const buffer = testPng(40, 30);
    const file = { name: 'other.png', mimeType: 'image/png', buffer };
    await page.getByLabel(labels.pictureToReadAsA).setInputFiles(file);
    await page.getByText(/^This picture is 40 × 30/).waitFor();
    expect(await axeFaults(program.page)).toEqual([]);
    await page.getByRole('checkbox', { name: labels.fitItToThePicture }).click();
    await page.getByRole('dialog').getByRole('img', { name: 'Mask', exact: true }).waitFor();
    expect(await axeFaults(program.page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('the original put back outside, and each view of the edit', async () => {
    const { page } = program;
    await page.getByRole('textbox', { name: labels.promptOfTheEdit }).fill('An old bicycle');
    await program.canSend(starting(labels.sendEdit));
    await program.made('edit', () => page.getByRole('button', { name: starting(labels.sendEdit) }).click());
    await page.getByText(labels.notOnePixelDiffers).waitFor();
    await page.getByRole('button', { name: labels.putTheOriginalBackOutside }).waitFor();
    expect(await axeFaults(program.page)).toEqual([]);
    await page.getByRole('button', { name: labels.beforeAndAfter }).click();
    await page.getByRole('slider', { name: labels.beforeAndAfter }).waitFor();
    expect(await axeFaults(program.page)).toEqual([]);
    await page.keyboard.press('4');
    const moved = page.locator('main > :not(aside) .media:has(> canvas)');
    await moved.waitFor();
    expect(await axeFaults(program.page)).toEqual([]);
    await page.keyboard.press('2');
    await moved.waitFor({ state: 'detached' });
    expect(await axeFaults(program.page)).toEqual([]);
  });
});

test('the page reported no errors', () => {
  expect(program.complaints).toEqual([]);
});
