import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it, test } from 'vitest';
import {
  type Catalogue,
  catalogueFile,
  englishIn,
  englishOfPages,
  knownCatalogue,
  languages,
  messagesIn,
  textsOfSource,
  translationsOf,
} from './texts.ts';

/** A sentence outside the catalogue stays English in every language. */

const { catalogue, faults } = textsOfSource();

test('every text of the program can be collected', () => {
  expect(faults).toEqual([]);
});

test('the catalogue has every text and no other', () => {
  expect(knownCatalogue('en') === catalogueFile(catalogue), 'npm run texts').toBe(true);
});

/** Translators see one message at a time, and other languages order clauses differently. */
test('no message is the beginning or the end of a sentence that others complete', () => {
  expect(Object.keys(catalogue).filter((message) => /^[\s,.;:)]|[\s,(]$/.test(message))).toEqual([]);
});

const english = Object.keys(catalogue);
const wordsOf = (message: string): number => message.split(/\s+/).length;

/** Units, and names and facts within sentences or lists; whole messages begin with a capital letter. */
const LOWER_CASE = [
  'a second',
  'a token',
  'a video',
  'an image',
  'characters a second, limit {limit}',
  'an old picture of {name}',
  'an old take',
  'about {bytes}',
  'about {seconds} min left',
  'about {seconds} s left',
  'bill unconfirmed',
  'bill unknown',
  'billed',
  'finishing',
  'limit {limitNano}',
  'link ended',
  'link may have ended',
  'no price set',
  'not billed',
  'of {limit}',
  'overnight run {number} running',
  'overnight run {number} scheduled',
  'overnight run {number} starts at {startsAt}',
  'shot {first}',
  'shots {first}–{last}',
  'shots {shots}',
  'shot {number} “{title}”',
  'shot {number} “{title}” ({prompt})',
  'up to {nano}',
  'x {x}\u2002y {y}',
  // Rules that follow the name of a column.
  'a shot list needs this column, or a title.',
  'has no name in line 1.',
  'is a column twice.',
  'is no column of a shot list; these are: {join}.',
];

test('the catalogue has at most 3,000 messages and 16,000 words', () => {
  expect(english.length).toBeLessThanOrEqual(3_000);
  expect(english.reduce((sum, message) => sum + wordsOf(message), 0)).toBeLessThanOrEqual(16_000);
});

test('a message begins with a capital letter, but for units and names', () => {
  expect(english.filter((message) => /^\p{Ll}/u.test(message) && !LOWER_CASE.includes(message))).toEqual([]);
});

test('at most 20 messages have more than 25 words', () => {
  expect(english.filter((message) => wordsOf(message) > 25).length).toBeLessThanOrEqual(20);
});

test('no two messages differ by case or a full stop only', () => {
  const seen = new Map<string, string>();
  const pairs = english
    .filter((message) => !LOWER_CASE.includes(message))
    .flatMap((message) => {
      const bare = message
        .replace(/\{\w+\}/g, '{}')
        .toLowerCase()
        .replace(/\.$/, '');
      const twin = seen.get(bare);
      seen.set(bare, message);
      return twin === undefined ? [] : [[twin, message]];
    });
  expect(pairs).toEqual([]);
});

test('every page asks for its texts in the language that is set', () => {
  expect(englishOfPages()).toEqual([]);
});

describe.each(languages())('the catalogue of %s', (tag) => {
  const all = Object.keys(catalogue);
  const translations = translationsOf(tag, all);
  const translated = Object.entries(translations).filter(([, { defaultMessage }]) => defaultMessage !== '');

  it('translates at least 98 of 100 messages, and none that is gone', () => {
    const missing = all.filter((key) => translated.every(([english]) => english !== key));
    expect(missing.length, missing.join('\n')).toBeLessThanOrEqual(all.length * 0.02);
    expect(knownCatalogue(tag) === catalogueFile(translations), 'npm run texts').toBe(true);
  });

  it('has a form for each number that the language tells apart', () => {
    const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
    const lacks = translated.filter(([, { defaultMessage }]) =>
      pluralFormsOf(defaultMessage).some((forms) => pluralCategories.some((category) => !forms.includes(category))),
    );
    expect(lacks).toEqual([]);
  });
});

/** The plural categories that each plural of a message covers. */
const pluralFormsOf = (message: string): string[][] =>
  new IntlMessageFormat(message, 'en')
    .getAst()
    .flatMap((part) => ('pluralType' in part ? [Object.keys(part.options)] : []));

test('every message of every language is of the form of ICU and has the values of the English one', () => {
  const valuesOf = (message: string) =>
    [
      ...new Set(
        JSON.stringify(new IntlMessageFormat(message, 'en').getAst()).match(/"type":[1-7],"value":"\w+"/g) ?? [],
      ),
    ].sort();
  const wrong = ['en', ...languages()].flatMap((tag) => {
    const pairs = Object.entries(JSON.parse(knownCatalogue(tag)) as Catalogue).filter(
      ([, { defaultMessage }]) => defaultMessage !== '',
    );
    return pairs.filter(
      ([english, { defaultMessage }]) => String(valuesOf(english)) !== String(valuesOf(defaultMessage)),
    );
  });
  expect(wrong).toEqual([]);
});

describe('what is collected', () => {
  it.each([
    ['a text', 't`Nothing yet`', ['Nothing yet']],
    ['a sentence with elements', 'rich`Ends on ${<b>{day}</b>}.`', ['Ends on {day}.']],
    ['a number with its noun', "t`${counted(n, 'shot')} left`", ['{n, plural, one {# shot} other {# shots}} left']],
    ['a word that agrees', "t`It ${inflected(n, 'goes', 'go')}`", ['It {n, plural, one {goes} other {go}}']],
    ['a noun alone', "plural(n, 'entry', 'entries')", ['{count, plural, one {# entry} other {# entries}}']],
    ['a value by its property', 't`${formatTime(job.startedAt)}, ${job.takes.length}`', ['{startedAt}, {takesCount}']],
    ['two values of one name', 't`${a.width} and ${b.width}`', ['{width} and {width2}']],
    ['a text in a text', 't`It is ${is ? t`on` : t`off`}`', ['It is {value}', 'on', 'off']],
  ])('is %s', (_what, source, wanted) => {
    const { messages, faults } = messagesIn('x.tsx', source);
    expect([messages.map(({ id }) => id), faults]).toEqual([wanted, []]);
  });

  const from = "import { counted } from './texts.ts';\n";
  it.each([
    ['a noun that is no literal', 't`${counted(n, noun)}`', 'x.tsx:1: the words of a number are literals'],
    ['a noun alone that is no literal', 'plural(n, noun)', 'x.tsx:1: the words of a number are literals'],
    ['a selector', 't`a[href], button`', 'x.tsx:1: it is read by the program'],
    ['a value of a style', 't`url("${font}")`', 'x.tsx:1: it is read by the program'],
    ['what is compared', 'if (word === t`none`) stop();', 'x.tsx:1: it is read by the program'],
    ['a number outside of a text', `${from}say(counted(n, 'shot'))`, 'x.tsx:2: it stands in no text'],
  ])('refuses %s', (_what, source, fault) => {
    expect(messagesIn('x.tsx', source).faults).toEqual([fault]);
  });

  it('refuses the error of a call in the language that is set, and collects none in English', () => {
    const faults = (source: string) => messagesIn('src/main/x.ts', source).faults;
    expect(faults("fail('conflict', is ? t`Sent` : '')")).toEqual(['src/main/x.ts:1: the error of a call is en`…`']);
    const english = "fail('conflict', en`${counted(n, 'shot')} left`)";
    expect(messagesIn('src/main/x.ts', from + english)).toEqual({ messages: [], faults: [] });
  });
});

/** A gate that never fails proves nothing. */
describe('what would stay English', () => {
  it.each([
    ['words of an element', '<p>Nothing yet</p>'],
    ['one word', '<b>off</b>'],
    ['a name for a screen reader', '<button aria-label="Close" />'],
    ['a heading', '<Section title="Cost" />'],
    ['a sentence', "announce('Saved, and read back.');"],
    ['a label', "const options = [{ value: 'a', label: 'After 30 days' }];"],
    ['a sentence with values', 'announce(`Saved in ${folder}.`);'],
    ['a sentence in a text', "t`${saved ? 'Saved in the folder.' : ''}`"],
  ])('is found in %s', (_what, source) => {
    expect(englishIn('x.tsx', source)).toHaveLength(1);
  });

  it.each([
    ['a text', '<p title={t`Cost`}>{t`Nothing yet`}</p>'],
    ['a key', '<Kbd>Ctrl Enter</Kbd>'],
    ['classes and attributes', '<p className="row Wide grow" role="status" />'],
    ['what developers read', "throw new Error('index.html has no #root.');"],
    ['addresses and styles', 'const a = [`#/spend?m=${m}`, `translate(${x}px, 0)`];'],
  ])('is not found in %s', (_what, source) => {
    expect(englishIn('x.tsx', source)).toEqual([]);
  });
});
