import { describe, expect, it } from 'vitest';
import { labels } from '../../../test/labels.ts';
import { type ErrorCode, fail } from '../../shared/result.ts';
import { acting, byText, click, fakeStudio, press, release, show, until } from '../testing/page.tsx';
import { Toasts } from '../ui/index.ts';
import { type SendFailure, SpendBar, SpendDialog, useNightOrder } from './index.ts';

const failureOf = (code: ErrorCode): SendFailure => {
  const refused = fail(code, 'It failed.');
  return refused.ok ? undefined : refused.error;
};

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

/** An order whose answer comes when the test lets it. */
function late() {
  const { promise, resolve } = Promise.withResolvers<SendFailure>();
  return { onSend: () => promise, answer: (failure: SendFailure) => acting(() => resolve(failure)) };
}

it.each<[ErrorCode, string]>([
  ['conflict', 'Make take 7: It failed. Nothing was sent.'],
  ['unreachable', 'Make take 7: It failed. It may have been done all the same: look before you do it again.'],
])('%s that comes after the bar was left is told on the page that is there', async (code, words) => {
  fakeStudio({});
  const { onSend, answer } = late();
  const tonight = { what: 'Make take 7', shown: undefined, onSend };
  await show(
    <SpendBar label="Make it" off={undefined} onSend={onSend} tonight={tonight}>
      $1.00
    </SpendBar>,
  );
  await press('Enter', { ctrlKey: true });
  await show(<Toasts />);
  await answer(failureOf(code));
  await until(() => expect(document.querySelector('.toasts')?.textContent).toContain(words));
});

it('a late answer closes the dialog that it was sent from, and no other one', async () => {
  fakeStudio({});
  const { onSend, answer } = late();
  const closed: string[] = [];
  const dialog = (title: string) => (
    <SpendDialog
      key={title}
      title={title}
      label="Make it"
      price="$1.00"
      off={undefined}
      onSend={onSend}
      onClose={() => closed.push(title)}
    >
      {title}
    </SpendDialog>
  );
  await show(dialog('One'));
  await press('Enter', { ctrlKey: true });
  await click(byText(labels.cancel));
  await show(dialog('Two'));
  await answer(undefined);
  expect(closed).toEqual(['One']);
  await show(dialog('Three'));
  await press('Enter', { ctrlKey: true });
  await until(() => expect(closed).toEqual(['One', 'Three']));
});

it('after a lost answer only the same button asks again, for the night or for now', async () => {
  fakeStudio({ 'night.get': () => ({ current: { id: 'n' } }) as never });
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
      tonight={{ what: 'Make it', shown: undefined, onSend: lose('tonight') }}
    >
      $1.00
    </SpendBar>,
  );
  await until(() => expect(byText(labels.tonight).getAttribute('aria-disabled')).toBeNull());
  await click(byText(labels.tonight));
  await until(() => expect(page.textContent).toContain('what was sent already is not sent twice.'));
  await click(byText('Make it'));
  expect(byText('Make it').getAttribute('aria-disabled')).toBe('true');
  expect(byText(labels.tonight).getAttribute('aria-disabled')).toBeNull();
  expect(sent).toEqual(['tonight']);
});

it('where no night is planned, Tonight takes the order along to the plan and sends nothing; what cannot be ordered goes nowhere', async () => {
  fakeStudio({ 'night.get': () => ({ current: null }) as never });
  window.location.hash = '#/storyboard?shot=3';
  const sent: string[] = [];
  const onSend = async () => void sent.push('sent');
  const shown = { estimateNano: 2_400_000_000, lowNano: 400_000_000, unpriced: 0 };
  const bar = (off?: string) => (
    <SpendBar label="Make it" off={off} onSend={onSend} tonight={{ what: 'Make take 3', shown, onSend }}>
      $1.00
    </SpendBar>
  );
  await show(bar('Write what it shows.'));
  await until(() => expect(byText(labels.tonight).title).toBe('Write what it shows.'));
  await click(byText(labels.tonight));
  expect(useNightOrder.getState().order).toBeUndefined();
  await show(bar());
  await until(() => expect(byText(labels.tonight).title).toContain('opens its plan'));
  await click(byText(labels.tonight));
  expect(location.hash).toBe('#/queue/night?plan=change');
  expect(useNightOrder.getState().order).toMatchObject({ what: 'Make take 3', shown, from: '#/storyboard?shot=3' });
  expect(sent).toEqual([]);
});

describe('one press is one request', () => {
  /** A button whose order is answered at once, and how often it was ordered. */
  async function aButton(): Promise<{ sent: string[]; button: () => HTMLElement }> {
    fakeStudio({});
    const sent: string[] = [];
    const onSend = async () => void sent.push('sent') as undefined;
    await show(
      <SpendBar label="Make it" off={undefined} onSend={onSend}>
        $1.00
      </SpendBar>,
    );
    return { sent, button: () => byText('Make it') };
  }

  it('the second half of a double click is the same press', async () => {
    const { sent, button } = await aButton();
    await click(button(), { detail: 1 });
    await click(button(), { detail: 2 });
    expect(sent).toHaveLength(1);
    await click(button(), { detail: 1 });
    expect(sent).toHaveLength(2);
  });

  it('a key that is held is one press, however long, on the button and as the chord', async () => {
    const { sent, button } = await aButton();
    for (const repeat of [false, true, true]) {
      await press('Enter', { repeat }, button());
      await click(button());
    }
    expect(sent).toHaveLength(1);
    await release('Enter', button());
    for (const repeat of [false, true]) await press('Enter', { ctrlKey: true, repeat });
    expect(sent).toHaveLength(2);
  });

  it('a press after the answer is another one, at once', async () => {
    const { sent } = await aButton();
    for (const _ of [1, 2]) {
      await press('Enter', { ctrlKey: true });
      await release('Enter');
    }
    expect(sent).toHaveLength(2);
  });

  it('a press while the answer is awaited does nothing, and the button says that it is busy', async () => {
    let answer = (_: SendFailure): void => {};
    const sent: string[] = [];
    const onSend = () => {
      sent.push('sent');
      return new Promise<SendFailure>((done) => (answer = done));
    };
    fakeStudio({});
    await show(
      <SpendBar label="Make it" off={undefined} onSend={onSend}>
        $1.00
      </SpendBar>,
    );
    await press('Enter', { ctrlKey: true });
    await release('Enter');
    await press('Enter', { ctrlKey: true });
    expect(byText('Make it').getAttribute('aria-busy')).toBe('true');
    expect(sent).toHaveLength(1);
    answer(undefined);
    await until(() => expect(byText('Make it').getAttribute('aria-busy')).toBeNull());
  });
});
