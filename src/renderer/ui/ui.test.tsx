import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { labels } from '../../../test/labels.ts';
import { isOff, textOf } from '../testing/find.ts';
import { acting, byText, click, clickOn, fakeStudio, press, show, type, until } from '../testing/page.tsx';
import {
  Boundary,
  Button,
  Dialog,
  JobStateGlyph,
  MoneyBar,
  NumberInput,
  Panel,
  PriceTag,
  Segmented,
  Select,
  Tabs,
  Toasts,
  toast,
} from './index.ts';

it('a button that is off swallows the click, stays reachable and says why', async () => {
  const action = vi.fn();
  await show(
    <Button off="Shot 5 needs a first frame." onClick={action}>
      Make take 7
    </Button>,
  );
  const button = byText('Make take 7') as HTMLButtonElement;
  await click(button);
  expect(action).not.toHaveBeenCalled();
  expect(button.disabled).toBe(false);
  expect(isOff(button)).toBe(true);
  expect(button.getAttribute('aria-description')).toBe('Shot 5 needs a first frame.');
});

it('a figure changes only where it is edited', async () => {
  const chosen = vi.fn();
  const body = await show(
    <NumberInput aria-label="Out" value={12.3456} format={{ maximumFractionDigits: 2 }} onValue={chosen} />,
  );
  const field = body.querySelector('input[aria-label="Out"]') as HTMLInputElement;
  await acting(() => field.focus());
  await acting(() => field.blur());
  expect(chosen).not.toHaveBeenCalled();
  await acting(() => field.focus());
  await type(field, '7.129');
  await acting(() => field.blur());
  expect(chosen).toHaveBeenLastCalledWith(7.13);
});

it('the layer of each select is named after it', async () => {
  const options = [{ value: 'a', label: 'First' }];
  const body = await show(
    <>
      <Select aria-label="Mode" options={options} value="a" onValue={() => undefined} />
      <Select aria-label="Version" options={options} value="a" onValue={() => undefined} />
    </>,
  );
  for (const trigger of body.querySelectorAll<HTMLElement>('[role="combobox"]')) await acting(() => trigger.focus());
  const names = () =>
    [...document.querySelectorAll('section[aria-label]')].map((one) => one.getAttribute('aria-label'));
  await until(() => expect(names()).toEqual(['Mode, open', 'Version, open']));
});

describe('a dialog', () => {
  function Board() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <PriceTag nano={3_200_000_000} lowNano={400_000_000} />
        <button type="button" onClick={() => setOpen(true)}>
          Set a budget
        </button>
        {open && (
          <Dialog open onClose={() => setOpen(false)} title="Budget">
            <input aria-label="Hard" autoFocus />
          </Dialog>
        )}
      </>
    );
  }

  it('gives the focus back to who opened it, though a layer was open before and a field took the focus', async () => {
    const body = await show(<Board />);
    const [price, opener] = body.querySelectorAll('button');
    price?.focus();
    await click(price ?? body);
    await until(() => expect(document.querySelector('.pop')).not.toBeNull());
    await press('Escape');
    await until(() => expect(document.querySelector('.pop')).toBeNull());
    opener?.focus();
    await click(opener ?? body);
    await until(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Hard'));
    await press('Escape', {}, document.activeElement ?? body);
    await until(() => expect(document.querySelector('.dlg')).toBeNull());
    await until(() => expect(document.activeElement?.textContent).toBe('Set a budget'));
  });

  it('has the focus as it appears, before the next frame', async () => {
    const frames = vi.spyOn(window, 'requestAnimationFrame').mockReturnValue(0);
    try {
      await show(
        <Dialog open onClose={() => undefined} title="Tags">
          <input type="file" hidden />
          <button type="button" disabled>
            Done
          </button>
          <input aria-label="Add a tag" />
        </Dialog>,
      );
      expect(document.activeElement?.getAttribute('aria-label')).toBe('Add a tag');
    } finally {
      frames.mockRestore();
    }
  });
});

describe('a price', () => {
  it('is never nought beside orders of which nobody knows it', async () => {
    const totals = { settledNano: 0, reservedNano: 0, uncertainNano: 0, unpriced: 2 };
    const body = await show(<MoneyBar totals={totals} limitNano={5_000_000_000} />);
    expect(body.innerHTML).not.toContain('$0.00');
    expect(body.querySelector('.mbar')?.getAttribute('aria-label')).toBe('2 without a price, limit $5.00');
  });

  it('is one figure where both readings agree, a range where they do not, and an upper bound once charged', async () => {
    const body = await show(
      <>
        <PriceTag nano={50_000_000} />
        <PriceTag nano={3_200_000_000} lowNano={400_000_000} />
        <PriceTag nano={2_400_000_000} lowNano={400_000_000} as="most" />
      </>,
    );
    const texts = [...body.querySelectorAll('.price')].map((element) => element.textContent);
    expect(texts).toEqual(['$0.05', 'up to $3.20', '≤ $2.40']);
  });

  it.each(['Tab goes on past them', 'Enter goes in'])(
    'shows both with the focus, which stays there: %s',
    async (way) => {
      await show(<PriceTag nano={3_200_000_000} lowNano={400_000_000} />);
      const price = byText('show both prices');
      // jsdom guesses `:focus-visible` from key presses of other tests.
      vi.spyOn(price, 'matches').mockReturnValue(true);
      const both = () => document.querySelector('.price-pop');
      await acting(() => price.focus());
      await until(() => expect(both()).not.toBeNull());
      expect(document.activeElement).toBe(price);
      if (way.startsWith('Tab')) {
        await press('Tab', {}, price);
        await until(() => expect(both()).toBeNull());
      } else {
        await click(price);
        await until(() => expect(document.activeElement?.textContent).toBe('Set the price in Spend'));
      }
    },
  );
});

it('a job state carries its word even when only the glyph is shown', async () => {
  const body = await show(<JobStateGlyph state="uncertain" bare />);
  expect(body.textContent).toBe(labels.unconfirmed);
});

it('segments move with arrows and skip what is forbidden', async () => {
  const chosen = vi.fn();
  const options = [
    { value: '4', label: '4' },
    { value: '6', label: '6', off: true },
    { value: '8', label: '8' },
  ] as const;
  const body = await show(<Segmented aria-label="Length" options={options} value="4" onValue={chosen} />);
  const first = body.querySelector<HTMLElement>('[role="radio"]');
  first?.focus();
  await press('ArrowRight', {}, first ?? body);
  expect(chosen).toHaveBeenCalledWith('8');
});

describe('toasts', () => {
  it('say the same sentence once and lead to where it happened', async () => {
    fakeStudio({});
    const lead = vi.fn();
    await show(<Toasts />);
    toast({ kind: 'doubt', text: 'Answer lost', action: { label: 'Resolve', onAction: lead } });
    toast({ kind: 'doubt', text: 'Answer lost' });
    await until(() => expect(document.querySelectorAll('.toast')).toHaveLength(1));
    await click(byText('Resolve'));
    expect(lead).toHaveBeenCalledOnce();
  });

  it('are two for two things with the same words, one after the other', async () => {
    fakeStudio({});
    const led: string[] = [];
    await show(<Toasts />);
    for (const about of ['a', 'b', 'b']) {
      const action = { label: 'Resolve', onAction: () => led.push(about) };
      toast({ kind: 'doubt', text: 'Quay may have been made', about, action });
    }
    for (const expected of [['b'], ['b', 'a']]) {
      await clickOn('Resolve');
      expect(led).toEqual(expected);
    }
    await until(() => expect(document.querySelector('.toast')).toBeNull());
  });
});

it('what cannot be drawn takes only itself with it, and is tried again when it has changed', async () => {
  const Fragile = ({ text }: { text: string }) => {
    if (text === 'bad') throw new Error('cannot be drawn');
    return <b>{text}</b>;
  };
  const Page = () => {
    const [text, setText] = useState('bad');
    return (
      <p>
        <Button onClick={() => setText('good')}>Mend</Button>
        <Boundary of={text} instead={() => <s>{text}</s>}>
          <Fragile text={text} />
        </Boundary>
      </p>
    );
  };
  const silence = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await show(<Page />);
  silence.mockRestore();
  expect(textOf('s')).toBe('bad');
  await click(byText('Mend'));
  expect(document.querySelector('s')).toBeNull();
  expect(textOf('b')).toBe('good');
});

it('a panel that cannot be drawn keeps its landmark and its way to try again', async () => {
  let isBroken = true;
  const Fragile = () => {
    if (isBroken) throw new Error('cannot be drawn');
    return <b>whole</b>;
  };
  const silence = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await show(
    <Panel label="Shot settings">
      <Fragile />
    </Panel>,
  );
  silence.mockRestore();
  expect(textOf('aside')).toContain('Shot settings could not be shown');
  isBroken = false;
  await click(byText('Show it again'));
  expect(textOf('b')).toBe('whole');
});

describe('tabs in a bar that has no room for all', () => {
  const items = ['Board', labels.cast, 'Seams'].map((value) => ({ value, label: value }));
  const bar = () => document.querySelector('.tabs-root') as HTMLElement;
  function Bar() {
    const [value, setValue] = useState('Board');
    return (
      <>
        <Tabs aria-label="Views" items={items} value={value} onValue={setValue} />
        <button type="button" onClick={() => setValue('Seams')}>
          by its key
        </button>
      </>
    );
  }

  it('brings the chosen one into view, however it was chosen', async () => {
    const brought = vi.spyOn(Element.prototype, 'scrollIntoView');
    await show(<Bar />);
    brought.mockClear();
    await click(byText('by its key'));
    await until(() => expect(brought.mock.contexts).toEqual([byText('Seams', '[role="tab"]')]));
    brought.mockRestore();
  });

  it('turns with a wheel that has one direction', async () => {
    await show(<Bar />);
    Object.defineProperty(bar(), 'scrollLeft', { value: 0, writable: true });
    bar().dispatchEvent(new WheelEvent('wheel', { deltaY: 40 }));
    bar().dispatchEvent(new WheelEvent('wheel', { deltaX: 7, deltaY: 3 }));
    expect(bar().scrollLeft).toBe(40);
  });
});
