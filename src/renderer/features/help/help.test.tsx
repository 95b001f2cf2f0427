import { beforeEach, expect, test } from 'vitest';
import { openHelp, usePlace } from '../../app/index.ts';
import { labelled, says, textOf, textsOf } from '../../testing/find.ts';
import { byText, click, clickOn, fakeStudio, press, show, type, until } from '../../testing/page.tsx';
import { HelpPage } from './HelpPage.tsx';

/** The guide of `docs`, read in the program. */

const Night = () => {
  usePlace('night');
  return null;
};
const shown = () => textOf('#help-title');

beforeEach(() => {
  fakeStudio({ 'app.openExternal': () => null });
  window.location.hash = '#/queue/night?run=7';
});

test('it opens at what is on the screen, and leads back there', async () => {
  await show(<Night />);
  openHelp();
  await show(<HelpPage />);
  await until(() => expect(shown()).toBe('Queue and overnight runs'));
  await clickOn('Spend and bills');
  await until(() => expect(shown()).toBe('Spend and bills'));
  await press('Escape');
  expect(window.location.hash).toBe('#/queue/night?run=7');
});

test('the search finds a section by all of its words', async () => {
  openHelp('queue');
  await show(<HelpPage />);
  await until(() => expect(shown()).toBe('Queue and overnight runs'));
  await type(labelled('Search'), 'bill column');
  await click(byText('Check a bill'));
  await until(() => expect(shown()).toBe('Spend and bills'));
  expect(window.location.hash).toContain('at=check-a-bill');
  await type(labelled('Search'), 'zebra crossing');
  await says('Nothing found');
});

test('a link of the guide stays in the guide, one to the web opens outside, and no picture is fetched', async () => {
  openHelp('backup');
  await show(<HelpPage />);
  await until(() => expect(shown()).toBe('Back up and move'));
  const links = () => [...document.querySelectorAll<HTMLAnchorElement>('article a')];
  for (const link of links()) expect(link.getAttribute('href')).toMatch(/^(https:|[\w./-]*\.md|#)/);
  expect(textsOf('article img')).toEqual([]);
  const inside = links().find((link) => /^[\w-]+\.md/.test(link.getAttribute('href') ?? '')) as HTMLAnchorElement;
  await click(inside);
  expect(window.location.hash).toContain(`#/help/${inside.getAttribute('href')?.replace(/\.md.*/, '')}?`);
});
