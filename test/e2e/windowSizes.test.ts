import { afterAll, beforeAll, expect, test } from 'vitest';
import { arrived, boxOf, visit } from '../helpers/browser.ts';
import { labels } from '../labels.ts';
import { OddGateway } from './oddGateway.ts';
import { Program } from './program.ts';

/** A window of any size never scrolls as a whole, nothing sticks out or overlaps, and a focus ring never surrounds a whole panel. */

let program: Program;
let odd: OddGateway;
beforeAll(async () => {
  [program, odd] = await Promise.all([Program.start(), OddGateway.start()]);
  const { host, page } = program;
  await host.ask('settings.set', { welcomed: true });
  for (const prompt of ['A quay', 'A pier'])
    await program.made('imagine', () => host.ask('jobs.enqueue', { requests: [{ kind: 'imagine', prompt }] }));
  await host.ask('queue.pause');
  await host.ask('jobs.enqueue', { requests: [{ kind: 'imagine', prompt: 'A hill' }] });
  await host.ask('profiles.save', { id: 'odd', name: 'Odd gateway', baseUrl: odd.baseUrl });
  await host.ask('profiles.setKey', { id: 'odd', apiKey: 'sk-0123456789abcdef' });
  await host.ask('profiles.activate', { id: 'odd' });
  await host.ask('jobs.enqueue', { requests: [{ kind: 'video', model: 'video-standard', prompt: 'A sea' }] });
  await host.ask('profiles.activate', { id: 'sandbox' });
  await page.reload();
  await page.getByRole('navigation', { name: labels.pages }).waitFor();
});
afterAll(async () => {
  await program?.stop();
  await odd?.stop();
});

const go = (place: string) => visit(program.page, place);

const PLACES = ['storyboard', 'chat', 'images', 'queue', 'review', 'library', 'spend', 'settings', 'help'];

test.each(PLACES)('at 720 × 450 the window of %s never scrolls', async (place) => {
  const { page } = program;
  await page.setViewportSize({ width: 720, height: 450 });
  await go(place);
  const height = await page.evaluate('scrollTo(0, 2000), [scrollY, document.documentElement.scrollHeight]');
  expect(height).toEqual([0, 450]);
});

test.each([720, 1024, 1440])('at %i the resume button is in the top bar, beside real and test money', async (width) => {
  const { page } = program;
  await page.setViewportSize({ width, height: 700 });
  await go('queue');
  const button = page.getByRole('button', { name: /^Resume all\s*Real money \$.*, Test money \$/ });
  const [inside, around] = await Promise.all([boxOf(button), boxOf(page.locator('main .bar').filter({ has: button }))]);
  expect(inside.x + inside.width).toBeLessThanOrEqual(around.x + around.width);
});

test("at 720 × 450 nothing in a picture's drawer covers its actions", async () => {
  const { page } = program;
  await page.setViewportSize({ width: 720, height: 450 });
  await go('images');
  await page.getByRole('button', { name: labels.info }).click();
  const [link, ways] = [
    page.locator('main > aside:last-of-type .scroll'),
    page.locator('main > aside:last-of-type .sendbar'),
  ];
  await ways.waitFor();
  expect(
    await page.evaluate(`getComputedStyle(document.querySelector('main > aside:last-of-type .scroll')).overflowY`),
  ).toBe('auto');
  const [above, below] = await Promise.all([boxOf(link), boxOf(ways)]);
  expect(above.y + above.height).toBeLessThanOrEqual(below.y + 1);
});

test.each([1024, 1440])(
  "at %i the painter's bar shows its last action, and a drawer's button only where there is one",
  async (width) => {
    const { page } = program;
    await page.setViewportSize({ width, height: 700 });
    await go('images');
    const drawer = (name: string) => page.getByRole('button', { name, exact: true }).isVisible();
    expect(await drawer(labels.info)).toBe(width === 1024);
    await page.getByRole('tab', { name: labels.edit }).click();
    const clear = page.getByRole('button', { name: labels.clear, exact: true });
    await clear.waitFor();
    expect(await drawer(labels.prompt)).toBe(width === 1024);
    const [inside, around] = await Promise.all([boxOf(clear), boxOf(page.locator('main .bar').filter({ has: clear }))]);
    expect(inside.x + inside.width).toBeLessThanOrEqual(around.x + around.width);
    // Closes the painter, which other pages' keys would return to.
    await page.reload();
  },
);

test('at 1024 the models of a gateway with unclear prices fit the page', async () => {
  const { page } = program;
  await page.setViewportSize({ width: 1024, height: 700 });
  await go('settings?section=gateways&profile=odd&tab=models');
  await page.getByRole('button', { name: labels.editModel('video-standard') }).waitFor();
  const { x, width } = await boxOf(page.locator('main table').first());
  expect(x + width).toBeLessThanOrEqual(1024);
});

test.each([720, 1024, 1440])(
  'at %i a toast stays in its place in the top bar, and a long one opens to its end under the pointer',
  async (width) => {
    const { page } = program;
    await page.setViewportSize({ width, height: 700 });
    await go('chat');
    const file = { name: 'chat.json', mimeType: 'application/json', buffer: Buffer.from('no chat at all') };
    await page.getByLabel(labels.chatToBringIn).setInputFiles(file);
    const toast = page.locator('.toast', { hasText: 'chat.json' });
    await toast.waitFor();
    const [own, bar, ...others] = await Promise.all(
      ['.toast', '.top', '.top .mark', '.top [aria-label^="Project"]', '.top .find'].map((place) =>
        boxOf(page.locator(place)),
      ),
    );
    if (!own || !bar) throw new Error('no toast in a bar');
    expect(own.width).toBeGreaterThan(0);
    expect([own.x >= bar.x, own.x + own.width <= bar.x + bar.width]).toEqual([true, true]);
    expect([own.y >= bar.y, own.y + own.height <= bar.y + bar.height]).toEqual([true, true]);
    for (const other of others)
      expect(own.x >= other.x + other.width || own.x + own.width <= other.x, JSON.stringify({ own, other })).toBe(true);
    await toast.hover();
    expect(await page.evaluate(IS_CUT)).toBe(false);
    await toast.getByRole('button', { name: labels.dismiss }).click();
    await toast.waitFor({ state: 'detached' });
  },
);

test.each([1024, 1440])('at %i no control below the reviewed take covers another', async (width) => {
  const { page } = program;
  await page.setViewportSize({ width, height: 700 });
  await go('library');
  const tiles = page.locator('.tile');
  await tiles.nth(0).click();
  await tiles.nth(1).click({ modifiers: ['Control'] });
  await page.keyboard.press('c');
  await page.getByRole('group', { name: labels.rating }).waitFor();
  await page.keyboard.press('t');
  const controls = await page
    .locator('main > :is(.bar, section:not(:has(video))) :is(button, h1, [role=slider])')
    .all();
  const boxes = await Promise.all(controls.map(boxOf));
  expect(boxes.length).toBeGreaterThan(12);
  expect(Math.max(...boxes.map((box) => box.x + box.width))).toBeLessThanOrEqual(width);
  const covered = boxes.flatMap((one, index) => boxes.slice(index + 1).filter((other) => isCovering(one, other)));
  expect(covered).toEqual([]);
});

type Box = Awaited<ReturnType<typeof boxOf>>;
const isCovering = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width - 1 &&
  other.x < one.x + one.width - 1 &&
  one.y < other.y + other.height - 1 &&
  other.y < one.y + one.height - 1;

const BOXES = `[...document.querySelectorAll('.top *, .page *')].map((one) => JSON.stringify(one.getBoundingClientRect()))`;
const KEYS = `[...document.querySelectorAll(':is(button, .in) .kbd')].map((one) => getComputedStyle(one).opacity)`;

test.each(PLACES)('while Alt is held, %s shows the shortcuts of its controls, and nothing moves', async (place) => {
  const { page } = program;
  await page.setViewportSize({ width: 1024, height: 700 });
  await go(place);
  expect(await page.evaluate(KEYS)).toContain('0');
  // A disabled button has its reason below it instead.
  expect(await page.evaluate(KEYS.replace(':is(button, .in)', '.is-off'))).not.toContain('1');
  // A figure that arrives late moves its neighbours once.
  const moved = async () => {
    const before = await page.evaluate<string[]>(BOXES);
    await page.keyboard.down('Alt');
    await page.locator('html[data-keys]').waitFor();
    expect(await page.evaluate(`[...new Set(${KEYS})]`)).toEqual(['1']);
    const held = await page.evaluate<string[]>(BOXES);
    await page.keyboard.up('Alt');
    await page.locator('html:not([data-keys])').waitFor();
    return held.filter((box, index) => box !== before[index]);
  };
  await expect.poll(moved).toEqual([]);
});

const IS_CUT = `(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => scrollWidth > clientWidth || scrollHeight > clientHeight)(document.querySelector('.toast .whole'))`;
/** In the page: the height and ring colour of the focused element. */
const RING = `(() => {
  const node = document.querySelector('.page :focus');
  const sample = document.createElement('i');
  sample.style.outline = 'var(--focus)';
  document.body.append(sample);
  const accent = getComputedStyle(sample).outlineColor;
  sample.remove();
  return { height: node.getBoundingClientRect().height, color: getComputedStyle(node).outlineColor, accent };
})()`;
/** Above this height the focused element is a panel or list, not a row or field. */
const TALL = 300;
const tall: number[] = [];

test.each([1, 2, 3, 4, 5, 6, 7])('Alt %i never rings a panel or list in the accent colour', async (place) => {
  const { page } = program;
  await page.setViewportSize({ width: 1440, height: 900 });
  await go(place === 2 ? 'spend' : 'chat');
  await page.keyboard.press(`Alt+${place}`);
  const marked = page.locator('.page :focus');
  await arrived(page, PLACES[place - 1] ?? '');
  await marked.waitFor();
  const { height, color, accent } = await page.evaluate<{ height: number; color: string; accent: string }>(RING);
  if (height <= TALL) return;
  tall.push(place);
  expect(color).not.toBe(accent);
});

test('lists or panels were among the focused elements', () => {
  expect(tall).not.toEqual([]);
});
