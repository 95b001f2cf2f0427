import { beforeEach, expect, it, vi } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import type { ConnectionTest } from '../../../../shared/connection.ts';
import { fail } from '../../../../shared/result.ts';
import { useStudio } from '../../../app/index.ts';
import { aSavedProfile } from '../../../testing/aProfile.ts';
import { textOf } from '../../../testing/find.ts';
import { byText, click, clickOn, fakeStudio, press, show, until } from '../../../testing/page.tsx';
import { SettingsPage } from '../SettingsPage.tsx';
import { countWords, reportText } from './report.ts';

/** The doctor of a connection: what passed, what was changed and how that is known, and what can be done about the rest. */

const profile = aSavedProfile({
  ...{ name: 'Studio', baseUrl: 'https://gateway.example/secret-path', extraHeaders: { 'X-Team': null } },
  models: [
    { id: 'video-pro', kind: 'video' },
    { id: 'language', kind: 'chat' },
  ],
});

const TEST: ConnectionTest = {
  steps: [
    { name: 'dns', ok: true, message: 'found', ms: 12 },
    { name: 'connect', ok: true, message: 'answers' },
    { name: 'tls', ok: true, message: 'good' },
    { name: 'key', ok: true, message: 'The key is accepted.' },
    { name: 'protocol', ok: true, message: 'The service speaks as expected.' },
    { name: 'model', ok: false, message: 'Not in the list: video-pro.' },
  ],
  checks: [
    { name: 'images', ok: false, message: 'The image side refuses the key (401).', ms: 40 },
    { name: 'clock', ok: true, message: 'less than 2 s apart' },
  ],
  found: [
    { setting: 'Field spelling', was: 'lastFrame', now: 'last_frame', by: 'described', how: 'Read in its description' },
  ],
  missing: ['video-pro'],
  untriedHeaders: ['api-key', 'IMAGE-KEY'],
};

function aStudio(answers: Parameters<typeof fakeStudio>[0] = {}) {
  return fakeStudio({
    'profiles.testConnection': () => TEST,
    'profiles.found': () => ({ found: TEST.found ?? [] }),
    ...answers,
  });
}

beforeEach(() => {
  window.location.hash = '#/settings?section=doctor&profile=p';
  useStudio.setState({ profiles: [profile], activeProfileId: 'p', info: { version: '1.2.3' } as never });
});

it('is examined at once, and again by R; every step has its time', async () => {
  const studio = aStudio();
  await show(<SettingsPage />);
  await until(() => byText('8 steps, 6 fine, 1 to mend, 1 in doubt', '.bar span'));
  byText('12 ms', '.steps span');
  byText('nothing billed', '.bar span');
  await press('r');
  await until(() => expect(studio.callsOf('profiles.testConnection')).toHaveLength(2));
});

it('shows what was, what is now and how it was found, and undoes it', async () => {
  const studio = aStudio({ 'profiles.undoFound': () => ({ found: [] }) });
  await show(<SettingsPage />);
  await until(() => byText('Field spelling', 'td'));
  const row = byText('Field spelling', 'td').parentElement;
  expect([...(row?.children ?? [])].slice(1).map((cell) => cell.textContent)).toEqual([
    'Field spelling',
    'lastFrame',
    'last_frame',
    'Read in its description',
  ]);
  expect(byText(labels.seed, 'td').parentElement?.textContent).toContain('Default. Would show only in a billed job');
  await click(byText(labels.undoWhatWasFound));
  await until(() => expect(studio.callsOf('profiles.undoFound')).toEqual([{ id: 'p' }]));
  await until(() => expect(studio.callsOf('profiles.testConnection')).toHaveLength(2));
});

it('tries other header names, and says which is taken', async () => {
  const studio = aStudio({ 'profiles.tryImageHeaders': () => ({ accepted: 'api-key', tried: ['api-key'] }) });
  await show(<SettingsPage />);
  await clickOn(labels.tryOtherNamesUnbilled(2));
  await until(() => byText('api-key is taken', '.steps span'));
  expect(studio.callsOf('profiles.tryImageHeaders')).toEqual([{ id: 'p' }]);
});

it('takes a model out that the list leaves out', async () => {
  const studio = aStudio({ 'profiles.save': () => profile });
  await show(<SettingsPage />);
  await clickOn('Take it out');
  await until(() =>
    expect(studio.callsOf('profiles.save')).toMatchObject([{ id: 'p', models: [{ id: 'language', kind: 'chat' }] }]),
  );
});

it('says why it could not be examined', async () => {
  aStudio({ 'profiles.testConnection': () => fail('not_found', 'There is no such profile.') });
  await show(<SettingsPage />);
  await until(() => byText('There is no such profile.', 'p, [role="alert"], .err'));
});

it('tests the way of webhooks only when it is asked to', async () => {
  const studio = aStudio({
    'webhooks.selfTest': () => ({
      steps: [{ name: 'wrong', ok: true, message: 'A wrong secret: nothing changed.', ms: 2 }],
      lately: { since: Date.now(), useful: 0, strange: 3 },
    }),
  });
  await show(<SettingsPage />);
  await until(() => byText('8 steps', '.bar span'));
  expect(studio.callsOf('webhooks.selfTest')).toEqual([]);
  await click(byText(labels.test, 'aside button'));
  await until(() => byText('A wrong secret: nothing changed.', '.steps span'));
  expect(textOf('.kv')).toContain('nobody’s3');
});

it('copies a report without an address beyond its host, a header or a key', async () => {
  const writeText = vi.fn(async (_text: string) => undefined);
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
  aStudio();
  await show(<SettingsPage />);
  await until(() => byText('8 steps', '.bar span'));
  await click(byText(labels.copyReportNoSecrets));
  await until(() => expect(writeText).toHaveBeenCalled());
  const text = writeText.mock.calls[0]?.[0] ?? '';
  expect(text).toContain('connection of Studio (gateway.example)');
  expect(text).toContain('FAIL Images    The image side refuses the key (401). (40 ms)');
  expect(text).toContain('- Field spelling: lastFrame → last_frame. Read in its description.');
  expect(text).not.toMatch(/secret-path|X-Team/);
  vi.unstubAllGlobals();
});

it('counts a step that was not reached with what is to mend', () => {
  const steps = TEST.steps.map((step) => ({ ...step, ok: step.name === 'dns' }));
  expect(countWords({ steps })).toBe('6 steps, 1 fine, 4 to mend, 1 in doubt');
  expect(reportText(profile, { steps }, { at: 0, trial: undefined, version: '1' })).toContain(
    '1970-01-01T00:00:00.000Z',
  );
});

it('says what was never tried in full, as a doubt, on its page and in the report', async () => {
  const untried = 'It does not describe how it takes video options.';
  const steps = TEST.steps.map((step) => (step.name === 'protocol' ? { ...step, untried } : { ...step, ok: true }));
  aStudio({ 'profiles.testConnection': () => ({ steps }) });
  await show(<SettingsPage />);
  await until(() => byText('6 steps, 5 fine, 1 in doubt', '.bar span'));
  const line = byText('The service speaks as expected.', '.steps .in-full');
  expect(line.textContent).toBe(`ok: The service speaks as expected. ${untried}`);
  expect(line.parentElement?.querySelector('.st.uncertain')).not.toBeNull();
  const report = reportText(profile, { steps }, { at: 0, trial: undefined, version: '1' });
  expect(report).toContain(`Protocol  The service speaks as expected. ${untried}`);
});
