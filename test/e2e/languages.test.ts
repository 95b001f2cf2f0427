import { afterEach, expect, test } from 'vitest';
import { visit, whenRead } from '../helpers/browser.ts';
import { Program } from './program.ts';

/**
 * The program in the pseudo-language, whose texts are accented and bracketed: any other text would appear in English in every language.
 * Names by users and gateways are Cyrillic here, or in {@link NAMES}.
 */

let program: Program;
afterEach(() => program?.stop());

async function fill(): Promise<{ conversationId: string; assetId: string }> {
  const { host } = program;
  const { id: projectId } = await host.ask('projects.create', { name: 'Гавань' });
  await host.ask('settings.set', { welcomed: true, projectId });
  const board = await host.ask('storyboard.get', { projectId });
  const shot = {
    id: 's1',
    title: 'Пирс',
    prompt: 'Пирс ночью',
    model: 'video-standard',
    config: { durationSeconds: 4 as const },
  };
  await host.ask('storyboard.save', { ...board, shots: [shot, { ...shot, id: 's2', source: 'first' }] });
  const events = await host.events();
  const { job } = await host.ask('storyboard.makeTake', { projectId, shotId: 's1' });
  await events.next('job.changed', (event) => event.job.id === job.id && event.job.finishedAt !== undefined);
  await events.close();
  await host.ask('queue.pause');
  await host.ask('jobs.enqueue', { requests: [{ kind: 'imagine', prompt: 'Соль' }], projectId });
  const { conversationId } = await host.ask('chat.create', {});
  const [asset] = (await host.ask('library.list', { limit: 1 })).assets;
  return { conversationId, assetId: asset?.id ?? '' };
}

/** Names of keys, models, gateways, files, formats, fields on the wire and addresses, and texts of the operating system. */
const NAMES =
  /^((Alt|Ctrl|Shift)(\+\w+)?|specification|asset|Sandbox|Dailies|API|TLS|JSON|CSV|HTTP|PNG|UTC|LUFS|(video|language)-\w+(-\w+)*|language|\w*\.(mp4|html|json|csv)|H\.264.*|(fast|turbo|relax)|(last|first)_?[Ff]rame|(video|image)\/\w+.*|[\w-]+(\.[\w-]+)+|\/\S+|https?:\S+|X-\w+(-\w+)*|SANDBOX\S*|(req|as|job|conv|prj)_\w+|Authorization.*|Idempotency-Key.*|sk-\S+|node|system|version|seed|config)$/;
/** Price sources and file names are shown as they are stored. */
const SOURCES = /, last frame$|specification, section 8: [a-z ]+|price list of the sandbox/g;
/** `Thu 26 Nov 03:44`, `November 2026`: the language's rules write dates; those of the pseudo-language are English. */
const DATE =
  /\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b|\b(Jan(uary)?|Feb(ruary)?|Mar(ch)?|Apr(il)?|May|June?|July?|Aug(ust)?|Sept?(ember)?|Oct(ober)?|Nov(ember)?|Dec(ember)?)\b/g;

/** In the page: every visible text and accessible name. Typed, sent or copied text has no language. */
const TEXTS = `(() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const apart = 'script,style,code,kbd,pre,.kbd,.mono,textarea,[translate=no],[lang=en]';
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (!node.parentElement?.closest(apart)) found.push(node.textContent);
  for (const name of ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt'])
    for (const element of document.querySelectorAll('[' + name + ']')) found.push(element.getAttribute(name));
  return found;
})()`;

/** Texts may contain other texts; a remaining word without accents is English. */
function isEnglish(text: string): boolean {
  let rest = text.replace(SOURCES, '').replace(DATE, '');
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replace(/\[[^[\]]*\]/g, ' ');
  }
  return (
    rest.split(/[\s,;()…“”]+/).some((word) => /[A-Za-z]{3}/.test(word) && !NAMES.test(word)) && !NAMES.test(rest.trim())
  );
}

/** Goes to every page, and to every tab of the board. */
async function onEachPlace(look: (place: string) => Promise<void>): Promise<void> {
  const { page } = program;
  const { conversationId, assetId } = await fill();
  await visit(page, 'storyboard');
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await whenRead(page);
    await look(`storyboard, ${await tab.textContent()}`);
  }
  const places = [
    `chat?conversation=${conversationId}`,
    ...['images', 'images?tab=edit', 'queue', 'queue?import=', 'library', `library?asset=${assetId}`, 'spend'],
    ...['review', 'settings/connect', 'help'],
    ...['gateways', 'gateways&tab=models', 'gateways&tab=format', 'gateways&tab=advanced', 'backups', 'folder'].map(
      sectionOf,
    ),
    ...['shortcuts', 'appearance', 'computer', 'about'].map(sectionOf),
  ];
  for (const place of places) {
    await visit(page, place);
    await look(place);
  }
}

const sectionOf = (section: string): string => `settings?section=${section}`;

test('no page has a text that is not translated', async () => {
  program = await Program.start({ flags: ['--language', 'en-XA'] });
  const english: string[] = [];
  await onEachPlace(async (place) => {
    const texts = await program.page.evaluate<string[]>(TEXTS);
    english.push(...texts.filter(isEnglish).map((text) => `${place}: ${text}`));
  });
  expect([...new Set(english)]).toEqual([]);
  expect(await program.page.locator('html').getAttribute('lang')).toBe('en-XA');
  expect(program.complaints).toEqual([]);
});

/** In the page: clipped labels. Names by users and gateways may be clipped. */
const CUT = `[...document.querySelectorAll('.rail .name, button, [role=tab], [role=radio], [role=combobox], label, th, h1, h2, h3')]
  .filter((one) => one.clientWidth > 0 && !one.matches('.vh, .cut:not(.name)') && getComputedStyle(one).overflowX !== 'visible')
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent)`;

test('at 1024 no label is clipped in German, the longest language', async () => {
  program = await Program.start({ flags: ['--language', 'de'] });
  await program.page.setViewportSize({ width: 1024, height: 700 });
  const cut: string[] = [];
  await onEachPlace(async (place) => {
    cut.push(...(await program.page.evaluate<string[]>(CUT)).map((text) => `${place}: ${text}`));
  });
  expect(cut).toEqual([]);
  expect(await program.page.locator('html').getAttribute('lang')).toBe('de');
});
