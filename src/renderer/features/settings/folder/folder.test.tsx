import { beforeEach, expect, it, vi } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { fail } from '../../../../shared/contract/result.ts';
import { settingsSchema } from '../../../../shared/contract/settings.ts';
import type {
  LibraryCheck,
  LibraryFolder,
  LibraryMove,
  LibrarySpace,
} from '../../../../shared/library/libraryFolder.ts';
import { useStudio } from '../../../app/index.ts';
import { fieldOf, isOff, says, textsOf } from '../../../testing/find.ts';
import {
  type Answers,
  byText,
  click,
  type FakeStudio,
  press,
  show,
  showOver,
  type,
  until,
} from '../../../testing/page.tsx';
import { formatStamp } from '../../../ui/index.ts';
import { SettingsPage } from '../SettingsPage.tsx';

const space: LibrarySpace = {
  parts: [
    { part: 'videoKept', files: 2, bytes: 6_000_000_000 },
    { part: 'videoNo', files: 3, bytes: 9_000_000_000 },
    { part: 'bin', files: 1, bytes: 1_000_000_000 },
  ],
  freeBytes: 214_000_000_000,
};
const here: LibraryFolder = { folder: '/data/library', home: '/data', isUsual: true };
const aMove = (fields: Partial<LibraryMove> = {}): LibraryMove => ({
  ...{ id: 'mv_1', kind: 'move', name: 'Library', revision: 1, state: 'running', phase: 'copy', progress: 30 },
  ...{ from: '/data', folder: '/media/film', files: [], count: 12_846, done: 8_214, bytes: 38_200_000_000 },
  ...{ doneBytes: 24_400_000_000, damaged: 0, keepsOld: false, hasOld: false, createdAt: 1 },
  ...fields,
});

beforeEach(() => {
  window.location.hash = '#/settings?section=folder';
  useStudio.setState({ settings: settingsSchema.parse({}) });
});

/** The page, once it has read what it shows. */
async function opened(answers: Answers): Promise<FakeStudio> {
  const studio = await showOver(<SettingsPage />, {
    'library.folder': () => here,
    'library.space': () => space,
    ...answers,
  });
  const isRead = /\/data\/library[\s\S]*Last check|read 1/;
  await until(() => expect(document.body.textContent).toMatch(isRead));
  await until(() => expect(document.body.textContent).toMatch(/Video, kept|read 1/));
  return studio;
}

it('says where the library is and what it is made of; a move is begun with the folder that was named', async () => {
  const studio = await opened({
    'library.move': () => fail('invalid_input', 'folder: is a file; choose a folder.', { field: 'folder' }),
  });
  expect(document.body.textContent).toContain('/data/library');
  expect(document.body.textContent).toContain('Library15 GB');
  expect(document.body.textContent).toContain('3 clips rated No, 9 GB');
  expect(isOff(byText(labels.moveTheLibrary))).toBe(true);
  await type(fieldOf(labels.newFolder), ' /media/film ');
  await click(byText(labels.keepTheOldFolderUntil, '.pick'));
  await click(byText(labels.moveTheLibrary));
  await says('is a file; choose a folder.');
  expect(studio.callsOf('library.move')).toEqual([{ folder: '/media/film', keepOld: true }]);
  expect(fieldOf(labels.newFolder).value).toBe(' /media/film ');
});

it('a move shows its phase, and Esc stops it; once switched there is nothing to stop', async () => {
  let move = aMove();
  const studio = await opened({
    'library.folder': () => ({ ...here, move }),
    'exports.cancel': () => aMove({ state: 'canceled' }),
  });
  expect(document.body.textContent).toContain('24.4 GB of 38.2 GB, 8,214 of 12,846 files');
  await press('Escape');
  await until(() => expect(studio.callsOf('exports.cancel')).toEqual([{ id: 'mv_1' }]));
  move = aMove({ phase: 'remove', hasOld: true, waits: 'The library folder /media/film/library is not there.' });
  await studio.emit({ type: 'export.changed', export: move });
  await says('Waiting: The library folder');
  expect(() => byText(labels.stop)).toThrow();
});

it('a move says how long it still takes; P pauses it and lets it go on', async () => {
  let move = aMove({ leftMs: 57_000 });
  const studio = await opened({
    'library.folder': () => ({ ...here, move }),
    'library.pauseMove': () => move,
    'library.resumeMove': () => move,
  });
  expect(document.body.textContent).toContain('12,846 files, 0:57 left');
  await press('p');
  await until(() => expect(studio.callsOf('library.pauseMove')).toEqual([{}]));
  move = aMove({ paused: true });
  await studio.emit({ type: 'export.changed', export: move });
  await says('Paused: 24.4 GB of 38.2 GB');
  await click(byText(labels.resume));
  expect(studio.callsOf('library.resumeMove')).toEqual([{}]);
  move = aMove({ phase: 'switch' });
  await studio.emit({ type: 'export.changed', export: move });
  await says('Switching');
  await press('p');
  expect(studio.callsOf('library.pauseMove')).toHaveLength(1);
});

it('an old folder that was kept is removed when the user says so', async () => {
  const studio = await opened({
    'library.folder': () => ({
      ...here,
      move: aMove({ state: 'done', phase: 'remove', hasOld: true, keepsOld: true, damaged: 2 }),
    }),
    'library.removeOld': () => aMove({ phase: 'remove' }),
  });
  expect(document.body.textContent).toContain('2 files damaged before the move.');
  await click(byText(labels.removeTheOldFolder('38.2 GB')));
  expect(studio.callsOf('library.removeOld')).toHaveLength(1);
  expect(isOff(byText(labels.moveTheLibrary))).toBe(true);
});

it('a library that is not there is told in one sentence, with a way to say where it is by now', async () => {
  const fault = 'The library folder /media/film/library is not there. Connect its disk.';
  const studio = await opened({
    'library.folder': () => ({ ...here, fault }),
    'library.locate': () => here,
  });
  expect(document.body.textContent).toContain(fault);
  expect(document.body.textContent).not.toContain(labels.moveTheLibrary);
  await type(fieldOf(labels.newFolder), '/media/film1');
  await click(byText(labels.useThisFolder));
  expect(studio.callsOf('library.locate')).toEqual([{ folder: '/media/film1' }]);
});

it('a file that is not as recorded leads to its asset, and is fetched again where the gateway may hold it', async () => {
  const faulty: LibraryCheck['faulty'] = [
    { assetId: 'a1', name: 'Quay', fault: 'missing', canFetch: true },
    { assetId: 'a2', name: 'Boat', fault: 'damaged', canFetch: false },
  ];
  const studio = await opened({
    'library.folder': () => ({
      ...here,
      check: { state: 'done', progress: 100, at: 1, files: 5, bytes: 15, missing: 1, damaged: 1, faulty },
    }),
    'library.download': () => fail('wrong_state', 'Its link has ended.'),
  });
  expect(textsOf('.faulty li')).toEqual(['QuaymissingFetch again', 'Boatdamaged']);
  await click(byText(labels.fetchAgain));
  await says('Its link has ended.');
  expect(studio.callsOf('library.download')).toEqual([{ id: 'a1' }]);
  await click(byText('Quay'));
  expect(window.location.hash).toContain('asset=a1');
});

it('a floor is saved once it is typed', async () => {
  const studio = await opened({
    'settings.set': () => settingsSchema.parse({ library: { floorBytes: 20_000_000_000, warnBytes: 2_000_000_000 } }),
  });
  await type(fieldOf(labels.keepFree), '20');
  await until(() =>
    expect(studio.callsOf('settings.set')).toEqual([
      { library: { floorBytes: 20_000_000_000, warnBytes: 2_000_000_000 } },
    ]),
  );
});

it('what is copied is what is shown, read anew', async () => {
  window.location.hash = '#/settings?section=diagnostics';
  let reads = 0;
  const written: string[] = [];
  vi.stubGlobal('navigator', {
    ...navigator,
    clipboard: { writeText: async (text: string) => void written.push(text) },
  });
  await opened({
    'diagnostics.read': () => {
      reads += 1;
      return { text: `## Dailies\nread ${reads}` };
    },
  });
  expect(document.body.textContent).toContain('read 1');
  await click(byText(labels.copy));
  await until(() => expect(written).toEqual(['## Dailies\nread 2']));
  vi.unstubAllGlobals();
});

it('the bin empties itself only where it is told to, and says when it did last', async () => {
  const studio = await opened({
    'library.folder': () => ({ ...here, binEmptied: { at: 1, items: 12, files: 10, bytes: 340_000_000 } }),
    'settings.set': () => settingsSchema.parse({ library: { floorBytes: 0, warnBytes: 2_000_000_000, binDays: 30 } }),
  });
  expect(document.body.textContent).toContain('until you empty the bin');
  expect(document.body.textContent).toMatch(/Bin emptied .*: 12 items, 340 MB/);
  await click(byText(labels.after30Days, '.seg button'));
  await until(() =>
    expect(studio.callsOf('settings.set')).toEqual([
      { library: { floorBytes: 0, warnBytes: 2_000_000_000, binDays: 30 } },
    ]),
  );
  expect(document.body.textContent).toContain('unused items in the bin are deleted for good');
});

it('of days that have begun to count, the day is said before which nothing leaves the bin', async () => {
  const library = { floorBytes: 0, warnBytes: 0, binDays: 30 };
  useStudio.setState({ settings: settingsSchema.parse({ library }) });
  let from = Date.now() + 3_600_000;
  await showOver(<SettingsPage />, {
    'library.folder': () => ({ ...here, binEmptiesFrom: from }),
  });
  const hint = () => [...document.querySelectorAll('.figures ~ .t3')].at(-1)?.textContent ?? '';
  await until(() =>
    expect(hint()).toContain(`From ${formatStamp(from)} on, unused items in the bin are deleted for good.`),
  );
  from = Date.now() - 1;
  await show(<SettingsPage key="later" />);
  await until(() => expect(hint()).toContain('Unused items in the bin are deleted for good after 30 days.'));
});
