import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { settingsSchema } from '../../../shared/contract/settings.ts';
import { DEFAULT_MODELS } from '../../../shared/gateway/profile.ts';
import { useStudio } from '../../app/index.ts';
import { SETTINGS_SECTIONS } from '../../app/keys/everywhere.ts';
import { aSavedProfile } from '../../testing/aProfile.ts';
import { isOff, textOf, textsOf } from '../../testing/find.ts';
import { acting, byText, click, fakeStudio, press, show, type, until } from '../../testing/page.tsx';
import { SettingsPage } from './SettingsPage.tsx';

const profile = aSavedProfile({ models: DEFAULT_MODELS });

beforeEach(() => {
  window.location.hash = '#/settings';
  useStudio.setState({ profiles: [profile], activeProfileId: 'p' });
});

it('the palette leads to sections and tabs that exist', async () => {
  for (const { run } of Object.values(SETTINGS_SECTIONS)) {
    run?.();
    fakeStudio({});
    await show(<SettingsPage />);
    const asked = new URLSearchParams(window.location.hash.split('?')[1]);
    expect(document.querySelector('main')?.dataset.section).toBe(asked.get('section'));
    if (asked.has('tab')) expect(textOf('[role="tab"][aria-selected="true"]')).toContain('Models and prices');
  }
});

describe('recording a key', () => {
  const keyOf = (label: string) => byText(`${label}:`, '.keySet');
  const record = async () => {
    window.location.hash = '#/settings?section=shortcuts';
    const studio = fakeStudio({ 'settings.set': (patch) => ({ ...settings, ...patch }) });
    useStudio.setState({ settings });
    await show(<SettingsPage />);
    await click(keyOf(labels.keep));
    return studio;
  };
  const settings = { theme: 'dark' as const, welcomed: true, activeProfileId: 'p' };

  it('is left by Esc and by Tab, with nothing changed', async () => {
    const studio = await record();
    expect(keyOf(labels.keep).textContent).toBe(labels.pressKeys);
    await press('Escape', {}, keyOf(labels.keep));
    expect(keyOf(labels.keep).textContent).toBe('Y');
    await click(keyOf(labels.keep));
    const tab = new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true });
    keyOf(labels.keep).dispatchEvent(tab);
    expect(tab.defaultPrevented, 'the focus goes on').toBe(false);
    expect(studio.callsOf('settings.set')).toEqual([]);
  });

  it('opens what the keys mean already, and swaps the two', async () => {
    const studio = await record();
    await press('j', {}, keyOf(labels.keep));
    const clash = document.querySelector('.keyClash');
    expect(clash?.textContent).toContain('J already means Play backwards.');
    await click(byText(labels.swapWithIt));
    await until(() => expect(keyOf(labels.keep).textContent).toBe('J'));
    expect(keyOf(labels.playBackwards).textContent).toBe('Y');
    expect(studio.callsOf('settings.set')).toEqual([{ shortcuts: { 'verdict.keep': 'J', 'board.back': 'Y' } }]);
  });

  it('never takes the keys that every control has, nor a plain key for what spends', async () => {
    const studio = await record();
    await press('Enter', {}, keyOf(labels.keep));
    expect(textOf('.keyClash')).toContain('is reserved');
    await click(keyOf(labels.pressThePaidButton));
    await press('g', {}, keyOf(labels.pressThePaidButton));
    expect(textOf('.keyClash')).toContain('Add Ctrl or Alt');
    await press('k', { ctrlKey: true }, keyOf(labels.pressThePaidButton));
    expect(isOff(byText(labels.swapWithIt))).toBe(false);
    // Nor is a plain key swapped onto what spends.
    await click(keyOf(labels.keep));
    await press('Enter', { ctrlKey: true }, keyOf(labels.keep));
    expect(byText(labels.swapWithIt).getAttribute('aria-description')).toContain('Add Ctrl or Alt');
    expect(studio.callsOf('settings.set')).toEqual([]);
  });

  it('a changed key is reset', async () => {
    const studio = await record();
    await press('F9', {}, keyOf(labels.keep));
    await until(() => expect(keyOf(labels.keep).textContent).toBe('F9'));
    expect(document.body.textContent).toContain('Was Y');
    await click(byText(labels.resetAll));
    await until(() => expect(studio.callsOf('settings.set').at(-1)).toEqual({ shortcuts: {} }));
  });

  it('finds a command by its words, and by its keys', async () => {
    await record();
    const rows = () => textsOf('.keys li');
    const find = document.querySelector<HTMLInputElement>('.keyFind input');
    if (!find) throw new Error('no search');
    await type(find, 'play back');
    expect(rows()).toHaveLength(1);
    await type(find, 'shift f6');
    expect(rows()).toEqual([expect.stringContaining('Previous panel')]);
  });
});

describe('what stands beside the sections', () => {
  const notes = () => textsOf('.snav li');

  it('is when backups are made, and how many keys are changed', async () => {
    fakeStudio({});
    const backups = { daily: true, at: '04:30', keep: 3 };
    const shortcuts = { 'queue.pause': 'Shift+P', 'chat.new': 'Mod+J' };
    useStudio.setState({ settings: settingsSchema.parse({ backups, shortcuts, activeProfileId: 'p' }) });
    window.location.hash = '#/settings?section=about';
    await show(<SettingsPage />);
    const said = ['Backups04:30', `${labels.shortcuts}2 changed`];
    await until(() => expect(notes()).toEqual(expect.arrayContaining(said)));
    await acting(() =>
      useStudio.setState({ settings: settingsSchema.parse({ backups: { ...backups, daily: false } }) }),
    );
    expect(notes()).toEqual(expect.arrayContaining(['BackupsNever', labels.shortcuts]));
  });
});
