import { expect, test, vi } from 'vitest';
import { type ClickedOn, contextMenuOf, popupFor } from './contextMenu.ts';

const nothing: ClickedOn = {
  isEditable: false,
  selectionText: '',
  misspelledWord: '',
  dictionarySuggestions: [],
  mediaType: 'none',
  srcURL: '',
  linkURL: '',
  editFlags: { canUndo: false, canRedo: false, canCut: false, canCopy: false, canPaste: true },
};
const actions = () => ({
  replaceWord: vi.fn(),
  learnWord: vi.fn(),
  copyPicture: vi.fn(),
  copyLink: vi.fn(),
  save: vi.fn(),
  showInFolder: vi.fn(),
});
const menu = (on: Partial<ClickedOn>, act = actions()) => contextMenuOf({ ...nothing, ...on }, act);
const names = (on: Partial<ClickedOn>) => menu(on).map(({ role, label, type }) => role ?? label ?? type);

test('empty ground has no menu', () => expect(menu({})).toEqual([]));

test('a field can be edited, with what is possible there', () => {
  expect(names({ isEditable: true })).toEqual([...['undo', 'redo', 'separator', 'cut', 'copy', 'paste', 'selectAll']]);
  const items = menu({ isEditable: true });
  expect(items.find(({ role }) => role === 'paste')?.enabled).toBe(true);
  expect(items.find(({ role }) => role === 'cut')?.enabled).toBe(false);
});

test('a misspelled word has at most five suggestions, and can be learnt', () => {
  const act = actions();
  const dictionarySuggestions = ['a', 'b', 'c', 'd', 'e', 'f'];
  const items = menu({ isEditable: true, misspelledWord: 'wrnog', dictionarySuggestions }, act);
  expect(items.slice(0, 7).map(({ label }) => label)).toEqual([
    'a',
    'b',
    'c',
    'd',
    'e',
    'Add to the dictionary',
    undefined,
  ]);
  items[1]?.click?.(...([] as unknown as Parameters<NonNullable<(typeof items)[1]['click']>>));
  expect(act.replaceWord).toHaveBeenCalledWith('b');
  expect(names({ isEditable: true, misspelledWord: 'x' })[0]).toBe('No suggestion');
});

test('text that is chosen can be copied', () => {
  expect(names({ selectionText: 'words' })).toEqual(['copy']);
  expect(names({ selectionText: ' \n' })).toEqual([]);
});

test('a picture or clip of the library can be saved and shown in its folder', () => {
  const act = actions();
  const items = menu({ mediaType: 'video', srcURL: 'studio-media://asset/ast_1' }, act);
  expect(items.map(({ label }) => label)).toEqual(['Save as…', 'Show in folder']);
  items[1]?.click?.(...([] as unknown as Parameters<NonNullable<(typeof items)[1]['click']>>));
  expect(act.showInFolder).toHaveBeenCalledWith('ast_1');
  expect(names({ mediaType: 'image', srcURL: 'studio-media://asset/ast_1' })[0]).toBe('Copy picture');
});

test.each([
  'https://e.example/asset/ast_1',
  'studio-media://upload/ast_1',
  'studio-media://asset/',
  'blob:null/1',
  'x',
])('%s is no file of the library', (srcURL) => expect(menu({ mediaType: 'image', srcURL })).toEqual([]));

test('only addresses of the web are copied as links', () => {
  expect(names({ linkURL: 'https://e.example/' })).toEqual(['Copy link']);
  for (const linkURL of ['studio-app://app/#/queue', 'file:///etc/passwd', 'javascript:1', ''])
    expect(menu({ linkURL })).toEqual([]);
});

test('a menu that a key has called opens where the caret is, every other one at the mouse', () => {
  const frame = { url: 'studio-app://app/' } as never;
  expect(popupFor({ menuSourceType: 'keyboard', frame, x: 10.4, y: 20.6 })).toEqual({
    sourceType: 'keyboard',
    frame,
    x: 10,
    y: 21,
  });
  expect(popupFor({ menuSourceType: 'mouse', frame: null, x: 10, y: 20 })).toEqual({ sourceType: 'mouse' });
});
