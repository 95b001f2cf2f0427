import { describe, expect, it, test } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { curesOf } from './cures.ts';
import { cellsOf, formatOf, textOfListFile, withCell, withoutColumn, withoutLines } from './listText.ts';

const TABLE = '\ufefftitle,prompt,seconds\r\nSea,"Waves,\r\nwide ""and"" slow",5\r\n\r\nLand,=1+1,4\r\n';

test.each([
  ['a table by its columns', 'Title,Prompt\na,b', 'csv'],
  ['a table with semicolons', 'number;prompt\n1;b', 'csv'],
  ['prompts, with commas too', 'Waves, wide\nFields', 'lines'],
  ['one word', 'Waves', 'lines'],
])('%s is told', (_, text, format) => {
  expect(formatOf(text)).toBe(format);
});

describe('a table', () => {
  it('has its cells by line and name', () => {
    expect(cellsOf(TABLE, 'csv').get(2)).toEqual({ title: 'Sea', prompt: 'Waves,\r\nwide "and" slow', seconds: '5' });
    expect([...cellsOf(TABLE, 'csv').keys()]).toEqual([2, 5]);
  });

  it('is changed in one cell, and every other row stays to the letter', () => {
    const text = withCell(TABLE, 2, 'seconds', '6');
    expect(cellsOf(text, 'csv').get(2)).toEqual({ title: 'Sea', prompt: 'Waves,\r\nwide "and" slow', seconds: '6' });
    expect(text.endsWith('\r\n\r\nLand,=1+1,4\r\n')).toBe(true);
  });

  it('loses a column, or rows, and nothing else', () => {
    expect(withoutColumn('title,colour,prompt\nSea,blue,"Waves, wide"', 'colour')).toBe(
      '"title","prompt"\n"Sea","Waves, wide"',
    );
    expect(withoutLines(TABLE, 'csv', new Set([2]))).toBe('\ufefftitle,prompt,seconds\r\n\r\nLand,=1+1,4\r\n');
    expect(withoutLines('a\r\nb\nc', 'lines', new Set([2]))).toBe('a\r\nc');
  });
});

describe('what mends a wrong cell', () => {
  const about = { format: 'csv', models: ['m1', 'm2', 'm3', 'm4'] } as const;
  const fixesOf = (field: string, cells: Record<string, string>, line = 4) =>
    curesOf({ line, field, cells }, about).map(({ label }) => label);

  test.each([
    ['seconds', { seconds: '5' }, ['4', '6', '8', 'Leave line 4 out']],
    ['seconds', { seconds: '5', source: ' Extend' }, ['7', 'Leave line 4 out']],
    ['model', { model: 'x' }, ['m1', 'm2', 'm3', 'Leave line 4 out']],
    ['seed', { seed: 'x' }, ['Leave it open', 'Leave line 4 out']],
    ['prompt', { prompt: 'x' }, ['Leave line 4 out']],
    ['', {}, ['Leave line 4 out']],
  ])('of %s', (field, cells, expected) => {
    expect(fixesOf(field, cells)).toEqual(expected);
  });

  it('of the header is to leave the column out, never the header', () => {
    expect(fixesOf('colour', {}, 1)).toEqual([labels.leaveTheColumnOut]);
    expect(fixesOf('prompt', {}, 1)).toEqual([]);
  });
});

test('a file that is too large or no text is refused in one sentence', async () => {
  const file = (bytes: BlobPart, name = 'list.csv') => Object.assign(new Blob([bytes]), { name });
  expect(await textOfListFile(file('\ufefftitle\nSea'))).toEqual({ ok: true, data: 'title\nSea' });
  expect(await textOfListFile(file(new Uint8Array([0xff, 0xfe, 0x41, 0])))).toMatchObject({
    ok: true,
    data: 'A',
  });
  expect(await textOfListFile(file(new Uint8Array([0x80, 0x61])))).toMatchObject({
    error: { message: 'list.csv is not UTF-8 text; save it as “CSV UTF-8”.' },
  });
  expect(await textOfListFile(file(new Uint8Array(10_000_000)))).toMatchObject({
    error: { message: 'list.csv has 10 MB; at most 500,000 characters are read at once.' },
  });
});
