import { useRef, useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { create } from 'zustand';
import { acting, byText, click, press, show, until } from '../../testing/page.tsx';
import { modalLayer } from '../../ui/index.ts';
import { useAnnouncements } from '../announce.ts';
import { useShortcut } from './shortcuts.ts';
import { useSpendChord } from './spendChord.ts';

const here = () => document.activeElement ?? document.body;
const spend = (more: KeyboardEventInit = {}) => press('Enter', { ctrlKey: true, ...more }, here());
const openLayer = () => press('k', { ctrlKey: true }, here());
const focus = (element: HTMLElement | null) => acting(() => element?.focus());
/** The labels of the buttons that show the chord. */
const offered = () => [...document.querySelectorAll('.kbd')].map((key) => key.closest('button')?.textContent);

const [make, send, draft] = [vi.fn(), vi.fn(), vi.fn()];
const pressed = () => [make, send, draft].map(({ mock }) => mock.calls.length);
beforeEach(() => vi.clearAllMocks());

interface PaidProps {
  label: string;
  onPress: () => void;
  isMain?: boolean;
}

function Paid({ label, onPress, isMain = false }: PaidProps) {
  const form = useRef<HTMLDivElement>(null);
  const hint = useSpendChord(form, onPress, { isMain });
  return (
    <div ref={form}>
      <textarea aria-label={`Words of ${label}`} />
      <button type="button" onClick={onPress}>
        {label} {hint && <kbd className="kbd">{hint}</kbd>}
      </button>
    </div>
  );
}
const words = (label: string) => document.querySelector<HTMLElement>(`[aria-label="Words of ${label}"]`);

const useShown = create(() => ({ page: 'Make take', form: true }));
beforeEach(() => {
  useShown.setState({ page: 'Make take', form: true });
  useAnnouncements.setState({ polite: '' });
});

/** A main button, one in a form that may unmount, and one in a layer that unmounts once pressed. */
function Page() {
  const { page, form } = useShown();
  const [isOpen, setOpen] = useState(false);
  useShortcut('palette.open', () => setOpen(true));
  return (
    <>
      <Paid key={page} label={page} onPress={make} isMain />
      {form && <Paid label="Approve" onPress={draft} />}
      {isOpen && (
        <div className="dlg" ref={modalLayer}>
          <Paid label="Send" onPress={() => [send(), setOpen(false)]} isMain />
          <button type="button" onClick={() => setOpen(false)}>
            Cancel
          </button>
        </div>
      )}
    </>
  );
}

it('presses the button of the form or layer that has the focus, else the main one, and is printed on that one', async () => {
  await show(<Page />);
  expect(offered()).toEqual(['Make take Ctrl ↵']);
  await spend();
  await press('Tab');
  await focus(words('Approve'));
  expect(offered()).toEqual(['Approve Ctrl ↵']);
  await spend();
  await spend({ repeat: true });
  await openLayer();
  expect(offered()).toEqual([]);
  await spend();
  await focus(byText('Cancel'));
  expect(offered()).toEqual(['Send Ctrl ↵']);
  await spend();
  expect(pressed()).toEqual([1, 1, 1]);
});

it('pressed once more it does nothing elsewhere until the person has done something else, and says so', async () => {
  await show(<Page />);
  await focus(words('Make take'));
  await openLayer();
  await focus(words('Send'));
  await spend();
  await focus(words('Make take'));
  expect(offered()).toEqual([]);
  for (const more of [{}, { repeat: true }, { ctrlKey: false, repeat: true }, {}]) {
    await press('Control', { ctrlKey: true }, here());
    await spend(more);
  }
  expect(pressed()).toEqual([0, 1, 0]);
  await until(() => expect(useAnnouncements.getState().polite).toContain('Nothing was sent'));

  await openLayer();
  await focus(words('Send'));
  await spend();
  expect(pressed()).toEqual([0, 2, 0]);
});

const write = () => acting(() => here().dispatchEvent(new Event('input', { bubbles: true })));

it.each([
  ['a key', () => press('Tab')],
  ['a pointer', () => acting(() => here().dispatchEvent(new Event('pointerdown', { bubbles: true })))],
  ['a click', () => click(byText('Approve'))],
  ['words', write],
])('after %s it serves what is there, as often as it is pressed', async (_, act) => {
  await show(<Page />);
  await openLayer();
  await focus(words('Send'));
  await spend();
  await focus(words('Make take'));
  await act();
  draft.mockClear();
  expect(offered()).toEqual(['Make take Ctrl ↵']);
  await spend();
  await spend();
  expect(pressed()).toEqual([2, 1, 0]);
});

it('serves the next page at once, and the page where a layer was left by hand', async () => {
  await show(<Page />);
  await focus(words('Make take'));
  await acting(() => useShown.setState({ page: 'Export' }));
  expect(offered()).toEqual(['Export Ctrl ↵']);
  await openLayer();
  await focus(words('Send'));
  await click(byText('Cancel'));
  await spend();
  expect(pressed()).toEqual([1, 0, 0]);
});

it.each([
  ['moved there', () => press('Tab')],
  ['wrote there', write],
  ['clicked there', () => click(byText('Approve'))],
])('where the form goes that the focus is in, nothing else is bought by who %s', async (_, act) => {
  await show(<Page />);
  await focus(words('Approve'));
  await act();
  await acting(() => new Promise((done) => setTimeout(done)));
  await acting(() => useShown.setState({ form: false }));
  await spend();
  expect([offered(), make.mock.calls]).toEqual([[], []]);
  await press('Tab');
  expect(offered()).toEqual(['Make take Ctrl ↵']);
  await spend();
  expect(make).toHaveBeenCalledOnce();
});
