import { afterEach, expect, it } from 'vitest';
import {
  counted,
  en,
  formatCount,
  formatLocale,
  inflected,
  listed,
  plural,
  setLanguage,
  t,
  textParts,
} from './texts.ts';

afterEach(() => setLanguage(undefined));

/** A language with another order of the values. */
const speak = (messages: Record<string, string>) =>
  setLanguage({
    tag: 'de',
    translate: (message, values) =>
      messages[message]?.split(/(\{\d\})/).map((part) => (/^\{\d\}$/.test(part) ? values[Number(part[1])] : part)),
  });

it('is the English text with its values in their places', () => {
  expect(t`Nothing yet`).toBe('Nothing yet');
  expect(t`Take ${2} of “${'Harbour'}”`).toBe('Take 2 of “Harbour”');
  expect(t`${counted(1, 'job')} ${inflected(1, 'waits', 'wait')}`).toBe('1 job waits');
  expect(t`${counted(1_200, 'entry', 'entries')} ${inflected(2, 'waits', 'wait')}`).toBe('1,200 entries wait');
  expect([plural(1, 'job'), plural(0, 'job'), plural(3, 'entry', 'entries')]).toEqual(['1 job', '0 jobs', '3 entries']);
});

it('leaves the place of a value empty that is not there', () => {
  expect(t`Take ${undefined}.`).toBe('Take .');
});

it('is English for programs in every language', () => {
  speak({ 'Take {0}': 'Aufnahme {0}' });
  expect([t`Take ${2}`, en`Take ${2}`, en`${counted(1, 'job')} left`]).toEqual(['Aufnahme 2', 'Take 2', '1 job left']);
});

it('does not read what is in a value as a message', () => {
  speak({ 'Take {0}': 'Aufnahme {0}' });
  expect(t`Take ${'{1} {count, plural, other {#}}'}`).toBe('Aufnahme {1} {count, plural, other {#}}');
});

it.each([
  ['a value', () => t`Take ${2} stays`, 'Take {0} stays'],
  ['a number with its noun', () => t`${counted(3, 'shot')} left`, '{0, plural, one {# shot} other {# shots}} left'],
  ['a word that agrees', () => t`They ${inflected(3, 'goes', 'go')}`, 'They {0, plural, one {goes} other {go}}'],
  ['a noun alone', () => plural(3, 'shot'), '{0, plural, one {# shot} other {# shots}}'],
  ['braces', () => t`Write {a|b} or '{' for it`, "Write '{'a|b'}' or '''{''' for it"],
  [
    'the sign of a number in a noun',
    () => t`${counted(2, 'take #')}`,
    "{0, plural, one {# take '#'} other {# take '#'s}}",
  ],
])('asks for %s by a message of ICU', (_name, text, message) => {
  const asked: string[] = [];
  setLanguage({ tag: 'de', translate: (message) => void asked.push(message) });
  text();
  expect(asked).toEqual([message]);
});

it('is in the language that is set, in its order, and in English where that has no words', () => {
  speak({ '{0} of {1}': '{1}: {0}', Queue: 'Warteschlange' });
  expect([t`Queue`, t`${'a'} of ${'b'}`, t`Spend`]).toEqual(['Warteschlange', 'b: a', 'Spend']);
});

it('keeps the values that are no texts', () => {
  const element = { type: 'b' };
  expect(textParts(['Ends on ', '.'], [element])).toEqual(['Ends on ', element, '.']);
  speak({ 'Ends on {0}.': '{0} ist das Ende.' });
  expect(textParts(['Ends on ', '.'], [element])).toEqual(['', element, ' ist das Ende.']);
});

it('lists as the language does', () => {
  expect(listed(['a', 'b', 'c'])).toBe('a, b and c');
  speak({});
  expect(listed(['a', 'b', 'c'])).toBe('a, b und c');
});

it('writes numbers as the language does', () => {
  expect([formatLocale(), formatCount(11_840)]).toEqual(['en-GB', '11,840']);
  speak({});
  expect([formatLocale(), formatCount(11_840)]).toEqual(['de', '11.840']);
});
