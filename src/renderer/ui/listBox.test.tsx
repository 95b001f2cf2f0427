import { useState } from 'react';
import { describe, expect, it, test, vi } from 'vitest';
import { acting, press, show } from '../testing/page.tsx';
import { listBox, stepInList } from './index.ts';

const stepOf = (key: string, at: number, held: object = {}, isHorizontal = false) =>
  stepInList(new KeyboardEvent('keydown', { key, ...held }) as never, at, 30, isHorizontal);

test.each([
  ['ArrowDown', -1, 0],
  ['ArrowDown', 4, 5],
  ['ArrowDown', 29, 29],
  ['ArrowUp', 0, 0],
  ['PageDown', 4, 14],
  ['PageUp', 4, 0],
  ['Home', 4, 0],
  ['End', 4, 29],
  ['ArrowRight', 4, undefined],
  ['x', 4, undefined],
])('%s from %i leads to %j', (key, at, expected) => {
  expect(stepOf(key, at)).toBe(expected);
});

it('a list that lies has the other arrows, and leaves keys with a modifier to the page', () => {
  expect([stepOf('ArrowRight', 4, {}, true), stepOf('ArrowDown', 4, {}, true)]).toEqual([5, undefined]);
  for (const held of ['ctrlKey', 'altKey', 'metaKey', 'shiftKey'])
    expect(stepOf('ArrowDown', 4, { [held]: true })).toBeUndefined();
});

describe('a list box', () => {
  const onOpen = vi.fn();
  let setIds: (ids: string[]) => void;

  function List() {
    const [ids, set] = useState(['a', 'b', 'c']);
    const [chosen, onChoose] = useState<string>();
    setIds = set;
    return (
      <div role="listbox" {...listBox({ ids, chosen, onChoose, onOpen, elementId: (id) => `option-${id}` })}>
        {ids.map((id) => (
          <div key={id} id={`option-${id}`} role="option" tabIndex={-1} aria-selected={id === chosen}>
            <button type="button">{id}</button>
          </div>
        ))}
      </div>
    );
  }
  const list = () => document.querySelector('[role=listbox]') as HTMLElement;
  const active = () => list().getAttribute('aria-activedescendant');

  it('has the focus and moves the choice; both stay when the options change', async () => {
    await show(<List />);
    list().focus();
    for (const key of ['ArrowDown', 'End', 'ArrowUp']) await press(key, {}, list());
    expect(active()).toBe('option-b');
    await acting(() => setIds(['b', 'c', 'd']));
    expect([active(), document.activeElement]).toEqual(['option-b', list()]);
    await press('ArrowUp', {}, list());
    expect(active()).toBe('option-b');
  });

  it('opens the chosen one by Enter, not by Enter on a button of it', async () => {
    await show(<List />);
    await press('Enter', {}, list());
    await press('ArrowDown', {}, list());
    await press('Enter', { ctrlKey: true }, list());
    await press('Enter', {}, document.querySelector('button') as HTMLElement);
    expect(onOpen).not.toHaveBeenCalled();
    await press('Enter', {}, list());
    expect(onOpen.mock.calls).toEqual([['a']]);
  });
});
