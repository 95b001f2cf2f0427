import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { freshLibrary, openLibrary } from '../../testing/libraryPage.tsx';
import { anAsset, click, until } from '../../testing/page.tsx';
import { ANY_DATE } from '../../ui/index.ts';
import { VERDICT_WORDS } from '../../words/index.ts';
import { narrow, setLibraryView, useLibraryView } from './state.ts';

const openPage = () => openLibrary([anAsset({ id: 'x', name: 'Harbour' })]);

beforeEach(freshLibrary);

const all = () => [...document.querySelectorAll<HTMLElement>('.libChip')];
const chips = () => all().map(({ textContent }) => textContent);
const chip = (label: string) => all().find(({ textContent }) => textContent === label) as HTMLElement;

it('a link to what is rated No lists just that', async () => {
  setLibraryView({ ownProject: true });
  narrow({ starred: true });
  window.location.hash = '#/library?verdict=no';
  await openPage();
  await until(() => expect(chips()).toEqual([VERDICT_WORDS.no]));
});

it('names every filter in use, and each goes by itself', async () => {
  narrow({
    types: ['video', 'audio'],
    verdict: ['keep', 'none'],
    starred: true,
    tags: ['sea'],
    states: ['remote'],
    models: ['video-pro'],
  });
  setLibraryView({ dates: { span: 'own', from: '2026-11-01', to: '' } });
  const studio = await openPage();
  expect(chips()).toEqual([
    labels.video,
    labels.sound,
    labels.keep,
    labels.notJudged,
    labels.starred,
    'sea',
    'At the gateway',
    'video-pro',
    'From 1 Nov 2026',
  ]);
  await click(chip(labels.video));
  await click(chip(labels.starred));
  await click(chip('From 1 Nov 2026'));
  expect(chips()).toEqual([labels.sound, labels.keep, labels.notJudged, 'sea', 'At the gateway', 'video-pro']);
  expect(useLibraryView.getState().dates).toEqual(ANY_DATE);
  await until(() => {
    const last = studio.callsOf('library.list').at(-1);
    expect(last).toMatchObject({ types: ['audio'], verdict: ['keep', 'none'], tags: ['sea'] });
    expect(last).not.toHaveProperty('starred');
    expect(last).not.toHaveProperty('from');
  });
});

it('the focus goes to the neighbour of the chip that goes, after the last one to the list', async () => {
  narrow({ types: ['video', 'image'], starred: true });
  await openPage();
  await click(chip(labels.image));
  expect(document.activeElement?.textContent).toBe(labels.starred);
  await click(chip(labels.starred));
  expect(document.activeElement?.textContent).toBe(labels.video);
  await click(chip(labels.video));
  expect(chips()).toEqual([]);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Pictures');
});
