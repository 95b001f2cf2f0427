import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { fail } from '../../../shared/contract/result.ts';
import type { Settings } from '../../../shared/contract/settings.ts';
import { textOf } from '../../testing/find.ts';
import { acting, byText, click, fakeStudio, press, show, until } from '../../testing/page.tsx';
import { Dialog, Menu, Toasts } from '../../ui/index.ts';
import { useStudio } from '../state/studio.ts';
import { ACTION_IDS } from './actions.ts';
import { chordOf, printChord } from './chords.ts';
import type { Place } from './places.ts';
import { actionOf, clashesOf, rebind, useKeyHint, usePlace, useShortcut } from './shortcuts.ts';

const chord = (key: string, init: KeyboardEventInit = {}) => chordOf(new KeyboardEvent('keydown', { key, ...init }));

const settings: Settings = { theme: 'dark', welcomed: true, activeProfileId: 'p' };

beforeEach(() => {
  useStudio.setState({ settings });
});

function Board({ keep, send }: { keep: () => void; send: () => void }) {
  useShortcut('verdict.keep', keep);
  useShortcut('spend.go', send);
  return (
    <>
      <output>{useKeyHint('verdict.keep')}</output>
      <textarea />
    </>
  );
}

it('chords are told by the letter, with Shift only where the key does not say it already', () => {
  const shift = { shiftKey: true };
  const heard = [chord('y'), chord('V', shift), chord('Enter', { ctrlKey: true }), chord('?', shift)];
  expect(heard).toEqual(['Y', 'Shift+V', 'Mod+Enter', '?']);
  expect(chord('¡', { altKey: true, code: 'Digit1' })).toBe('Alt+1');
  expect(printChord('Mod+Enter')).toBe('Ctrl ↵');
});

describe('shortcuts', () => {
  it('leave single keys to a text field, but not the chord that spends', async () => {
    const keep = vi.fn();
    const send = vi.fn();
    const body = await show(<Board keep={keep} send={send} />);
    const field = body.querySelector('textarea') as HTMLTextAreaElement;
    await press('y', {}, field);
    await press('Enter', { ctrlKey: true }, field);
    expect(keep).not.toHaveBeenCalled();
    expect(send).toHaveBeenCalledOnce();
    await press('y');
    expect(keep).toHaveBeenCalledOnce();
  });

  it.each([
    ['MacIntel', { altKey: true }, []],
    ['MacIntel', { metaKey: true }, []],
    ['Win32', { ctrlKey: true }, []],
    ['Win32', { altKey: true }, ['later', 'first']],
  ])('leave the keys of the caret to a text field: %s with %o', async (platform, held, done) => {
    vi.spyOn(navigator, 'platform', 'get').mockReturnValue(platform);
    onTestFinished(() => void vi.restoreAllMocks());
    useStudio.setState({ settings: { ...settings, shortcuts: { 'board.start': 'Mod+Right' } } });
    const heard: string[] = [];
    function Page() {
      useShortcut('board.moveLater', () => heard.push('later'));
      useShortcut('queue.first', () => heard.push('first'));
      useShortcut('board.start', () => heard.push('start'));
      return <textarea />;
    }
    const body = await show(<Page />);
    const field = body.querySelector('textarea') as HTMLTextAreaElement;
    await press('ArrowRight', held, field);
    await press('Home', held, field);
    expect(heard).toEqual(done);
    heard.length = 0;
    await press('ArrowRight', held);
    expect(heard).toHaveLength(1);
  });

  it('are told by the digit of a key in the number row where its sign serves nothing', async () => {
    useStudio.setState({ settings: { ...settings, shortcuts: { 'board.start': 'Alt+(' } } });
    const heard: string[] = [];
    function Page() {
      useShortcut('page.storyboard', () => heard.push('board'));
      useShortcut('page.review', () => heard.push('review'));
      useShortcut('doubt.lookup', () => heard.push('look up'));
      useShortcut('board.start', () => heard.push('start'));
      return <textarea />;
    }
    const body = await show(<Page />);
    const field = body.querySelector('textarea') as HTMLTextAreaElement;
    await press('&', { altKey: true, code: 'Digit1' }, field);
    await press('&', { code: 'Digit1' });
    await press('(', { altKey: true, code: 'Digit5' });
    await press('&', { code: 'Digit1' }, field);
    await press('!', { shiftKey: true, altKey: true, code: 'Digit1' });
    expect(heard).toEqual(['board', 'look up', 'start']);
    vi.spyOn(navigator, 'platform', 'get').mockReturnValue('MacIntel');
    onTestFinished(() => void vi.restoreAllMocks());
    await press('[', { altKey: true, code: 'Digit5' }, field);
    expect(heard).toHaveLength(3);
  });

  it('are done once for a key that is held, but for those that go on', async () => {
    const keep = vi.fn();
    const undo = vi.fn();
    const held = { ctrlKey: true, repeat: true };
    function Undo() {
      useShortcut('board.undo', undo);
      return null;
    }
    await show(
      <>
        <Board keep={keep} send={keep} />
        <Undo />
      </>,
    );
    await press('y');
    await press('y', { repeat: true });
    await press('Enter', held);
    expect(keep).toHaveBeenCalledOnce();
    await press('z', held);
    expect(undo).toHaveBeenCalledOnce();
  });

  it('spend also while a control has the focus that keeps Enter to itself', async () => {
    const send = vi.fn();
    const body = await show(<Board keep={() => {}} send={send} />);
    const field = body.querySelector('textarea') as HTMLTextAreaElement;
    field.addEventListener('keydown', (event) => event.preventDefault());
    await press('Enter', { ctrlKey: true }, field);
    expect(send).toHaveBeenCalledOnce();
  });

  it('are not heard by a page that a dialog covers, but for the chord that spends', async () => {
    const keep = vi.fn();
    const send = vi.fn();
    const page = (
      <>
        <Board keep={keep} send={send} />
        <Dialog open onClose={() => {}} title="Request it again?">
          <button type="button">Cancel</button>
        </Dialog>
      </>
    );
    await show(page);
    await press('y', {}, document.querySelector('.dlg button') ?? document.body);
    await press('y');
    expect(keep).not.toHaveBeenCalled();
    await press('Enter', { ctrlKey: true });
    expect(send).toHaveBeenCalledOnce();
  });

  it('leave single keys to an open menu, where a letter finds a line', async () => {
    const keep = vi.fn();
    const items = [{ id: 'a', label: 'Your take', onSelect: () => {} }];
    await show(
      <>
        <Board keep={keep} send={() => {}} />
        <Menu trigger={<button type="button">More</button>} items={items} />
      </>,
    );
    await click(byText('More'));
    await press('y', {}, byText('Your take', '[role="menuitem"]'));
    expect(keep).not.toHaveBeenCalled();
  });

  it.each(['radio', 'range'])('leave the keys that move it to a control of the browser: %s', async (type) => {
    const heard: string[] = [];
    function Page() {
      useShortcut('board.frameForward', () => heard.push('forward'));
      useShortcut('board.end', () => heard.push('end'));
      useShortcut('board.moveLater', () => heard.push('later'));
      return <input type={type} />;
    }
    const body = await show(<Page />);
    const control = body.querySelector('input') as HTMLInputElement;
    await press('ArrowRight', {}, control);
    await press('End', {}, control);
    expect(heard).toEqual([]);
    await press('ArrowRight', { altKey: true }, control);
    await press('ArrowRight');
    expect(heard).toEqual(['later', 'forward']);
  });

  it('are not heard while a word is being composed', async () => {
    const send = vi.fn();
    const body = await show(<Board keep={() => {}} send={send} />);
    await press('Enter', { ctrlKey: true, isComposing: true }, body.querySelector('textarea') as HTMLElement);
    expect(send).not.toHaveBeenCalled();
  });

  it('are heard at their places alone, and do what their table says where no part of the page does', async () => {
    const keep = vi.fn();
    function Page({ place }: { place: Place }) {
      usePlace(place);
      useShortcut('verdict.keep', keep);
      return null;
    }
    await show(<Page key="chat" place="chat" />);
    await press('y');
    await press('i');
    expect([keep.mock.calls.length, window.location.hash]).toEqual([0, '']);
    await show(<Page key="board" place="board" />);
    await press('y');
    expect(keep).toHaveBeenCalledOnce();
    await show(<Page key="queue" place="queue" />);
    await press('i');
    expect(window.location.hash).toBe('#/queue?import=jobs');
  });

  it('keep Alt from the menu bar once it was part of a chord, and only then', async () => {
    const chat = vi.fn();
    function Page() {
      useShortcut('page.storyboard', chat);
      return null;
    }
    await show(<Page />);
    const letGo = (): boolean =>
      document.body.dispatchEvent(new KeyboardEvent('keyup', { key: 'Alt', bubbles: true, cancelable: true }));
    await press('Alt', { altKey: true });
    expect(letGo()).toBe(true);
    await press('Alt', { altKey: true });
    await press('1', { altKey: true, code: 'Digit1' });
    expect(chat).toHaveBeenCalledOnce();
    expect(letGo()).toBe(false);
    await press('Alt', { altKey: true });
    await press('F', { altKey: true });
    expect(letGo()).toBe(true);
    // A number field uses smaller steps for itself.
    const keep = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
    };
    document.body.addEventListener('keydown', keep);
    await press('ArrowUp', { altKey: true });
    document.body.removeEventListener('keydown', keep);
    expect(letGo()).toBe(false);
  });

  it('follow the map: a rebound key works, the old one does not, and the hint on the control changes', async () => {
    const keep = vi.fn();
    const studio = fakeStudio({ 'settings.set': (patch) => ({ ...settings, ...patch }) });
    const body = await show(<Board keep={keep} send={() => {}} />);
    await rebind({ 'verdict.keep': 'G' });
    await press('y');
    await press('g');
    expect(keep).toHaveBeenCalledOnce();
    expect(body.querySelector('output')?.textContent).toBe('G');
    expect(studio.callsOf('settings.set')).toEqual([{ shortcuts: { 'verdict.keep': 'G' } }]);
    await rebind({ 'verdict.keep': undefined });
    expect(studio.callsOf('settings.set')[1]).toEqual({ shortcuts: {} });
  });

  it('keep the old key when the studio refuses the new one, and say so', async () => {
    fakeStudio({ 'settings.set': () => fail('disk_full', 'The disk is full.') });
    const body = await show(
      <>
        <Board keep={() => {}} send={() => {}} />
        <Toasts />
      </>,
    );
    await acting(() => rebind({ 'verdict.keep': 'G' }));
    expect(body.querySelector('output')?.textContent).toBe('Y');
    await until(() => expect(textOf('.toast.fail')).toContain('The disk is full.'));
  });

  it.each([
    ['verdict.keep', 'J', ['board.back']],
    ['painter.brush', 'J', []],
    ['verdict.keep', 'Mod+K', ['palette.open']],
    ['library.star', 'Y', ['verdict.keep']],
    ['seams.pair', 'K', ['board.play']],
    ['review.beside', 'N', ['verdict.no']],
    ['player.mute', 'J', ['board.back']],
    ['night.review', 'P', ['queue.pause']],
    ['painter.compare', 'P', ['edit.again']],
    ['sound.panel', 'V', ['board.skip']],
  ] as const)('%s by %s clashes with what is heard there too: %j', (id, wanted, others) => {
    expect(clashesOf(id, wanted)).toEqual(others);
  });

  it('are delivered without a clash', () => {
    expect(ACTION_IDS.filter((id) => clashesOf(id, actionOf(id).keys ?? 'none').length > 0)).toEqual([]);
  });
});
