import { beforeEach, expect, it } from 'vitest';
import { DIALECT, dialectDraft } from '../../../shared/dialect.ts';
import { DEFAULT_MODELS, type ProfileView } from '../../../shared/profile.ts';
import { useStudio } from '../../app/index.ts';
import { acting, byText, click, fakeStudio, press, show, type, until } from '../../testing/page.tsx';
import { NO_DRAFTS, useProfileDrafts } from './profileDrafts.ts';
import { SettingsPage } from './SettingsPage.tsx';

const profile = (id: string, more: Partial<ProfileView> = {}): ProfileView =>
  ({
    ...dialectDraft(DIALECT, {}),
    imageAuthHeaders: [],
    omittedFields: [],
    idempotency: { kind: 'none' },
    id,
    name: `Gateway ${id}`,
    baseUrl: 'https://gateway.example',
    extraHeaders: {},
    prices: [],
    limits: {},
    models: DEFAULT_MODELS,
    key: null,
    hasBotToken: false,
    missingHeaders: [],
    builtin: false,
    ...more,
  }) as unknown as ProfileView;

const field = (label: string): HTMLInputElement => {
  const box = [...document.querySelectorAll('.field')].find((element) => element.textContent?.startsWith(label));
  return box?.querySelector('input:not([aria-hidden])') as HTMLInputElement;
};
const labelled = (label: string) => document.querySelector(`[aria-label="${label}"]`) as HTMLInputElement;
const tab = (name: string) => byText(name, '[role=tab]');
const tabs = () => [...document.querySelectorAll('.bar [role=tab]')].map(({ textContent }) => textContent);

beforeEach(() => {
  window.location.hash = '#/settings';
  useStudio.setState({ profiles: [profile('p'), profile('q')], activeProfileId: 'p' });
  useProfileDrafts.setState(NO_DRAFTS);
});

/** Bug: what was filled in was gone with a look at another profile or another page, a new gateway with its tab. */
it('a new gateway that is being filled in stays, and is saved as it was typed', async () => {
  const studio = fakeStudio({ 'profiles.save': () => profile('made', { name: 'Mine' }) });
  await show(<SettingsPage />);
  await click(byText('Add a profile'));
  await type(field('Name'), 'Mine');
  await type(field('Base URL'), 'https://mine.example');
  await click(tab('Gateway q'));
  expect(field('Name').value).toBe('Gateway q');
  await show(<div />);
  await show(<SettingsPage />);
  await click(tab('Mine'));
  expect(field('Base URL').value).toBe('https://mine.example');
  await press('s', { ctrlKey: true });
  await until(() => expect(tabs()).toEqual(['Gateway p', 'Gateway q', 'Mine']));
  expect(studio.callsOf('profiles.save')).toMatchObject([{ name: 'Mine', baseUrl: 'https://mine.example' }]);
  expect(useProfileDrafts.getState().kept).toEqual({});
});

it('what is typed into a profile stays until it is saved or discarded', async () => {
  fakeStudio({});
  await show(<SettingsPage />);
  await type(field('Name'), 'Renamed');
  await click(tab('Gateway q'));
  expect(tabs()[0]).toBe('Gateway p edited');
  await click(tab('Gateway p'));
  expect(field('Name').value).toBe('Renamed');
  await click(byText('Discard'));
  expect(field('Name').value).toBe('Gateway p');
  expect(tabs()[0]).toBe('Gateway p');
});

/** Bug: a form that was kept whole would take back the models that were added on another page meanwhile. */
it('only what was typed is kept: the rest is as it is saved by then', async () => {
  const studio = fakeStudio({ 'profiles.save': () => profile('p') });
  await show(<SettingsPage />);
  await type(field('Name'), 'Renamed');
  await show(<div />);
  const models = [...DEFAULT_MODELS, { id: 'added', kind: 'video' as const }];
  await acting(() => useStudio.setState({ profiles: [profile('p', { models }), profile('q')] }));
  await show(<SettingsPage />);
  await press('s', { ctrlKey: true });
  expect(studio.callsOf('profiles.save')).toMatchObject([{ name: 'Renamed', models }]);
});

it('no key, token or value of a header outlives its form, which says what has to be entered again', async () => {
  fakeStudio({});
  await show(<SettingsPage />);
  await type(field('Name'), 'Renamed');
  await type(field('API key'), 'sk-secret');
  await type(field('Bot token'), 'bot-secret');
  await type(labelled('Name of the header'), 'X-Team');
  await type(labelled('Value of the header'), 'team-secret');
  await click(byText('Add header'));
  expect(JSON.stringify(useProfileDrafts.getState())).not.toContain('secret');
  await click(tab('Gateway q'));
  await click(tab('Gateway p'));
  expect([field('Name').value, field('API key').value, field('Bot token').value]).toEqual(['Renamed', '', '']);
  expect(document.body.textContent).not.toContain('X-Team');
  expect(document.body.textContent).toContain('Enter it again.');
  await type(field('Bot token'), 'again');
  expect(document.body.textContent).not.toContain('Enter it again.');
});

/** Bug: the page read the profiles for ever after the one that was open had been removed. */
it('a profile that is removed leaves its draft behind, and the page with the one that is active', async () => {
  const studio = fakeStudio({
    'profiles.remove': () => ({}) as never,
    'profiles.list': () => ({ profiles: [profile('p')], activeId: 'p', keyStore: 'memory', unreadable: [] }),
  });
  await show(<SettingsPage />);
  await click(tab('Gateway q'));
  await type(field('Name'), 'Renamed');
  await click(byText('Remove', '.bar button'));
  await click(byText('Remove the profile'));
  await studio.emit({ type: 'profiles.changed' });
  await until(() => expect(tabs()).toEqual(['Gateway p']));
  expect(field('Name').value).toBe('Gateway p');
  expect(useProfileDrafts.getState().kept).toEqual({});
});
