import { expect, it, test } from 'vitest';
import { tableImport } from './tableImport.ts';

const table = tableImport({
  fileLabel: 'File',
  accept: '.csv',
  columns: ['prompt'],
  formats: ['csv', 'lines'],
  mostCharacters: 1_000,
});
const { useDraft } = table;
const skipped = () => [...useDraft.getState().skipped];

it('undo takes back each change of the text and of what is skipped', () => {
  table.start('One\nTwo');
  table.change('One\n2');
  table.skip(['1']);
  table.readAs('csv');
  table.undo();
  expect([useDraft.getState().format, skipped()]).toEqual(['lines', ['1']]);
  table.undo();
  table.undo();
  expect(useDraft.getState()).toMatchObject({ text: 'One\nTwo', past: [] });
  table.undo();
  expect(useDraft.getState().text).toBe('One\nTwo');
});

it('forgets the skipped choices of a row with another prompt, and of no other', () => {
  table.start('{a|b|c}\n{d|e}\nOne');
  table.skip(['1.2', '2.1', '3', '12.1']);
  table.change('{a|b|c}\n{f|g}\nOne', new Set([2]));
  expect(skipped()).toEqual(['1.2', '3', '12.1']);
});

it('another text has nothing of the one before, and a text goes back to be typed', () => {
  table.start('One');
  table.skip(['1']);
  table.start('prompt\nTwo', 'two.csv');
  expect(useDraft.getState()).toMatchObject({ name: 'two.csv', format: 'csv', past: [] });
  expect(skipped()).toEqual([]);
  table.edit();
  expect(useDraft.getState()).toMatchObject({ text: '', typed: 'prompt\nTwo' });
});

const file = (bytes: BlobPart) => new File([bytes], 'list.csv');

test.each([
  ['with a byte order mark', file('\ufeffprompt\nSea'), { text: 'prompt\nSea', error: undefined }],
  ['in UTF-16', file(new Uint8Array([0xff, 0xfe, 0x41, 0])), { text: 'A' }],
  [
    'that is no text',
    file(new Uint8Array([0x80, 0x61])),
    { error: 'list.csv is not UTF-8 text; save it as “CSV UTF-8”.' },
  ],
  ['that is too large', file(new Uint8Array(10_000_000)), { error: expect.stringContaining('list.csv has 10 MB;') }],
])('reads a file %s', async (_, chosen, expected) => {
  table.clear();
  await table.readFile(chosen);
  expect(useDraft.getState()).toMatchObject(expected);
});
