import { useRef, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { acting, byText, show } from '../../testing/page.tsx';
import { modalLayer } from '../../ui/index.ts';
import { useShortcut } from './shortcuts.ts';
import { useSpendChord } from './spendChord.ts';

const chord = (key: string) => {
  const event = new KeyboardEvent('keydown', { key, ctrlKey: true, bubbles: true, cancelable: true });
  return acting(() => void document.activeElement?.dispatchEvent(event));
};

function Layer({ send }: { send: () => void }) {
  const place = useRef<HTMLButtonElement>(null);
  useSpendChord(place, send);
  return (
    <div className="dlg" ref={modalLayer}>
      <button ref={place} type="button">
        Send in the dialog
      </button>
    </div>
  );
}

function Page({ make, send }: { make: () => void; send: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLButtonElement>(null);
  useSpendChord(place, make, { isMain: true });
  useShortcut('palette.open', () => setOpen(true));
  return (
    <>
      <textarea />
      <button ref={place} type="button">
        Make take
      </button>
      {isOpen && <Layer send={() => [send(), setOpen(false)]} />}
    </>
  );
}

it('the chord serves the page again once a layer has given the focus back, but not in the same breath', async () => {
  let now = 100_000;
  vi.spyOn(Event.prototype, 'timeStamp', 'get').mockImplementation(() => now);
  const [make, send] = [vi.fn(), vi.fn()];
  await show(<Page make={make} send={send} />);
  const box = document.querySelector('textarea');
  await acting(() => void box?.dispatchEvent(new Event('pointerdown', { bubbles: true })));
  await acting(() => box?.focus());
  await chord('k');
  await acting(() => byText('Send in the dialog', 'button').focus());
  await chord('Enter');
  expect([make, send].map((each) => each.mock.calls.length)).toEqual([0, 1]);
  await acting(() => box?.focus());
  now += 300;
  await chord('Enter');
  expect(make).not.toHaveBeenCalled();
  now += 1_000;
  await chord('Enter');
  expect(make).toHaveBeenCalledOnce();

  await chord('k');
  await acting(() => byText('Send in the dialog', 'button').focus());
  await chord('Enter');
  await acting(() => box?.focus());
  await chord('k');
  await acting(() => byText('Send in the dialog', 'button').focus());
  await chord('Enter');
  expect([make, send].map((each) => each.mock.calls.length)).toEqual([1, 3]);
});
