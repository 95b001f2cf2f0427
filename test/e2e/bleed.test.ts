import { afterAll, beforeAll, expect, test } from 'vitest';
import { visit } from '../helpers/browser.ts';
import { labels } from '../labels.ts';
import { Program } from './program.ts';

/** The styles of a page are its own: what was visited before changes nothing of how it looks. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
  const { page } = program;
  await page.setViewportSize({ width: 1024, height: 700 });
  await page.getByRole('button', { name: labels.openASampleFilm }).click();
  await page.getByRole('option', { name: /^Shot 5, / }).waitFor();
});
afterAll(async () => {
  await program?.stop();
});

const PAGES = ['storyboard', 'review', 'images', 'chat', 'queue', 'library', 'spend', 'settings'];

/** Each element of the page, with what stylesheets say of it; no place and no size, which follow the contents. */
const LOOK = `[...document.querySelectorAll('main, main *')].map((element) => {
  const style = getComputedStyle(element);
  const told = ['display', 'position', 'padding', 'margin', 'gap', 'borderWidth', 'borderRadius', 'backgroundColor', 'color', 'fontSize',
    'fontWeight', 'lineHeight', 'textAlign', 'whiteSpace', 'overflow'].map((name) => name + ' ' + style[name]);
  return [element.tagName, ...told].join(', ');
})`;

async function looks(order: readonly string[]): Promise<Map<string, string[]>> {
  const { page } = program;
  await page.reload();
  const found = new Map<string, string[]>();
  for (const place of order) {
    await visit(page, place);
    // What a page reads late, such as how loud a clip is, is waited for.
    let before: string[] | undefined;
    const isStill = async () => {
      const now = await page.evaluate<string[]>(LOOK);
      const is = before?.join('\n') === now.join('\n');
      before = now;
      return is;
    };
    await expect.poll(isStill, { interval: 500 }).toBe(true);
    found.set(place, before ?? []);
  }
  return found;
}

test('pages that are visited in two orders look the same', async () => {
  const there = await looks(PAGES);
  const back = await looks(PAGES.toReversed());
  for (const place of PAGES) expect([place, back.get(place)]).toEqual([place, there.get(place)]);
});
