import { expect, it } from 'vitest';
import { expandPrompt } from '../../../../shared/jobs/promptMatrix.ts';
import { choiceOfFile } from '../panels/ListButton.tsx';

const file = (name: string, ...parts: BlobPart[]) => new File(parts, name);

async function membersOf(given: File): Promise<string[]> {
  const choice = await choiceOfFile(given);
  if (!choice.ok) throw new Error(choice.error.message);
  const prompts = expandPrompt(choice.data);
  if (!prompts.ok) throw new Error(prompts.error.message);
  return prompts.data;
}

it.each<[string, File, string[]]>([
  ['lines', file('a.txt', 'a dog\ntwo crew'), ['a dog', 'two crew']],
  [
    'a byte order mark, CRLF and blank lines',
    file('a.txt', '\ufeffa dog\r\n\r\n  \r\ntwo crew\r\n'),
    ['a dog', 'two crew'],
  ],
  ['braces and bars', file('a.txt', '{a|b}\nc|d\nends \\'), ['{a|b}', 'c|d', 'ends \\']],
  ['one line', file('a.txt', 'a {lone|last} figure\n'), ['a {lone|last} figure']],
  ['a comma in a line', file('a.txt', 'a dog, wet\ntwo'), ['a dog, wet', 'two']],
  ['a quoted cell', file('a.csv', '"a dog, wet"\r\ntwo\r\n\r\n'), ['a dog, wet', 'two']],
  ['UTF-16', file('a.txt', new Uint8Array([0xff, 0xfe, 0x61, 0, 0x0a, 0, 0x62, 0])), ['a', 'b']],
])('%s are read as they are meant', async (_, given, members) => expect(await membersOf(given)).toEqual(members));

it.each<[File, string]>([
  [file('none.txt', '\ufeff\r\n \r\n'), 'none.txt is empty.'],
  [file('long.txt', 'x\n'.repeat(1_001)), 'long.txt has 1,001 lines; a list has at most 1,000.'],
  [file('big.txt', 'x'.repeat(4_000_001)), 'big.txt has 4 MB; at most 1,000,000 characters are read at once.'],
  [file('two.csv', 'one\na,b\n'), 'two.csv has several columns in line 2; a list has one.'],
  [file('odd.txt', new Uint8Array([0x80, 0x61])), 'odd.txt is not UTF-8 text; save it as “CSV UTF-8”.'],
])('%o is refused in one sentence', async (given, message) =>
  expect(await choiceOfFile(given)).toMatchObject({ ok: false, error: { message } }),
);
