import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { languageOf, pseudoLanguage } from './language.ts';
import { counted, inflected, messageId, setLanguage, t, textParts } from './texts.ts';

afterEach(() => setLanguage(undefined));

it('speaks a catalogue: order and forms are the language’s', () => {
  setLanguage(
    languageOf('pl', {
      '{count, plural, one {# shot} other {# shots}} of {film}': {
        defaultMessage: '{film}: {count, plural, one {# ujęcie} few {# ujęcia} many {# ujęć} other {# ujęcia}}',
      },
      'Both {count, plural, one {waits} other {wait}}': {
        defaultMessage: '{count, plural, one {Czeka} other {Czekają}}',
      },
    }),
  );
  const shots = (count: number) => t`${counted(count, 'shot')} of ${'Port'}`;
  expect([1, 3, 5].map(shots)).toEqual(['Port: 1 ujęcie', 'Port: 3 ujęcia', 'Port: 5 ujęć']);
  expect(t`Both ${inflected(2, 'waits', 'wait')}`).toBe('Czekają');
});

it.each([
  ['is empty', ''],
  ['is no message', '{0'],
  ['asks for a value that there is not', 'Aufnahme {nummer}'],
])('leaves a message in English whose translation %s', (_what, translation) => {
  setLanguage(languageOf('de', { 'Take {number}': { defaultMessage: translation } }));
  expect(t`Take ${2}`).toBe('Take 2');
});

it('gives back every text whose message it is', () => {
  const texts = fc.array(fc.oneof(fc.constantFrom('{', '}', "'", '<', '>', '#', '|', 'a', ' '), fc.string()));
  fc.assert(
    fc.property(texts, texts, (before, noun) => {
      const [text, word] = [before.join(''), noun.join('')];
      const message = messageId([text, ''], [counted(2, 'x', word)], ['count']);
      setLanguage(languageOf('en', { [message]: { defaultMessage: message } }));
      expect(textParts([text, ''], [counted(2, 'x', word)]).join('')).toBe(`${text}2 ${word}`);
    }),
  );
});

it('has words of its own for everything while it is tried', () => {
  setLanguage(pseudoLanguage());
  expect(t`Queue`).toBe('[Qûééûé]');
  expect(t`${counted(2, 'shot')} of ${'Port'}`).toMatch(/^\[2 .*š.* öf+ Port\]$/);
});
