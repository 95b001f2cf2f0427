import { beforeEach, expect, it, vi } from 'vitest';
import { labels } from '../../../test/labels.ts';
import { textOf, textsOf } from '../testing/find.ts';
import { acting, byText, click, clickOn, show, showOver, until } from '../testing/page.tsx';
import { Toasts } from '../ui/index.ts';
import { useAnnouncements } from './announce.ts';
import { OutcomeLine, refuseAt, showOutcome } from './outcome.tsx';

const lines = () => textsOf('.outcome .t2');

beforeEach(async () => {
  await showOver(<OutcomeLine place="here" />);
});

it('what a click did stands at its own place, is spoken, and can be taken back once', async () => {
  const [older, newer] = [vi.fn(), vi.fn()];
  await acting(() => {
    showOutcome('elsewhere', { text: 'Another is removed.' });
    showOutcome('here', { text: 'It is removed.', undo: older });
    showOutcome('here', { text: 'It is removed.', undo: newer });
  });
  expect(lines()).toEqual(['It is removed.']);
  await until(() => expect(useAnnouncements.getState().polite).toBe('It is removed.'));
  await click(byText(labels.undo));
  expect([older.mock.calls.length, newer.mock.calls.length]).toEqual([0, 1]);
  expect(lines()).toEqual([]);
});

it('goes by its button, by what made it void, and with its place; not for an older one', async () => {
  const say = (text: string) => acting(() => (close = showOutcome('here', { text })));
  let close = () => {};
  await say('One');
  const older = close;
  await say('Two');
  await acting(older);
  expect(lines()).toEqual(['Two']);
  await acting(close);
  expect(lines()).toEqual([]);
  await say('Three');
  await click(byText(labels.dismiss));
  expect(lines()).toEqual([]);
  await say('Four');
  await show(<p>Another page</p>);
  await show(<OutcomeLine place="here" />);
  expect(lines()).toEqual([]);
});

it('why a click did nothing stands at its place, and elsewhere once that was left', async () => {
  await acting(() => refuseAt('here', 'The disk is full.'));
  expect(textOf('.outcome [role=alert]')).toBe('The disk is full.');
  await show(<Toasts />);
  await acting(() => refuseAt('here', 'The disk is full.'));
  await until(() => expect(textOf('.toast.fail')).toContain('The disk is full.'));
});

it('what was done to who has left its place is said elsewhere with its Undo, until that is void', async () => {
  const undo = vi.fn();
  await show(<Toasts />);
  const removed = { text: 'The plan is removed.', undo };
  let close = () => {};
  const say = () => acting(() => (close = showOutcome('here', removed)));
  await say();
  await acting(close);
  await until(() => expect(document.querySelector('.toast')).toBeNull());
  await say();
  await clickOn(labels.undo, '.toast button');
  expect(undo.mock.calls.length).toBe(1);
  await show(<OutcomeLine place="here" />);
  expect(lines()).toEqual([]);
});

it('what opens its place stands there once that is shown', async () => {
  await show(<Toasts />);
  await acting(() => showOutcome('here', { text: 'The words are recalled.', isOpening: true }));
  await show(<OutcomeLine place="here" />);
  expect(lines()).toEqual(['The words are recalled.']);
});

it.each([labels.undo, labels.dismiss])('the keys go on in the panel after %s', async (button) => {
  await show(
    <section data-panel tabIndex={-1}>
      <OutcomeLine place="here" />
    </section>,
  );
  await acting(() => showOutcome('here', { text: 'It is removed.', undo: () => undefined }));
  byText(button).focus();
  await click(byText(button));
  expect(document.activeElement?.matches('section')).toBe(true);
});

it('a refusal stands beside what can still be taken back, in the place of an earlier one', async () => {
  const undo = vi.fn();
  await acting(() => {
    showOutcome('here', { text: 'It is removed.', undo });
    refuseAt('here', 'The disk is full.');
    refuseAt('here', 'At most 10,000.');
  });
  expect(lines()).toEqual(['It is removed.']);
  expect(textsOf('.outcome [role=alert]')).toEqual(['At most 10,000.']);
  await click(byText(labels.undo));
  expect(undo.mock.calls.length).toBe(1);
  expect(document.querySelectorAll('.outcome')).toHaveLength(1);
});
