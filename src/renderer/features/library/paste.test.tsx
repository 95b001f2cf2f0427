import { beforeEach, expect, it } from 'vitest';
import { ok } from '../../../shared/contract/result.ts';
import { freshLibrary } from '../../testing/libraryPage.tsx';
import { anAsset, byText, give, show, showOver, until } from '../../testing/page.tsx';
import { LibraryPage } from './LibraryPage.tsx';
import { useLibraryView } from './state.ts';

beforeEach(freshLibrary);

const open = async (): Promise<string[]> => {
  const sent: string[] = [];
  const assets = [anAsset({ id: 'a', name: 'Old' })];
  await showOver(
    <LibraryPage />,
    { 'library.list': () => ({ assets, total: 1 }), 'library.get': ({ id }) => anAsset({ id }) },
    (name: string) => {
      sent.push(name);
      return ok(anAsset({ id: `of ${name}` }));
    },
  );
  await until(() => byText('Old', '.tile'));
  return sent;
};
const files = ['1.png', '2.mp4'].map((name) => new File(['x'], name));

it.each(['drop', 'paste'] as const)('files are brought in and shown by %s', async (way) => {
  const sent = await open();
  const list = document.querySelector('section.drop') as HTMLElement;
  expect((await give(way, list, files)).defaultPrevented).toBe(true);
  await until(() => expect(sent).toEqual(['1.png', '2.mp4']));
  await until(() => expect([...useLibraryView.getState().choice.ids]).toEqual(['of 2.mp4']));
});

it('files are pasted where nothing has the focus, and words in the search stay words', async () => {
  const sent = await open();
  const search = document.querySelector('input:not([type=file])') as HTMLElement;
  expect((await give('paste', search, files, 'words')).defaultPrevented).toBe(false);
  expect(sent).toEqual([]);
  await give('paste', document.body, files);
  await until(() => expect(sent).toEqual(['1.png', '2.mp4']));
});

it('what is pasted into a dialog, or has gone to a page that was left, is not brought in', async () => {
  const sent = await open();
  const dialog = document.body.appendChild(document.createElement('div'));
  dialog.setAttribute('role', 'dialog');
  await give('paste', dialog, files);
  dialog.remove();
  await show(<p>Another page</p>);
  await give('paste', document.body, files);
  expect(sent).toEqual([]);
});
