import type { Route } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerTo, visit } from '../helpers/browser.ts';
import { type Filled, fillStudio } from './filledStudio.ts';
import { OddGateway } from './oddGateway.ts';
import { Program } from './program.ts';

/**
 * No foreign name reaches a page with invisible or bidirectional characters. Every name in every answer of a filled studio has one here;
 * fields that the user edits, and chat messages, stay as written.
 */

const CONTROL = '\u202e';
const NAMES = new Set(['name', 'title', 'model', 'message', 'fault', 'label', 'source', 'statedBy', 'note', 'text']);

/** The answer with a control character in each of its names. */
function planted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(planted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [
      field,
      // Excludes the text of messages, and a source of one word, which is an option.
      typeof inner === 'string' && NAMES.has(field) && !('role' in value) && (field !== 'source' || inner.includes(' '))
        ? inner.slice(0, 3) + CONTROL + inner.slice(3)
        : planted(inner),
    ]),
  );
}

let program: Program;
let odd: OddGateway;
let filled: Filled;
/** Replaces the studio's answers about the page's content. */
let refusal: object | undefined;
const SHELL = /\/rpc\/(app|settings|profiles|projects)\./;

beforeAll(async () => {
  [program, odd] = await Promise.all([Program.start(), OddGateway.start()]);
  filled = await fillStudio(program.host, odd);
  await program.page.route('**/rpc/*', async (route: Route) => {
    const request = route.request();
    if (refusal && !SHELL.test(request.url())) return route.fulfill({ json: planted(refusal) });
    const response = await answerTo(route, request.postData()?.replaceAll(CONTROL, ''));
    return route.fulfill({ status: response.status(), json: planted(await response.json()) });
  });
  await program.page.reload();
});
afterAll(async () => {
  await program?.stop();
  await odd?.stop();
});

/** In the page: how many names show the character as a code point, and how many contain it. */
const NAMES_OF_PAGE = `(() => {
  const texts = [];
  for (const element of document.querySelectorAll('body *')) {
    const where = element.tagName + '.' + element.className;
    for (const { name, value } of element.attributes)
      if (!['value', 'src', 'href'].includes(name)) texts.push({ where: where + ' @' + name, text: value });
    if (element.tagName === 'TEXTAREA') continue;
    for (const { nodeType, nodeValue } of element.childNodes) if (nodeType === 3) texts.push({ where, text: nodeValue });
  }
  const leaks = texts.filter(({ text }) => text.includes('${CONTROL}')).map(({ where, text }) => where + ': ' + text);
  return { shown: texts.filter(({ text }) => text.includes('‹U+202E›')).length, leaks };
})()`;

async function leaksAt(place: string): Promise<string[]> {
  await visit(program.page, place.replace('CHAT', filled.conversationId).replace('ASSET', filled.assetId));
  const { shown, leaks } = await program.page.evaluate<{ shown: number; leaks: string[] }>(NAMES_OF_PAGE);
  expect(shown, place).toBeGreaterThan(0);
  return leaks.map((leak) => `${place}: ${leak}`);
}

const PAGES = ['chat', 'storyboard', 'images', 'queue', 'library', 'spend', 'settings'];
const PLACES = [
  ...[...PAGES, 'chat?conversation=CHAT', 'library?asset=ASSET'],
  ...['sound', 'seams', 'cast', 'export'].map((view) => `storyboard?view=${view}`),
  ...['tab=models', 'section=folder', 'section=backups'].map((query) => `settings?${query}`),
];

test.each([
  ['sandbox', PLACES],
  ['odd', ['queue', 'spend', 'settings?tab=models']],
])('with the gateway %s every name shows its hidden character', async (id, places) => {
  await program.host.ask('profiles.activate', { id });
  const leaks: string[] = [];
  for (const place of places) leaks.push(...(await leaksAt(place)));
  expect([...new Set(leaks)]).toEqual([]);
});

test('every error message shows its hidden character', async () => {
  refusal = { ok: false, error: { code: 'store_unavailable', message: 'The library is busy with a backup.' } };
  await program.page.reload();
  const leaks: string[] = [];
  for (const place of PAGES) leaks.push(...(await leaksAt(place)));
  expect([...new Set(leaks)]).toEqual([]);
});
