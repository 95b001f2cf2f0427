import { expect, test } from 'vitest';
import { countWork, growthOf } from '../../../test/helpers/countWork.ts';
import { readSidecar } from '../library/sidecar.ts';
import { safeName, shownBeginning, shownJson } from './safeText.ts';

test.each([
  ['bidi overrides', 'photo\u202egpj.exe', 'photo‹U+202E›gpj.exe'],
  ['bidi isolates and marks', '\u2066a\u2069\u200e\u200f\u061c', '‹U+2066›a‹U+2069›‹U+200E›‹U+200F›‹U+061C›'],
  ['zero widths', 'pay\u200bpal\u2060\ufeff', 'pay‹U+200B›pal‹U+2060›‹U+FEFF›'],
  ['joiners between letters of scripts that do not join', 'a\u200db\u200cc', 'a‹U+200D›b‹U+200C›c'],
  [
    'soft hyphens, fillers and blanks',
    'a\u00adb\u3164\u115f\uffa0\u2800',
    'a‹U+00AD›b‹U+3164›‹U+115F›‹U+FFA0›‹U+2800›',
  ],
  ['tags', 'hi\u{e0041}\u{e0001}', 'hi‹U+E0041›‹U+E0001›'],
  ['tags that are no flag', '\u{1f3f4}\u{e0067}\u{e007f}', '\u{1f3f4}‹U+E0067›‹U+E007F›'],
  ['variation selectors behind a letter', 'a\ufe0f\u{e0100}', 'a‹U+FE0F›‹U+E0100›'],
  ['controls and separators', 'a\u0000\u0007\u001b\u0085\u2028', 'a‹U+0000›‹U+0007›‹U+001B›‹U+0085›‹U+2028›'],
  ['halves of a character', 'a\ud800', 'a‹U+D800›'],
])('%s are shown as what they are', (_what, name, shown) => {
  expect(safeName(name)).toBe(shown);
});

test.each([
  'A quay at night, 4 s.mp4',
  'שלום and مرحبا',
  '👩‍💻 👩🏽‍🚀 ❤️‍🔥 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣',
  'می‌خواهم',
  'क्‍ष',
  '葛\u{e0100}城',
  'two\nlines\tand a tab',
])('%s is shown as it was written', (name) => {
  expect(safeName(name)).toBe(name);
});

test('JSON shows every character of it, and is the same value', () => {
  const value = { prompt: 'A quay\u202e\u0085 \u{e0041}\u{1f468}\u200d\u{1f680}\n', '\u200b': [1] };
  const shown = shownJson(JSON.stringify(value, null, 2));
  expect(shown).toContain(`${String.raw`A quay\u202e\u0085 \udb40\udc41`}\u{1f468}\u200d\u{1f680}`);
  expect(shown).toContain(String.raw`"\u200b"`);
  expect(JSON.parse(shown)).toEqual(value);
});

const FLAG = '\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}';
const SCOTLAND = '🏴󠁧󠁢󠁳󠁣󠁴󠁿';

test.each([
  ['flags', SCOTLAND],
  ['flags of too few letters', FLAG],
  ['families', '👩‍👩‍👧'],
  ['unseen characters', '\u202e'],
  ['flags among them', `\u202e${SCOTLAND}\u200b`],
])('a text of twice as many %s is twice the work', async (_what, unit) => {
  const work = (count: number): Promise<number> =>
    countWork(() => [safeName, shownJson].map((show) => show(unit.repeat(count))));
  await work(4_000);
  expect(await growthOf(work, 2_000)).toBeLessThan(2.2);
});

test('flags stay beside what does not', () => {
  expect(safeName(`${SCOTLAND}\u202e${SCOTLAND}${FLAG}${SCOTLAND}`)).toBe(
    `${SCOTLAND}‹U+202E›${SCOTLAND}\u{1f3f4}‹U+E0067›‹U+E0062›‹U+E007F›${SCOTLAND}`,
  );
});

test.each(['\u{1f6a2}', SCOTLAND, '\u{1f469}\u200d\u{1f467}'])(
  '%s at the end of what is kept is not written out',
  (sign) => {
    for (let kept = 0; kept < sign.length; kept += 1)
      expect(shownBeginning(`${'a'.repeat(100)}${sign} and more`, 100 + kept)).not.toContain('‹');
    expect(shownBeginning(`${'a'.repeat(100)}${sign} and more`, 100 + sign.length)).toBe(`${'a'.repeat(100)}${sign}`);
  },
);

test('of a text that is cut only that much is looked at', async () => {
  const work = (text: string): Promise<number> => countWork(() => shownBeginning(text, 200));
  expect(shownBeginning('\u202ea'.repeat(200), 12)).toBe('‹U+202E›a‹U+');
  const [short, long] = ['\u202e'.repeat(1_000), '\u202e'.repeat(100_000)];
  await work(short);
  expect(await work(long)).toBe(await work(short));
  const name = SCOTLAND.repeat(10_000);
  const json = JSON.stringify({ dailies: 1, sha256: 'a'.repeat(64), name });
  await readSidecar(json);
  expect((await countWork(() => readSidecar(json))) / json.length).toBeLessThan(1.5);
});
