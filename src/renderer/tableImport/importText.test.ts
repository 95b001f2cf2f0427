import { describe, expect, it, test } from 'vitest';
import { SHOT_COLUMNS } from '../../shared/board/shotList.ts';
import { BATCH_COLUMNS, BATCH_FORMATS } from '../../shared/jobs/batch.ts';
import { withoutColumn } from '../../shared/tables/tableText.ts';
import {
  cellsOf,
  formatOf,
  headerOf,
  skippedAfter,
  withHeader,
  withLastNames,
  withoutField,
  withoutSkipped,
  withValue,
} from './importText.ts';

const only = (...lines: number[]) => new Set(lines);
const csv = (text: string) => ({ text, format: 'csv' as const });
const jsonl = (text: string) => ({ text, format: 'jsonl' as const });
const words = (text: string) => ({ text, format: 'lines' as const });

it.each([
  ['kind,prompt\nimagine,One', 'csv'],
  ['Prompt;Model\nOne;video', 'csv'],
  ['durationSeconds;generateAudio\n4;ja', 'csv'],
  ['{"prompt":"One"}\n', 'jsonl'],
  ['One, a prompt\nTwo', 'lines'],
  ['{rain|fog} at night', 'lines'],
  ['', 'lines'],
] as const)('tells the format of %j', (text, format) => {
  expect(formatOf(text, BATCH_COLUMNS, BATCH_FORMATS)).toBe(format);
});

it('reads only the formats of its import', () => {
  expect(formatOf('{"prompt":"One"}', SHOT_COLUMNS, ['csv', 'lines'])).toBe('lines');
  expect(formatOf('when,sum', [], ['csv'])).toBe('csv');
});

describe('columns', () => {
  const table = csv('\ufeffScene;Length;\r\n"A; B";4;x\r\n\r\nTwo;5;y');
  test.each([
    ['one gets another name', 0, 'prompt', '\ufeff"prompt";"Length";""\r\n"A; B";4;x\r\n\r\nTwo;5;y'],
    ['one is not used', 2, undefined, '\ufeff"Scene";"Length"\r\n"A; B";"4"\r\n\r\n"Two";"5"'],
  ])('%s', (_, index, name, expected) => {
    expect(withHeader(table.text, index, name)).toBe(expected);
  });

  it('are those of the first line', () => {
    expect(headerOf(table)).toEqual(['Scene', 'Length', '']);
    expect(headerOf(words('Scene;Length'))).toEqual([]);
  });

  it('go by their whole name', () => {
    expect(withoutColumn('n,prompt,night\n1,Sea,yes', 'n')).toBe('"prompt","night"\n"Sea","yes"');
  });
});

describe('a value', () => {
  test.each([
    [
      'of one row of a table, the others to the letter',
      csv('kind,prompt,seconds\r\nvideo,"A, ""b""",5\r\nvideo,Two,5\r\n'),
      [only(3), 'seconds', '4'],
      'kind,prompt,seconds\r\nvideo,"A, ""b""",5\r\n"video","Two","4"\r\n',
    ],
    [
      'of all like rows of a table',
      csv('prompt,seconds\nOne,5\nTwo,4\nThree,5'),
      [only(2, 4), 'seconds', '6'],
      'prompt,seconds\n"One","6"\nTwo,4\n"Three","6"',
    ],
    [
      'below a header with the name of the request',
      csv('sep=;\nprompt;durationSeconds\nSea;5'),
      [only(2), 'seconds', '4'],
      'sep=;\nprompt;durationSeconds\n"Sea";"4"',
    ],
    [
      'of JSON lines, as a number',
      jsonl('{"prompt":"One","seconds":5}\n{"prompt":"2","durationSeconds":5}'),
      [only(1, 2), 'seconds', '4'],
      '{"prompt":"One","seconds":4}\n{"prompt":"2","seconds":4}',
    ],
    ['of JSON lines, as text', jsonl('{"prompt":"2"}'), [only(1), 'prompt', '12'], '{"prompt":"12"}'],
    ['of text lines', words('One\r\nTwo\nThree'), [only(2), 'prompt', '2'], 'One\r\n2\nThree'],
  ] as const)('%s', (_, source, [lines, field, value], expected) => {
    expect(withValue(source, lines, field, value)).toBe(expected);
  });

  it('that no import has is taken away', () => {
    expect(withoutField(csv('kind,colour,prompt\nvideo,red,One'), 1, 'colour')).toBe('"kind","prompt"\n"video","One"');
    expect(withoutField(jsonl('{"prompt":"2","colour":"red"}'), 1, 'colour')).toBe('{"prompt":"2"}');
    const twice = '{"prompt":"One"}\n{"prompt":"a","config":{"seed":1,"seed":2},"prompt":"b"}\n{"prompt":"Three"}';
    expect(withLastNames(twice, 2)).toBe('{"prompt":"One"}\n{"prompt":"b","config":{"seed":2}}\n{"prompt":"Three"}');
  });
});

test.each([
  [
    csv('prompt,seed\nOne,1\n"A {red|blue|{x}} car",2\nTwo,3'),
    'prompt,seed\n"A red car","2"\r\n"A \\{x\\} car","2"\nTwo,3',
  ],
  [words('Zero\nOne\n{a|b}\nTwo'), 'Zero\na\nTwo'],
  [
    jsonl('{"prompt":"Zero"}\n{"prompt":"One"}\n{"prompt":"{a|b}","seed":1}'),
    '{"prompt":"Zero"}\n{"seed":1,"prompt":"a"}',
  ],
])('a copy has what would be imported: %j', (source, expected) => {
  expect(withoutSkipped(source, new Set(['2', '3.2']))).toBe(expected);
});

it('skipped rows stay so where lines move', () => {
  const before = 'kind,prompt,notes\nimagine,One,"a\nb"\nimagine,Two {x|y},c\nimagine,Three,d';
  const after = csv(withoutColumn(before, 'notes'));
  expect([...skippedAfter(before, after, new Set(['4.2', '5']))]).toEqual(['3.2', '4']);
  expect([...skippedAfter('a\nb', words('a'), new Set(['2']))]).toEqual(['2']);
});

test.each([
  [csv('Kind;Prompt\r\nvideo;"A\nB"\r\nvideo;\\{c\\}'), 4, ['kind', 'video', 'prompt', '\\{c\\}']],
  [
    jsonl('{"prompt":"Two","durationSeconds":4,"night":true,"config":{}}'),
    1,
    ['prompt', 'Two', 'seconds', '4', 'night', 'true'],
  ],
  [words('One\n  Two '), 2, ['prompt', 'Two']],
  [words('One'), 7, []],
] as const)('the cells of a row are those of the text: %j', (source, line, expected) => {
  expect(cellsOf(source, line).flat()).toEqual(expected);
});
