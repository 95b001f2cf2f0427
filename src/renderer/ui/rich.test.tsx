import { afterEach, expect, it } from 'vitest';
import { languageOf } from '../../shared/text/language.ts';
import { counted, setLanguage } from '../../shared/text/texts.ts';
import { show } from '../testing/page.tsx';
import { rich } from './index.ts';

afterEach(() => setLanguage(undefined));

const Sentence = () => <p>{rich`${counted(2, 'shot')} hang on ${<b>veo</b>}${false}.`}</p>;

it('is a sentence with elements in it', async () => {
  const body = await show(<Sentence />);
  expect(body.querySelector('p')?.innerHTML).toBe('2 shots hang on <b>veo</b>.');
});

it('is in the order of the language', async () => {
  setLanguage(
    languageOf('de', {
      '{count, plural, one {# shot} other {# shots}} hang on {model}{rest}.': {
        defaultMessage: 'An {model} hängen {count, plural, other {# Einstellungen}}.',
      },
    }),
  );
  const body = await show(<Sentence />);
  expect(body.querySelector('p')?.innerHTML).toBe('An <b>veo</b> hängen 2 Einstellungen.');
});

it('shows what is in a value', async () => {
  const body = await show(<p>{rich`Named ${'a\u202eb'} ${<b>here</b>}`}</p>);
  expect(body.textContent).not.toContain('\u202e');
});
