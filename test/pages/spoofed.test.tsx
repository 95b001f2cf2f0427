import { beforeEach, expect, test, vi } from 'vitest';
import { App } from '../../src/renderer/app/shell/App.tsx';
import { startEvents } from '../../src/renderer/app/state/events.ts';
import { loadStudio } from '../../src/renderer/app/state/studio.ts';
import { setTransport } from '../../src/renderer/client/index.ts';
import { acting, show, until } from '../../src/renderer/testing/page.tsx';
import { fakeTransport } from './fakeTransport.ts';

/**
 * No name that somebody else gave, or typed, reaches a page with characters that turn or hide what is read. Every name of a whole studio
 * has one planted; what a person writes in (fields), and what was said in a chat, is left as it was written.
 */

const CONTROL = '\u202e';
const NAMES = new Set(['name', 'title', 'model', 'message', 'fault', 'label', 'source', 'statedBy', 'note', 'text']);
/** The fields of an answer that are names, by what they stand in; words of a chat are not. */
const isName = (field: string, inside: object): boolean => NAMES.has(field) && !('role' in inside && field === 'text');

/** The answer with the control in each of its names. */
function planted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(planted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) =>
      typeof inner === 'string' && inner !== '' && isName(field, value)
        ? [field, `${inner.slice(0, 3)}${CONTROL}${inner.slice(3)}`]
        : [field, planted(inner)],
    ),
  );
}

beforeEach(() => {
  // jsdom draws nothing.
  const blank = new Proxy({}, { get: () => () => undefined });
  HTMLCanvasElement.prototype.getContext = (() => blank) as never;
  vi.stubGlobal('Path2D', function Path() {
    return blank;
  });
  vi.stubGlobal('requestAnimationFrame', (work: () => void) => setTimeout(work, 0));
});

/** Where on the page the control stands as it is. */
function leaks(): string[] {
  const found = new Set<string>();
  const place = (element: Element | null) =>
    `${element?.parentElement?.className}/${element?.tagName}.${element?.className}`;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (node.nodeValue?.includes(CONTROL) && node.parentElement?.tagName !== 'TEXTAREA')
      found.add(`${place(node.parentElement)}: ${node.nodeValue.slice(0, 60)}`);
  }
  for (const element of document.querySelectorAll('*'))
    for (const { name, value } of element.attributes)
      if (value.includes(CONTROL) && name !== 'value' && name !== 'src' && name !== 'href')
        found.add(`${place(element)} @${name}: ${value.slice(0, 60)}`);
  return [...found];
}

const PLACES = [
  '#/chat',
  '#/chat?conversation=chat_1',
  '#/storyboard',
  '#/images',
  '#/queue',
  '#/library',
  '#/spend',
  '#/settings',
  '#/settings?section=models',
];

test.each(PLACES.flatMap((place) => ['', 'mismatch', 'unpriced&reasons', 'broken'].map((options) => [place, options])))(
  'on %s %s every name shows what is in it',
  async (place, options) => {
    const transport = fakeTransport(new URLSearchParams(options));
    setTransport({
      ...transport,
      call: async (name, input) => {
        const answer = await transport.call(name, input);
        return planted(answer) as typeof answer;
      },
    });
    startEvents();
    window.location.hash = place;
    await show(<App />);
    await acting(() => loadStudio());
    await until(() => expect(document.querySelectorAll('.alone').length).toBe(0));
    for (let n = 0; n < 8; n++) await acting(() => new Promise((done) => setTimeout(done, 30)));
    await until(() => expect(document.body.innerHTML).toContain('‹U+202E›'));
    expect(leaks()).toEqual([]);
  },
);
