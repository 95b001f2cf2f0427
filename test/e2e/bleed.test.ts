import { afterAll, beforeAll, expect, test } from 'vitest';
import { visit } from '../helpers/browser.ts';
import { labels, starting } from '../labels.ts';
import { Program } from './program.ts';

/** A page's styles do not depend on pages visited before. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
  const { page } = program;
  await page.setViewportSize({ width: 1024, height: 700 });
  await page.getByRole('button', { name: starting(labels.openTheSampleFilm) }).click();
  await page.getByRole('option', { name: /^Shot 5, / }).waitFor();
});
afterAll(async () => {
  await program?.stop();
});

const PAGES = ['storyboard', 'review', 'images', 'chat', 'queue', 'library', 'spend', 'settings', 'help'];

/** The computed styles of each element by class and text, without positions and sizes, which follow the content. */
const LOOK = `[...document.querySelectorAll('main, main [class]')].map((element) => {
  const style = getComputedStyle(element);
  const told = ['display', 'position', 'padding', 'margin', 'gap', 'borderWidth', 'borderRadius', 'backgroundColor', 'color', 'fontSize',
    'fontWeight', 'lineHeight', 'textAlign', 'whiteSpace', 'overflow'].map((name) => name + ' ' + style[name]);
  return [[element.tagName, element.getAttribute('class'), element.textContent].join(' '), told.join(', ')];
})`;

type Looks = Map<string, Map<string, string[]>>;

/** Waits until two readings of the page are equal: prices and file measurements have arrived. */
async function settled(): Promise<[string, string][]> {
  let looks: [string, string][] = [];
  const isStill = async () => {
    const now = await program.page.evaluate<[string, string][]>(LOOK);
    const isSame = JSON.stringify(now) === JSON.stringify(looks);
    looks = now;
    return isSame;
  };
  await expect.poll(isStill, { interval: 500 }).toBe(true);
  return looks;
}

async function looksOf(order: readonly string[]): Promise<Looks> {
  const { page } = program;
  await page.reload();
  const found: Looks = new Map();
  for (const place of order) {
    await visit(page, place);
    const looks = await settled();
    const byElement = Map.groupBy(looks, ([element]) => element);
    found.set(place, new Map([...byElement].map(([element, all]) => [element, all.map(([, look]) => look)])));
  }
  return found;
}

test('pages look the same in whatever order they are visited', async () => {
  const [there, back] = [await looksOf(PAGES), await looksOf(PAGES.toReversed())];
  for (const place of PAGES) {
    const first = there.get(place) ?? new Map<string, string[]>();
    // Ignores elements whose text changed, such as those measured meanwhile.
    const again = [...(back.get(place) ?? [])].filter(([element]) => first.has(element));
    expect(again.length, place).toBeGreaterThan(20);
    const other = again.filter(([element, looks]) => !looks.some((look) => first.get(element)?.includes(look)));
    expect([place, other]).toEqual([place, []]);
  }
});

test('at 1024 the notice of the board is not clipped, nor is the price on its button', async () => {
  await visit(program.page, 'storyboard');
  const notice = program.page.getByRole('status').filter({ hasText: 'continues from an old take' });
  await notice.getByText(labels.testMoney, { exact: true }).waitFor();
  const hidden = await program.page.evaluate<number>(`(() => {
    const words = [...document.querySelectorAll('[role=status] .cut')].find((one) => /an old take/.test(one.textContent));
    return words.scrollHeight - words.clientHeight;
  })()`);
  expect(hidden).toBeLessThanOrEqual(0);
});

test('at 1024 the heading of each link in Continuity is not clipped', async () => {
  const { page } = program;
  await visit(page, 'storyboard');
  await page.getByRole('tab', { name: labels.continuity }).click();
  const links = page.getByRole('region', { name: 'Links', exact: true });
  await links.getByText('Outdated').first().waitFor();
  const heads = await page.evaluate<number[]>(
    `[...document.querySelectorAll('[aria-label=Links] button > .row')].map((row) => row.scrollWidth - row.clientWidth)`,
  );
  expect(Math.max(...heads)).toBe(0);
});
