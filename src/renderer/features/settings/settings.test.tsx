import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { DEFAULT_MODELS } from '../../../shared/profile.ts';
import { fail, refuse } from '../../../shared/result.ts';
import { settingsSchema } from '../../../shared/settings.ts';
import { useStudio } from '../../app/index.ts';
import { aSavedProfile } from '../../testing/aProfile.ts';
import { fieldOf, isOff, labelled, says, textOf, textsOf } from '../../testing/find.ts';
import { acting, byText, click, fakeStudio, press, show, showOver, type, until } from '../../testing/page.tsx';
import { NO_DRAFTS, useProfileDrafts } from './profileDrafts.ts';
import { SettingsPage } from './SettingsPage.tsx';

const profile = aSavedProfile({ models: DEFAULT_MODELS });

describe('what is documented about a repeated key', () => {
  it('is off, and is saved with its page and the hours that were entered', async () => {
    const studio = await showOver(<SettingsPage />, { 'profiles.save': () => profile });
    expect(document.body.textContent).toContain('Off until a page is named.');
    await click(byText(labels.givesTheFirstOrderBack));
    const [source, hours] = [...document.querySelectorAll<HTMLInputElement>('.idem input')];
    if (!source || !hours) throw new Error('no fields');
    await type(source, 'https://gateway.example/docs');
    expect(hours.value).toBe('');
    await type(hours, '24');
    await press('s', { ctrlKey: true });
    await until(() =>
      expect(studio.callsOf('profiles.save')).toMatchObject([
        { idempotency: { kind: 'documented', source: 'https://gateway.example/docs', windowHours: 24, night: true } },
      ]),
    );
  });

  it('is shown as it will be at another address, and comes back with the one of before', async () => {
    fakeStudio({});
    const idempotency = { kind: 'documented' as const, source: 'its docs', windowHours: 24, night: true };
    useStudio.setState({ profiles: [{ ...profile, idempotency }] });
    await show(<SettingsPage />);
    const sources = () => [...document.querySelectorAll<HTMLInputElement>('.idem input')].map(({ value }) => value);
    expect(sources()).toContain('its docs');
    await type(fieldOf(labels.baseUrl), 'https://other.example');
    expect(sources()).toEqual([]);
    expect(document.body.textContent).toContain('It was said of another address. Off until a page is named.');
    await type(fieldOf(labels.baseUrl), `${profile.baseUrl}/`);
    expect(sources()).toContain('its docs');
    await type(fieldOf(labels.baseUrl), 'https://other.example');
    await click(byText(labels.givesTheFirstOrderBack));
    expect(sources()).toContain('');
  });
});

beforeEach(() => {
  window.location.hash = '#/settings';
  useStudio.setState({ profiles: [profile], activeProfileId: 'p' });
  useProfileDrafts.setState(NO_DRAFTS);
});

describe('saving a profile', () => {
  it('names field and rule at the field when it is refused, and keeps what was typed', async () => {
    const studio = await showOver(<SettingsPage />, {
      'profiles.save': () =>
        refuse([
          { field: 'baseUrl', message: 'must be the address of the service' },
          { field: 'limits.outputTokens', message: 'must be 1 to 1000000' },
        ]),
    });
    await type(fieldOf(labels.baseUrl), 'gateway');
    await press('s', { ctrlKey: true });
    await until(() => expect(document.querySelectorAll('.field .err')).toHaveLength(2));
    const errors = textsOf('.field .err');
    expect(errors).toEqual([
      `${labels.baseUrl}: must be the address of the service. Not saved.`,
      'Output: must be 1 to 1000000. Not saved.',
    ]);
    expect(fieldOf(labels.baseUrl).value).toBe('gateway');
    expect(studio.callsOf('profiles.save')[0]).toMatchObject({ id: 'p', baseUrl: 'gateway' });
  });

  it('sends nothing while nothing was changed', async () => {
    const studio = await showOver(<SettingsPage />);
    await press('s', { ctrlKey: true });
    await click(byText(labels.save));
    expect(studio.callsOf('profiles.save')).toEqual([]);
  });
});

it('the key is handed over at once, leaves the page, and its place is told', async () => {
  const studio = await showOver(<SettingsPage />, { 'profiles.setKey': () => ({ stored: 'memory' }) });
  await type(fieldOf(labels.apiKey), 'sk-secret');
  await click(byText(labels.storeTheKey));
  expect(studio.callsOf('profiles.setKey')).toEqual([{ id: 'p', apiKey: 'sk-secret' }]);
  await until(() => expect(fieldOf(labels.apiKey).value).toBe(''));
  useStudio.setState({ profiles: [{ ...profile, key: 'memory' }] });
  await says('in memory, until Dailies ends');
  expect(document.body.innerHTML).not.toContain('sk-secret');
});

describe('where the key is', () => {
  const list = (keyStore: 'keychain' | 'memory') => ({
    'profiles.list': () => ({ profiles: [profile], activeId: 'p', keyStore, unreadable: [] }),
  });

  it.each([
    ['keychain', "is kept in this system's keychain, or encrypted by it; no file shows it"],
    ['memory', 'gone when Dailies ends'],
  ] as const)('is told before it is typed: %s', async (keyStore, words) => {
    await showOver(<SettingsPage />, list(keyStore));
    await says(words);
  });

  it.each([
    ['memory', 'in memory, until Dailies ends', 'gone when Dailies ends'],
    ['environment', 'from the environment', 'a key of its own takes its place'],
    ['keychain', 'in the keychain', 'stored, not shown'],
    ['unreadable', 'the keychain is locked or does not answer', 'cannot be read now'],
  ] as const)('is told where it is: %s', async (key, place, consequence) => {
    fakeStudio(list('memory'));
    useStudio.setState({ profiles: [{ ...profile, key }] });
    await show(<SettingsPage />);
    expect(document.body.textContent).toContain(place);
    expect(document.body.textContent).toContain(consequence);
  });

  it('is told again where the keychain does not let go of it', async () => {
    fakeStudio({ 'profiles.forgetKey': () => fail('wrong_state', 'The keychain does not let go of the key.') });
    useStudio.setState({ profiles: [{ ...profile, key: 'keychain' }] });
    await show(<SettingsPage />);
    await click(byText(labels.forget));
    await says('The keychain does not let go of the key.');
  });
});

it('a known profile is saved without its prices: they are set on Spend, maybe meanwhile', async () => {
  const studio = await showOver(<SettingsPage />, { 'profiles.save': () => profile });
  await type(fieldOf(labels.name), 'Another name');
  await press('s', { ctrlKey: true });
  expect(studio.callsOf('profiles.save')[0]).not.toHaveProperty('prices');
});

describe('extra headers', () => {
  it('are added and taken away in the form, their values never shown; those that are stored go back as null', async () => {
    const studio = fakeStudio({ 'profiles.save': () => profile });
    useStudio.setState({
      profiles: [{ ...profile, extraHeaders: { 'X-Old': null, 'X-Gone': null }, missingHeaders: ['X-Gone'] }],
    });
    await show(<SettingsPage />);
    expect(document.body.textContent).toContain('its value is gone');
    await type(labelled('Name of the header'), 'X-Team');
    await type(labelled('Value of the header'), 'team-secret');
    await click(byText(labels.addHeader));
    await click(labelled('Remove the header X-Gone'));
    expect(document.body.innerHTML).not.toContain('team-secret');
    await press('s', { ctrlKey: true });
    expect(studio.callsOf('profiles.save')[0]).toMatchObject({
      extraHeaders: { 'X-Old': null, 'X-Team': 'team-secret' },
    });
    expect(studio.callsOf('profiles.save')[0]).not.toHaveProperty('extraHeaders.X-Gone');
  });

  it('are refused by their name', async () => {
    await showOver(<SettingsPage />, {
      'profiles.save': () =>
        fail('invalid_input', 'extraHeaders.Host: must not be Host', { field: 'extraHeaders.Host' }),
    });
    await type(fieldOf(labels.name), 'Another name');
    await press('s', { ctrlKey: true });
    await says('Extra header Host: must not be Host. Not saved.');
  });
});

it('what was emptied is taken away, not left as it was', async () => {
  const studio = fakeStudio({ 'profiles.save': () => profile });
  useStudio.setState({ profiles: [{ ...profile, webhookBase: 'https://hook.example', videoPollPath: '/v/{id}' }] });
  await show(<SettingsPage />);
  await type(fieldOf(labels.webhookBase), '');
  await press('s', { ctrlKey: true });
  expect(studio.callsOf('profiles.save')[0]).toMatchObject({ webhookBase: null, videoPollPath: '/v/{id}' });
});

it('what would be sent follows the dialect while it is edited', async () => {
  await showOver(<SettingsPage />);
  await click(byText('last_frame', '[role="radio"]'));
  await until(() => expect(textOf('.wire')).toContain('"last_frame"'));
});

it('the connection test shows each step, and what an unreached one waits for', async () => {
  await showOver(<SettingsPage />, {
    'profiles.testConnection': () => ({
      steps: [
        { name: 'dns', ok: true, message: 'found' },
        { name: 'connect', ok: false, message: 'refused' },
        { name: 'tls', ok: false, message: 'Waits for connect.' },
      ],
    }),
  });
  await click(byText(labels.test));
  await until(() => expect(document.querySelectorAll('.steps li')).toHaveLength(6));
  const steps = textsOf('.steps li');
  expect(steps[1]).toContain('refused');
  expect(steps[5]).toContain('waits for connect');
  expect(document.querySelectorAll('.steps .st.failed')).toHaveLength(1);
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
    expect(clash?.textContent).toContain('J already means Play backwards. Both would be heard at once.');
    await click(byText(labels.swapWithIt));
    await until(() => expect(keyOf(labels.keep).textContent).toBe('J'));
    expect(keyOf(labels.playBackwards).textContent).toBe('Y');
    expect(studio.callsOf('settings.set')).toEqual([{ shortcuts: { 'verdict.keep': 'J', 'board.back': 'Y' } }]);
  });

  it('never takes the keys that every control has, nor a plain key for what spends', async () => {
    const studio = await record();
    await press('Enter', {}, keyOf(labels.keep));
    expect(textOf('.keyClash')).toContain('belongs to the controls of every page');
    await click(keyOf(labels.pressTheButtonWithAPrice));
    await press('g', {}, keyOf(labels.pressTheButtonWithAPrice));
    expect(textOf('.keyClash')).toContain('needs Ctrl or Alt held');
    await press('k', { ctrlKey: true }, keyOf(labels.pressTheButtonWithAPrice));
    expect(isOff(byText(labels.swapWithIt))).toBe(false);
    // Nor is a plain key swapped onto what spends.
    await click(keyOf(labels.keep));
    await press('Enter', { ctrlKey: true }, keyOf(labels.keep));
    expect(byText(labels.swapWithIt).getAttribute('aria-description')).toContain('needs Ctrl or Alt held');
    expect(studio.callsOf('settings.set')).toEqual([]);
  });

  it('offers a free key like it, and takes it anyway where that spends nothing', async () => {
    const studio = await record();
    await press('j', {}, keyOf(labels.keep));
    await click(byText('Use Shift J'));
    await until(() => expect(keyOf(labels.keep).textContent).toBe('Shift J'));
    expect(studio.callsOf('settings.set')).toEqual([{ shortcuts: { 'verdict.keep': 'Shift+J' } }]);
    expect(document.body.textContent).toContain('changed, was Y');
    await click(keyOf(labels.keep));
    await press('Enter', { ctrlKey: true }, keyOf(labels.keep));
    expect(byText(labels.takeItAnyway).getAttribute('aria-description')).toContain('spends money has one meaning');
    await click(byText(labels.allAsDelivered));
    await until(() => expect(studio.callsOf('settings.set').at(-1)).toEqual({ shortcuts: {} }));
    await click(keyOf(labels.keep));
    await press('j', {}, keyOf(labels.keep));
    await click(byText(labels.takeItAnyway));
    await until(() => expect(studio.callsOf('settings.set').at(-1)).toEqual({ shortcuts: { 'verdict.keep': 'J' } }));
  });

  it('finds a command by its words, and by its keys', async () => {
    await record();
    const rows = () => textsOf('.keys li');
    const find = document.querySelector<HTMLInputElement>('.keyFind input');
    if (!find) throw new Error('no search');
    await type(find, 'play back');
    expect(rows()).toHaveLength(1);
    await click(byText(labels.byKeys));
    await press('F6', {}, byText(labels.pressTheKeys));
    expect(rows()).toHaveLength(1);
    expect(rows()[0]).toContain('Next panel');
    await click(byText(labels.showAllAgain('F6')));
    expect(rows().length).toBeGreaterThan(50);
  });
});

describe('what stands beside the sections', () => {
  const notes = () => textsOf('.snav li');

  it('is when backups are made, how many keys are changed and which models end', async () => {
    const soon = Date.now() + 86_400_000;
    const [model] = profile.models;
    if (!model) throw new Error('there is no model');
    const ending = { ...profile, models: [{ ...model, endsAt: soon }, ...profile.models.slice(1)] };
    fakeStudio({});
    const backups = { daily: true, at: '04:30', keep: 3 };
    const shortcuts = { 'queue.pause': 'Shift+P', 'chat.new': 'Mod+J' };
    useStudio.setState({ settings: settingsSchema.parse({ backups, shortcuts, activeProfileId: 'p' }) });
    useStudio.setState({ profiles: [ending] });
    window.location.hash = '#/settings?section=about';
    await show(<SettingsPage />);
    const said = [`${labels.modelsAndPrices}1 ends`, 'Backups04:30', `${labels.shortcuts}2 changed`];
    await until(() => expect(notes()).toEqual(expect.arrayContaining(said)));
    await acting(() =>
      useStudio.setState({ settings: settingsSchema.parse({ backups: { ...backups, daily: false } }) }),
    );
    expect(notes()).toEqual(expect.arrayContaining(['Backupsnever', labels.shortcuts]));
  });
});
