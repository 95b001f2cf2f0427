import { describe, expect, it, vi } from 'vitest';
import { labels } from '../../../test/labels.ts';
import { type ErrorCode, fail } from '../../shared/contract/result.ts';
import { useStudio } from '../app/index.ts';
import { aSavedProfile } from '../testing/aProfile.ts';
import { isOff } from '../testing/find.ts';
import { acting, byText, click, fakeStudio, press, release, show, until } from '../testing/page.tsx';
import { Dialog, Toasts } from '../ui/index.ts';
import { type SendFailure, SpendBar, SpendDialog, useNightOrder } from './index.ts';

const failureOf = (code: ErrorCode): SendFailure => {
  const refused = fail(code, 'It failed.');
  return refused.ok ? undefined : refused.error;
};
type Bar = Partial<Parameters<typeof SpendBar>[0]>;
const spendBar = (more: Bar = {}) => (
  <SpendBar label="Make it" off={undefined} onSend={async () => undefined} {...more}>
    $1.00
  </SpendBar>
);
const spend = (more: KeyboardEventInit = {}) => press('Enter', { ctrlKey: true, ...more });
const NOT_TWICE = 'Press again unchanged: nothing is sent twice.';

it.each<[string, SendFailure, string]>([
  ['the studio did not answer', failureOf('unreachable'), NOT_TWICE],
  ['the studio ended in an exception', failureOf('internal'), NOT_TWICE],
  ['the studio refused it', failureOf('conflict'), 'Nothing was sent.'],
  ['the page did not ask', 'Write what the picture shows.', 'Nothing was sent.'],
])('where %s, the page says what is known of it', async (_, failure, words) => {
  fakeStudio({});
  const page = await show(spendBar({ onSend: async () => failure }));
  await spend();
  await until(() => expect(page.textContent).toContain(words));
});

/** An order whose answer comes when the test lets it. */
function late() {
  const { promise, resolve } = Promise.withResolvers<SendFailure>();
  return { onSend: () => promise, answer: (failure: SendFailure) => acting(() => resolve(failure)) };
}

it.each<[ErrorCode, string]>([
  ['conflict', 'Make take 7: It failed. Nothing was sent.'],
  ['unreachable', 'Make take 7: It failed. The change may have been made. Check before you repeat it.'],
])('%s that comes after the bar was left is told on the page that is there', async (code, words) => {
  fakeStudio({});
  const { onSend, answer } = late();
  await show(spendBar({ onSend, tonight: { what: 'Make take 7', shown: undefined, onSend } }));
  await spend();
  await show(<Toasts />);
  await answer(failureOf(code));
  await until(() => expect(document.querySelector('.toasts')?.textContent).toContain(words));
});

it('a late answer closes the dialog that it was sent from, and no other one', async () => {
  fakeStudio({});
  const { onSend, answer } = late();
  const closed: string[] = [];
  const dialog = (title: string) => {
    const given = { label: 'Make it', price: '$1.00', off: undefined, onSend, onClose: () => closed.push(title) };
    return (
      <SpendDialog key={title} title={title} {...given}>
        {title}
      </SpendDialog>
    );
  };
  await show(dialog('One'));
  await spend();
  await click(byText(labels.cancel));
  await show(dialog('Two'));
  await answer(undefined);
  expect(closed).toEqual(['One']);
  await show(dialog('Three'));
  await spend();
  await until(() => expect(closed).toEqual(['One', 'Three']));
});

it('does nothing behind a dialog that covers its price', async () => {
  fakeStudio({});
  const sent: string[] = [];
  const bar = spendBar({ onSend: async () => void sent.push('sent') as undefined });
  await show(
    <>
      {bar}
      <Dialog open onClose={() => undefined} title="Over it">
        A price list
      </Dialog>
    </>,
  );
  await spend();
  expect(sent).toEqual([]);
  await show(bar);
  await spend();
  expect(sent).toEqual(['sent']);
});

it('after a lost answer only the same button asks again, for the night or for now', async () => {
  fakeStudio({ 'night.get': () => ({ current: { id: 'n' } }) as never });
  const sent: string[] = [];
  const lose = (when: string) => async () => {
    sent.push(when);
    return failureOf('unreachable');
  };
  const tonight = { what: 'Make it', shown: undefined, onSend: lose('tonight') };
  const page = await show(spendBar({ onSend: lose('now'), tonight }));
  const off = (label: string) => byText(label).getAttribute('aria-disabled');
  await until(() => expect(off(labels.scheduleTonight)).toBeNull());
  await click(byText(labels.scheduleTonight));
  await until(() => expect(page.textContent).toContain(NOT_TWICE));
  await click(byText('Make it'));
  expect([off('Make it'), off(labels.scheduleTonight), sent]).toEqual(['true', null, ['tonight']]);
});

it('where no night is planned, Tonight takes the order along to the plan and sends nothing; what cannot be ordered goes nowhere', async () => {
  fakeStudio({ 'night.get': () => ({ current: null }) as never });
  window.location.hash = '#/storyboard?shot=3';
  const sent: string[] = [];
  const onSend = async () => void sent.push('sent') as undefined;
  const shown = { estimateNano: 2_400_000_000, lowNano: 400_000_000, unpriced: 0 };
  const bar = (off?: string) => spendBar({ off, onSend, tonight: { what: 'Make take 3', shown, onSend } });
  await show(bar('Write what it shows.'));
  await until(() => expect(byText(labels.scheduleTonight).title).toBe('Write what it shows.'));
  await click(byText(labels.scheduleTonight));
  expect(useNightOrder.getState().order).toBeUndefined();
  await show(bar());
  await until(() => expect(byText(labels.scheduleTonight).title).toContain('Schedule one first'));
  await click(byText(labels.scheduleTonight));
  expect(location.hash).toBe('#/queue/night?plan=change');
  expect(useNightOrder.getState().order).toMatchObject({ what: 'Make take 3', shown, from: '#/storyboard?shot=3' });
  expect(sent).toEqual([]);
});

describe('one press is one request', () => {
  /** A button, and how often it has ordered. */
  async function aButton(answer: Promise<SendFailure> = Promise.resolve(undefined)) {
    fakeStudio({});
    let sent = 0;
    const onSend = () => {
      sent += 1;
      return answer;
    };
    await show(spendBar({ onSend }));
    return { sent: () => sent, button: () => byText('Make it') };
  }

  it('the second half of a double click is the same press', async () => {
    const { sent, button } = await aButton();
    await click(button(), { detail: 1 });
    await click(button(), { detail: 2 });
    expect(sent()).toBe(1);
    await click(button(), { detail: 1 });
    expect(sent()).toBe(2);
  });

  it('a key that is held is one press, however long, on the button and as the chord', async () => {
    const { sent, button } = await aButton();
    for (const repeat of [false, true, true]) {
      await press('Enter', { repeat }, button());
      await click(button());
    }
    expect(sent()).toBe(1);
    await release('Enter', button());
    for (const repeat of [false, true]) await spend({ repeat });
    expect(sent()).toBe(2);
  });

  it('the rest of a press that has brought the button sends nothing', async () => {
    const { sent, button } = await aButton();
    await press('Enter', { repeat: true }, button());
    await click(button());
    await release('Enter', button());
    await click(button(), { detail: 2 });
    expect(sent()).toBe(0);
    // As another program clicks, which presses no key.
    await click(button());
    expect(sent()).toBe(1);
  });

  it('a press after the answer is another one, at once', async () => {
    const { sent } = await aButton();
    for (const _ of [1, 2]) {
      await spend();
      await release('Enter');
    }
    expect(sent()).toBe(2);
  });

  it('a press while the answer is awaited does nothing, and the button says that it is busy', async () => {
    const { promise, resolve } = Promise.withResolvers<SendFailure>();
    const { sent, button } = await aButton(promise);
    await spend();
    await release('Enter');
    await spend();
    expect([button().getAttribute('aria-busy'), sent()]).toEqual(['true', 1]);
    resolve(undefined);
    await until(() => expect(button().getAttribute('aria-busy')).toBeNull());
  });
});

it('without the key of its gateway nothing is sent, and the button says why', async () => {
  useStudio.setState({ profiles: [aSavedProfile()], activeProfileId: 'p' });
  const onSend = vi.fn(async () => undefined);
  await show(
    <SpendBar label="Make take 3" off={undefined} onSend={onSend}>
      up to $1.60
    </SpendBar>,
  );
  expect(document.body.textContent).toContain(labels.enterTheKeyFirst);
  expect(isOff(byText('Make take 3'))).toBe(true);
  await press('Enter', { ctrlKey: true });
  expect(onSend).not.toHaveBeenCalled();
  useStudio.setState({ profiles: [] });
});
