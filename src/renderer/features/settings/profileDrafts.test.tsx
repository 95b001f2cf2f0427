import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { DEFAULT_MODELS, type ProfileView } from '../../../shared/profile.ts';
import { fail, type Result } from '../../../shared/result.ts';
import { useStudio } from '../../app/index.ts';
import { aSavedProfile } from '../../testing/aProfile.ts';
import { fieldOf, labelled, textsOf } from '../../testing/find.ts';
import { acting, byText, click, fakeStudio, press, show, showOver, type, until } from '../../testing/page.tsx';
import { NO_DRAFTS, useProfileDrafts } from './profileDrafts.ts';
import { SettingsPage } from './SettingsPage.tsx';

const profile = (id: string, more: Partial<ProfileView> = {}) =>
  aSavedProfile({ id, name: `Gateway ${id}`, models: DEFAULT_MODELS, ...more });
const tab = (name: string) => byText(name, '[role=tab]');
const tabs = () => textsOf('.bar [role=tab]');

beforeEach(() => {
  window.location.hash = '#/settings';
  useStudio.setState({ profiles: [profile('p'), profile('q')], activeProfileId: 'p' });
  useProfileDrafts.setState(NO_DRAFTS);
});

it('a new gateway that is being filled in stays, and is saved as it was typed', async () => {
  const studio = await showOver(<SettingsPage />, { 'profiles.save': () => profile('made', { name: 'Mine' }) });
  await click(byText(labels.addAProfile));
  await type(fieldOf(labels.name), 'Mine');
  await type(fieldOf(labels.baseUrl), 'https://mine.example');
  await click(tab('Gateway q'));
  expect(fieldOf(labels.name).value).toBe('Gateway q');
  await show(<div />);
  await show(<SettingsPage />);
  await click(tab('Mine'));
  expect(fieldOf(labels.baseUrl).value).toBe('https://mine.example');
  await press('s', { ctrlKey: true });
  await until(() => expect(tabs()).toEqual(['Gateway p', 'Gateway q', 'Mine']));
  expect(studio.callsOf('profiles.save')).toMatchObject([{ name: 'Mine', baseUrl: 'https://mine.example' }]);
  expect(useProfileDrafts.getState().kept).toEqual({});
});

it('what is typed into a profile stays until it is saved or discarded', async () => {
  await showOver(<SettingsPage />);
  await type(fieldOf(labels.name), 'Renamed');
  await click(tab('Gateway q'));
  expect(tabs()[0]).toBe('Gateway p edited');
  await click(tab('Gateway p'));
  expect(fieldOf(labels.name).value).toBe('Renamed');
  await click(byText(labels.discard));
  expect(fieldOf(labels.name).value).toBe('Gateway p');
  expect(tabs()[0]).toBe('Gateway p');
});

it('only what was typed is kept: the rest is as it is saved by then', async () => {
  const studio = await showOver(<SettingsPage />, { 'profiles.save': () => profile('p') });
  await type(fieldOf(labels.name), 'Renamed');
  await show(<div />);
  const models = [...DEFAULT_MODELS, { id: 'added', kind: 'video' as const }];
  await acting(() => useStudio.setState({ profiles: [profile('p', { models }), profile('q')] }));
  await show(<SettingsPage />);
  await press('s', { ctrlKey: true });
  expect(studio.callsOf('profiles.save')).toMatchObject([{ name: 'Renamed', models }]);
});

it('no key, token or value of a header outlives its form, which says what has to be entered again', async () => {
  await showOver(<SettingsPage />);
  await type(fieldOf(labels.name), 'Renamed');
  await type(fieldOf(labels.apiKey), 'sk-secret');
  await type(fieldOf(labels.botToken), 'bot-secret');
  await type(labelled(labels.nameOfTheHeader), 'X-Team');
  await type(labelled(labels.valueOfTheHeader), 'team-secret');
  await click(byText(labels.addHeader));
  expect(JSON.stringify(useProfileDrafts.getState())).not.toContain('secret');
  await click(tab('Gateway q'));
  await click(tab('Gateway p'));
  expect([fieldOf(labels.name).value, fieldOf(labels.apiKey).value, fieldOf(labels.botToken).value]).toEqual([
    'Renamed',
    '',
    '',
  ]);
  expect(document.body.textContent).not.toContain('X-Team');
  expect(document.body.textContent).toContain('Enter it again.');
  await type(fieldOf(labels.botToken), 'again');
  expect(document.body.textContent).not.toContain('Enter it again.');
});

it('a profile that is removed leaves its draft behind, and the page with the one that is active', async () => {
  const studio = await showOver(<SettingsPage />, {
    'profiles.remove': () => ({}) as never,
    'profiles.list': () => ({ profiles: [profile('p')], activeId: 'p', keyStore: 'memory', unreadable: [] }),
  });
  await click(tab('Gateway q'));
  await type(fieldOf(labels.name), 'Renamed');
  await click(byText(labels.remove, '.bar button'));
  await click(byText(labels.removeTheProfile));
  await studio.emit({ type: 'profiles.changed' });
  await until(() => expect(tabs()).toEqual(['Gateway p']));
  expect(fieldOf(labels.name).value).toBe('Gateway p');
  expect(useProfileDrafts.getState().kept).toEqual({});
});

/** What saves late, and answers what it was sent as saved. */
function lateSaves() {
  const answers: (() => void)[] = [];
  const studio = fakeStudio({
    'profiles.save': (input) =>
      new Promise((resolve) => {
        const extraHeaders = Object.fromEntries(Object.keys(input.extraHeaders ?? {}).map((name) => [name, null]));
        const { botToken, id = 'made', ...rest } = input;
        const saved = { ...rest, extraHeaders, hasBotToken: botToken !== undefined } as Partial<ProfileView>;
        answers.push(() => resolve(profile(id, saved)));
      }),
  });
  return { studio, answer: () => acting(() => answers.shift()?.()) };
}
const addHeader = async (name: string, value: string) => {
  await type(labelled(labels.nameOfTheHeader), name);
  await type(labelled(labels.valueOfTheHeader), value);
  await click(byText(labels.addHeader));
};

it('what is typed while it is being saved stays, on top of what was saved', async () => {
  const { studio, answer } = lateSaves();
  await show(<SettingsPage />);
  await type(fieldOf(labels.name), 'Renamed');
  await type(fieldOf(labels.botToken), 'sent-token');
  await addHeader('X-Sent', 'sent-value');
  await press('s', { ctrlKey: true });
  await type(fieldOf(labels.name), 'Renamed again');
  await addHeader('X-Since', 'since-value');
  expect(JSON.stringify(useProfileDrafts.getState())).not.toMatch(/-token|-value/);
  await answer();
  expect(fieldOf(labels.name).value).toBe('Renamed again');
  expect(fieldOf(labels.botToken).value).toBe('');
  await press('s', { ctrlKey: true });
  expect(studio.callsOf('profiles.save')).toMatchObject([
    { name: 'Renamed', botToken: 'sent-token', extraHeaders: { 'X-Sent': 'sent-value' } },
    { name: 'Renamed again', extraHeaders: { 'X-Sent': null, 'X-Since': 'since-value' } },
  ]);
  expect(studio.callsOf('profiles.save')[1]).not.toHaveProperty('botToken');
  await answer();
  expect(useProfileDrafts.getState().kept).toEqual({});
});

it('what is taken back while it is being saved is a change of what was saved', async () => {
  const { studio, answer } = lateSaves();
  await show(<SettingsPage />);
  await type(fieldOf(labels.name), 'Renamed');
  await addHeader('X-Sent', 'sent-value');
  await press('s', { ctrlKey: true });
  await type(fieldOf(labels.name), 'Gateway p');
  await click(byText(labels.removeTheHeader('X-Sent')));
  // The studio tells of the change before it answers.
  const saved = profile('p', { name: 'Renamed', extraHeaders: { 'X-Sent': null } });
  await acting(() => useStudio.setState({ profiles: [saved, profile('q')] }));
  expect(fieldOf(labels.name).value).toBe('Gateway p');
  await answer();
  expect(fieldOf(labels.name).value).toBe('Gateway p');
  await press('s', { ctrlKey: true });
  expect(studio.callsOf('profiles.save')[1]).toMatchObject({ name: 'Gateway p', extraHeaders: {} });
});

it('a new gateway is saved once, and its form goes on as that of what was saved', async () => {
  const { studio, answer } = lateSaves();
  await show(<SettingsPage />);
  await click(byText(labels.addAProfile));
  await type(fieldOf(labels.name), 'Mine');
  await type(fieldOf(labels.baseUrl), 'https://mine.example');
  await press('s', { ctrlKey: true });
  const name = fieldOf(labels.name);
  await type(name, 'Mine, too');
  await type(fieldOf(labels.botToken), 'since-token');
  await answer();
  expect(fieldOf(labels.name)).toBe(name);
  expect([name.value, fieldOf(labels.botToken).value, tabs().at(-1)]).toEqual([
    'Mine, too',
    'since-token',
    'Mine edited',
  ]);
  await press('s', { ctrlKey: true });
  expect(studio.callsOf('profiles.save')[1]).toMatchObject({ id: 'made', name: 'Mine, too', botToken: 'since-token' });
});

it('what is being saved is not sent again from another form of it, and keeps what is typed there', async () => {
  const { studio, answer } = lateSaves();
  await show(<SettingsPage />);
  await click(byText(labels.addAProfile));
  await type(fieldOf(labels.name), 'Mine');
  await type(fieldOf(labels.botToken), 'sent-token');
  await press('s', { ctrlKey: true });
  await click(tab('Gateway q'));
  await click(tab('Mine'));
  await press('s', { ctrlKey: true });
  expect(studio.callsOf('profiles.save')).toHaveLength(1);
  await type(fieldOf(labels.name), 'Mine, too');
  await answer();
  expect(fieldOf(labels.name).value).toBe('Mine, too');
  expect(document.body.textContent).not.toContain('Enter it again.');
});

it('what was refused stays as it is typed by then', async () => {
  const refusal = Promise.withResolvers<Result<never>>();
  await showOver(<SettingsPage />, { 'profiles.save': () => refusal.promise });
  await type(fieldOf(labels.name), 'Renamed');
  await press('s', { ctrlKey: true });
  await type(fieldOf(labels.name), 'Gateway p');
  await acting(() => refusal.resolve(fail('wrong_state', 'Not now.')));
  expect(document.body.textContent).toContain('Not now. Not saved.');
  expect([fieldOf(labels.name).value, useProfileDrafts.getState().kept]).toEqual(['Gateway p', {}]);
});

it('a key that is typed while another is being stored stays', async () => {
  const stored = Promise.withResolvers<{ stored: 'memory' }>();
  await showOver(<SettingsPage />, { 'profiles.setKey': () => stored.promise });
  await type(fieldOf(labels.apiKey), 'sk-sent');
  await click(byText(labels.storeTheKey));
  await type(fieldOf(labels.apiKey), 'sk-since');
  await acting(() => useStudio.setState({ profiles: [profile('p', { key: 'memory' }), profile('q')] }));
  await acting(() => stored.resolve({ stored: 'memory' }));
  expect(fieldOf(labels.apiKey).value).toBe('sk-since');
});

it('a duplicate says nothing about a repeated key, also where the gateway is the same', async () => {
  const idempotency = { kind: 'documented' as const, source: 'its docs', windowHours: 24, night: true };
  useStudio.setState({ profiles: [profile('p', { idempotency })] });
  const studio = await showOver(<SettingsPage />, { 'profiles.save': () => profile('made') });
  await click(byText(labels.duplicate));
  await press('s', { ctrlKey: true });
  expect(studio.callsOf('profiles.save')).toMatchObject([{ name: 'Gateway p copy', idempotency: { kind: 'none' } }]);
});

const addModel = async (id: string) => {
  await type(labelled(labels.idOfTheModelTo), id);
  await press('Enter', {}, labelled(labels.idOfTheModelTo));
};
const limits = { videoPerMinute: 10, videosAtOnce: 4 } as ProfileView['limits'];
const clip = { id: 'clip', kind: 'video' as const };
const prose = { id: 'prose', kind: 'chat' as const };
const gone = { id: 'gone', kind: 'chat' as const };

it('of models and limits, too, only what was typed is kept: each model and each limit is as it is saved by then', async () => {
  const studio = fakeStudio({ 'profiles.save': () => profile('p') });
  useStudio.setState({ profiles: [profile('p', { limits, models: [clip, prose, gone] })] });
  await show(<SettingsPage />);
  await addModel('mine');
  await click(labelled(labels.removeOf('gone')));
  await click(document.querySelector('.modelList [role=checkbox]') as HTMLElement);
  await type(fieldOf(labels.videosAMinute), '5');
  await acting(() => fieldOf(labels.videosAMinute).blur());
  await show(<div />);
  const facts = { endsAt: 1_796_083_200_000 };
  const models = [{ ...clip, ...facts }, { ...prose, ...facts }, gone, { id: 'listed', kind: 'video' as const }];
  await acting(() =>
    useStudio.setState({ profiles: [profile('p', { limits: { ...limits, videosAtOnce: 2 }, models })] }),
  );
  await show(<SettingsPage />);
  await press('s', { ctrlKey: true });
  expect(studio.callsOf('profiles.save')).toMatchObject([
    {
      limits: { videoPerMinute: 5, videosAtOnce: 2 },
      models: [
        { ...clip, ...facts, preview: true },
        { ...prose, ...facts },
        { id: 'listed', kind: 'video' },
        { id: 'mine', kind: 'video' },
      ],
    },
  ]);
});

it('a model that is added or removed and taken back leaves nothing to save, also where it is being saved', async () => {
  const { studio, answer } = lateSaves();
  useStudio.setState({ profiles: [profile('p', { models: [clip, gone] })] });
  await show(<SettingsPage />);
  await addModel('mine');
  await click(labelled(labels.removeOf('mine')));
  expect(useProfileDrafts.getState().kept).toEqual({});
  await addModel('mine');
  await click(labelled(labels.removeOf('gone')));
  await press('s', { ctrlKey: true });
  await click(labelled(labels.removeOf('mine')));
  await addModel('gone');
  await answer();
  await press('s', { ctrlKey: true });
  expect(studio.callsOf('profiles.save')).toMatchObject([
    { models: [clip, { id: 'mine', kind: 'video' }] },
    { models: [clip, { id: 'gone', kind: 'video' }] },
  ]);
});

it('a model that is removed and added again is new: nothing of the one before stays', async () => {
  const studio = fakeStudio({ 'profiles.save': () => profile('p') });
  const named = { ...clip, id: 'named', label: 'Pro' };
  const ended = { ...clip, id: 'ended', preview: true, seconds: [8], endsAt: 1_764_547_200_000 };
  useStudio.setState({ profiles: [profile('p', { models: [clip, named, ended] })] });
  await show(<SettingsPage />);
  for (const id of ['named', 'ended']) {
    await click(labelled(`Remove ${id}`));
    await addModel(id);
  }
  await type(fieldOf(labels.name), 'Renamed');
  await press('s', { ctrlKey: true });
  const [sent] = studio.callsOf('profiles.save') as [{ models: unknown[] }];
  expect(sent.models).toEqual([clip, { id: 'named', kind: 'video' }, { id: 'ended', kind: 'video' }]);
});

it.each(['changed', 'removed'])(
  'what is %s here of a model that is removed elsewhere can be discarded',
  async (how) => {
    fakeStudio({});
    useStudio.setState({ profiles: [profile('p', { models: [clip, gone] })] });
    await show(<SettingsPage />);
    const box = document.querySelector('.modelList [role=checkbox]') as HTMLElement;
    await click(how === 'changed' ? box : labelled(labels.removeOf('clip')));
    await acting(() => useStudio.setState({ profiles: [profile('p', { models: [gone] })] }));
    await click(byText(labels.discard));
    expect(tabs()).toEqual(['Gateway p']);
  },
);
