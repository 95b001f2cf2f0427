import { expect, it } from 'vitest';
import { type ErrorCode, fail } from '../../shared/result.ts';
import { byText, click, fakeStudio, press, show, until } from '../testing/page.tsx';
import { type SendFailure, SpendBar } from './index.ts';

const failureOf = (code: ErrorCode): SendFailure => {
  const refused = fail(code, 'It failed.');
  return refused.ok ? undefined : refused.error;
};

/** Bug: the answer was lost, the page said that nothing was sent, and a second press paid twice. */
it.each<[string, SendFailure, string]>([
  [
    'the studio did not answer',
    failureOf('unreachable'),
    'Pressed again as it is, what was sent already is not sent twice.',
  ],
  [
    'the studio ended in an exception',
    failureOf('internal'),
    'Pressed again as it is, what was sent already is not sent twice.',
  ],
  ['the studio refused it', failureOf('conflict'), 'Nothing was sent.'],
  ['the page did not ask', 'Write what the picture shows.', 'Nothing was sent.'],
])('where %s, the page says what is known of it', async (_, failure, words) => {
  fakeStudio({});
  const page = await show(
    <SpendBar label="Make it" off={undefined} onSend={async () => failure}>
      $1.00
    </SpendBar>,
  );
  await press('Enter', { ctrlKey: true });
  await until(() => expect(page.textContent).toContain(words));
});

/** Bug: an answer was lost, and the other button ordered the same once more under a key of its own. */
it('after a lost answer only the same button asks again, for the night or for now', async () => {
  fakeStudio({});
  const sent: string[] = [];
  const lose = (when: string) => async () => {
    sent.push(when);
    return failureOf('unreachable');
  };
  const page = await show(
    <SpendBar
      label="Make it"
      off={undefined}
      onSend={lose('now')}
      tonight={{ off: undefined, onSend: lose('tonight') }}
    >
      $1.00
    </SpendBar>,
  );
  await click(byText('Tonight'));
  await until(() => expect(page.textContent).toContain('what was sent already is not sent twice.'));
  await click(byText('Make it'));
  expect(byText('Make it').getAttribute('aria-disabled')).toBe('true');
  expect(byText('Tonight').getAttribute('aria-disabled')).toBeNull();
  expect(sent).toEqual(['tonight']);
});
