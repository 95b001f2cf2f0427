// @vitest-environment jsdom

import { describe, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { textOf } from '../../testing/find.ts';
import { byText, click, show } from '../../testing/page.tsx';
import { Markdown, Words } from './Markdown.tsx';

const bodyText = () => textOf('.body') ?? '';
const pieces = () => [...document.querySelectorAll('.body span.piece')].map(({ textContent }) => textContent ?? '');

const LONG: [name: string, text: string][] = [
  ['link openers', '[a]('.repeat(25_000)],
  ['angle brackets', '<'.repeat(100_000)],
  ['references', '[a][b]'.repeat(17_000)],
  ['a word', 'a'.repeat(800_000)],
  ['a line', 'word '.repeat(180_000)],
  ['long lines', `${'abcde'.repeat(1_000)}\n`.repeat(300)],
  ['columns', `|${'a|'.repeat(5_000)}\n|${'-|'.repeat(5_000)}\n|${'b|'.repeat(5_000)}\n`],
  ['combining marks', `a${'\u0301'.repeat(100_000)}`],
  ['code', `\`\`\`\n${'a'.repeat(800_000)}\n\`\`\``],
];

describe('a text that is too long to be laid out at once', () => {
  it.each(LONG)('is shown in pieces: %s', async (_, text) => {
    await show(<Markdown text={text} growing />);
    await show(<Markdown text={text} />);
    expect(bodyText().length).toBeLessThan(20_100);
    expect(document.querySelectorAll('.body *').length).toBeLessThan(300);
    expect(pieces().every((piece) => piece.length <= 2_000 && text.includes(piece))).toBe(true);
  });

  it.each(LONG)('is shown in pieces where you wrote it: %s', async (_, text) => {
    await show(<Words className="body" text={text} />);
    expect(bodyText().length).toBeLessThan(20_100);
    expect(text.startsWith(pieces().join(''))).toBe(true);
  });

  it('shows more on demand, up to its end', async () => {
    const text = 'a'.repeat(50_000);
    await show(<Markdown text={text} />);
    expect(pieces().join('').length).toBe(20_000);
    await click(byText(labels.showMore));
    expect(pieces().join('').length).toBe(40_000);
    await click(byText(labels.showMore));
    expect(pieces().join('')).toBe(text);
    expect(bodyText()).toBe(text);
  });

  it('stays one text where it is not long', async () => {
    const text = 'A short text.\n'.repeat(100);
    await show(<Words className="body" text={text} />);
    expect(pieces()).toEqual([]);
    expect(bodyText()).toBe(text);
  });
});
