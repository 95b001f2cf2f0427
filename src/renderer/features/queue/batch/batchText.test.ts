import { describe, expect, it } from 'vitest';
import { columnNames, withoutColumn } from '../../../../shared/tableText.ts';
import {
  cellsOf,
  formatOf,
  leftOutAfter,
  mended,
  template,
  textOfBatchFile,
  withLastNames,
  withoutField,
  withValue,
} from './batchText.ts';
import { clearBatch, leaveOut, mendBatch, startBatch, useBatchDraft } from './useBatchDraft.ts';

it.each([
  ['kind,prompt\nimagine,One', 'csv'],
  ['Prompt;Model\nOne;video', 'csv'],
  ['{"prompt":"One"}\n', 'jsonl'],
  ['One, a prompt\nTwo', 'lines'],
  ['{rain|fog} at night', 'lines'],
  ['', 'lines'],
] as const)('knows the form of %j', (text, format) => {
  expect(formatOf(text)).toBe(format);
});

describe('one value is changed', () => {
  it('in a table, and everything else stays as it was', () => {
    const text = 'kind,prompt,seconds\r\nvideo,"A, ""b""",5\r\nvideo,Two,5\r\n';
    expect(withValue(text, 'csv', { line: 3, field: 'seconds' }, '4')).toBe(
      'kind,prompt,seconds\r\nvideo,"A, ""b""",5\r\n"video","Two","4"\r\n',
    );
    expect(withoutField('kind,colour,prompt\nvideo,red,One', 'csv', { line: 1, field: 'colour' })).toBe(
      '"kind","prompt"\n"video","One"',
    );
  });

  it('in JSON lines, with the type that it has there', () => {
    const text = '{"prompt":"One","seconds":5}\n{"prompt":"2","seconds":5,"colour":"red"}';
    const twice = '{"prompt":"One"}\n{"prompt":"a","config":{"seed":1,"seed":2},"prompt":"b"}\n{"prompt":"Three"}';
    expect(withLastNames(twice, 2)).toBe('{"prompt":"One"}\n{"prompt":"b","config":{"seed":2}}\n{"prompt":"Three"}');
    expect(withValue(text, 'jsonl', { line: 1, field: 'seconds' }, '4')).toContain('{"prompt":"One","seconds":4}\n');
    expect(withValue(text, 'jsonl', { line: 2, field: 'prompt' }, '12')).toContain('"prompt":"12"');
    expect(withoutField(text, 'jsonl', { line: 2, field: 'colour' })).toContain('\n{"prompt":"2","seconds":5}');
  });

  it('in lines of text', () => {
    expect(withValue('One\r\nTwo\nThree', 'lines', { line: 2, field: 'prompt' }, '2')).toBe('One\r\n2\nThree');
  });
});

it('a mended copy has what would be queued', () => {
  const out = new Set(['2', '3.2']);
  expect(mended('prompt,seed\nOne,1\n"A {red|blue|{x}} car",2\nTwo,3', 'csv', out)).toBe(
    'prompt,seed\n"A red car","2"\r\n"A \\{x\\} car","2"\nTwo,3',
  );
  expect(mended('Zero\nOne\n{a|b}\nTwo', 'lines', out)).toBe('Zero\na\nTwo');
  expect(mended('{"prompt":"Zero"}\n{"prompt":"One"}\n{"prompt":"{a|b}","seed":1}', 'jsonl', out)).toBe(
    '{"prompt":"Zero"}\n{"seed":1,"prompt":"a"}',
  );
});

it('what is left out stays so where lines move', () => {
  const before = 'kind,prompt,notes\nimagine,One,"a\nb"\nimagine,Two {x|y},c\nimagine,Three,d';
  const after = withoutColumn(before, 'notes');
  expect([...leftOutAfter(before, after, 'csv', new Set(['4.2', '5']))]).toEqual(['3.2', '4']);
  expect([...leftOutAfter('a\nb', 'a', 'lines', new Set(['2']))]).toEqual(['2']);
});

it('a column goes by its whole name', () => {
  expect(withoutColumn('n,prompt,night\n1,Sea,yes', 'n')).toBe('"prompt","night"\n"Sea","yes"');
});

it('the template names every column', () => {
  expect(columnNames(template())).toContain('last_frame');
  expect(formatOf(template())).toBe('csv');
});

it('reads files as spreadsheets write them, and says which it cannot', async () => {
  const file = (bytes: number[]) => Object.assign(new Blob([new Uint8Array(bytes)]), { name: 'jobs.csv' });
  expect(await textOfBatchFile(file([0xff, 0xfe, 0x61, 0, 0x0a, 0]))).toEqual({ ok: true, data: 'a\n' });
  expect(await textOfBatchFile(file([0xfe, 0xff, 0, 0x61]))).toEqual({ ok: true, data: 'a' });
  expect(await textOfBatchFile(file([0xef, 0xbb, 0xbf, 0x61]))).toEqual({ ok: true, data: 'a' });
  expect(await textOfBatchFile(file([0x80, 0x61]))).toMatchObject({
    ok: false,
    error: { message: 'jobs.csv is not UTF-8 text; save it as “CSV UTF-8”.' },
  });
});

it('forgets the choices that are left out of a line whose words are written anew, and of no other', () => {
  startBatch('{a|b|c}\n{d|e}\nOne');
  leaveOut(['1.2', '2.1', '3', '12.1'], true);
  mendBatch('{a|b|c}\n{f|g}\nOne', 2);
  expect([...useBatchDraft.getState().leaveOut]).toEqual(['1.2', '3', '12.1']);
  mendBatch('{a|b}\n{f|g}\nOne', 1);
  expect([...useBatchDraft.getState().leaveOut]).toEqual(['3', '12.1']);
  clearBatch();
});

it('the cells of a line are those of the text', () => {
  const table = 'Kind;Prompt;Note;Seconds\r\nvideo;"A\nB";x;4\r\nvideo;\\{c\\};;';
  expect(cellsOf(table, 'csv', 2)).toEqual([
    ['kind', 'video'],
    ['prompt', 'A\nB'],
    ['seconds', '4'],
  ]);
  expect(cellsOf(table, 'csv', 4)).toEqual([
    ['kind', 'video'],
    ['prompt', '\\{c\\}'],
    ['seconds', ''],
  ]);
  expect(
    cellsOf('{"prompt":"One"}\n{"prompt":"Two","seconds":4,"night":true,"config":{"seed":1}}', 'jsonl', 2),
  ).toEqual([
    ['prompt', 'Two'],
    ['seconds', '4'],
    ['night', 'true'],
  ]);
  expect(cellsOf('One\n  Two ', 'lines', 2)).toEqual([['prompt', 'Two']]);
  expect(cellsOf('One', 'lines', 7)).toEqual([]);
});

it('a value that stands under the name of its field is shown and mended under its column', () => {
  expect(formatOf('durationSeconds;generateAudio\n4;ja')).toBe('csv');
  expect(withValue('sep=;\nprompt;durationSeconds\nSea;5', 'csv', { line: 2, field: 'seconds' }, '4')).toBe(
    'sep=;\nprompt;durationSeconds\n"Sea";"4"',
  );
  const line = '{"prompt":"Sea","durationSeconds":5}';
  expect(cellsOf(line, 'jsonl', 1)).toContainEqual(['seconds', '5']);
  expect(withValue(line, 'jsonl', { line: 1, field: 'seconds' }, '4')).toBe('{"prompt":"Sea","seconds":4}');
});
