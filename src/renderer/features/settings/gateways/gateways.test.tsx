import { describe, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { fail, refuse } from '../../../../shared/contract/result.ts';
import type { ConnectionTest } from '../../../../shared/gateway/connection.ts';
import { NO_MONEY } from '../../../../shared/money/ledger.ts';
import { useStudio } from '../../../app/index.ts';
import { aSavedProfile } from '../../../testing/aProfile.ts';
import { fieldOf, labelled, says, textsOf } from '../../../testing/find.ts';
import { acting, byText, click, clickOn, fakeStudio, press, show, type, until } from '../../../testing/page.tsx';
import { SettingsPage } from '../SettingsPage.tsx';

/** The page of a gateway: each field is saved as it is left; the check says what passed, what it found and what can be done about the rest. */

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
    { name: 'protocol', ok: true, message: 'The gateway speaks as expected.' },
    { name: 'model', ok: false, message: 'Not in the list: video-pro.' },
  ],
  checks: [
    { name: 'images', ok: false, message: 'The image side refuses the key (401).', ms: 40 },
    { name: 'clock', ok: true, message: 'less than 2 s apart' },
  ],
  found: [{ setting: 'Field style', was: 'lastFrame', now: 'last_frame', by: 'refused', how: 'Worked before' }],
  missing: ['video-pro'],
  untriedHeaders: ['api-key', 'IMAGE-KEY'],
};

type Answers = Parameters<typeof fakeStudio>[0];

async function open(tab: string, answers: Answers = {}, more: object = {}) {
  window.location.hash = `#/settings?section=gateways&profile=p&tab=${tab}`;
  useStudio.setState({
    profiles: [{ ...profile, ...more }],
    activeProfileId: 'p',
    info: { version: '1.2.3' } as never,
    settings: { theme: 'dark', welcomed: true, activeProfileId: 'p' } as never,
  });
  const studio = fakeStudio({
    'profiles.testConnection': () => TEST,
    'profiles.found': () => ({ found: TEST.found ?? [] }),
    'profiles.save': () => profile,
    'settings.set': (patch) => ({ theme: 'dark', welcomed: true, activeProfileId: 'p', ...patch }) as never,
    'prices.list': () => ({ prices: [] }),
    'profiles.balance': () => ({ balanceNano: 48_200_000_000, at: Date.now() }),
    'budgets.list': () => ({
      budgets: [{ scope: 'day', play: false, hardNano: 30_000_000_000, used: NO_MONEY }],
    }),
    ...answers,
  });
  await show(<SettingsPage />);
  return studio;
}

/** The field is left. */
const leave = (field: HTMLElement) => acting(() => field.dispatchEvent(new FocusEvent('focusout', { bubbles: true })));

const typeInto = async (field: HTMLInputElement, text: string) => {
  field.focus();
  await type(field, text);
};

const saved = (studio: ReturnType<typeof fakeStudio>) => studio.callsOf('profiles.save');

describe('a field', () => {
  it('is saved as it is left, and nothing else with it', async () => {
    const studio = await open('overview');
    await typeInto(fieldOf(labels.name), 'Another name');
    expect(saved(studio)).toEqual([]);
    await leave(fieldOf(labels.name));
    expect(saved(studio)).toEqual([{ id: 'p', name: 'Another name' }]);
  });

  it('is not saved where nothing was typed', async () => {
    const studio = await open('overview');
    await leave(fieldOf(labels.name));
    expect(saved(studio)).toEqual([]);
  });

  it('names the rule where it is refused, and keeps what was typed', async () => {
    await open('limits', {
      'profiles.save': () => refuse([{ field: 'limits.outputTokens', message: 'must be 1 to 1000000' }]),
    });
    await typeInto(fieldOf('Output'), '0');
    await leave(fieldOf('Output'));
    await says('Output: must be 1 to 1000000. Not saved.');
  });

  it('that was emptied is taken away', async () => {
    const studio = await open('advanced', {}, { webhookBase: 'https://hook.example', videoPollPath: '/v/{id}' });
    await typeInto(fieldOf(labels.publicAddress), '');
    await leave(fieldOf(labels.publicAddress));
    expect(saved(studio)).toEqual([{ id: 'p', webhookBase: null }]);
  });
});

it('an address of another gateway is saved by its button alone, and says that the key goes', async () => {
  const studio = await open('overview');
  await typeInto(fieldOf(labels.baseUrl), 'https://other.example');
  await leave(fieldOf(labels.baseUrl));
  expect(saved(studio)).toEqual([]);
  await says('Saving another address forgets the key.');
  fieldOf(labels.baseUrl).blur();
  await click(byText(labels.saveAddress));
  expect(saved(studio)).toEqual([{ id: 'p', baseUrl: 'https://other.example' }]);
});

it('the daily budget is shown, and is changed on Spend', async () => {
  await open('overview');
  await says('Stop at this amount · $30.00 left today');
  await says('$48.20');
  await click(byText(labels.changeBudget));
  expect(window.location.hash).toBe('#/spend?budget=day');
});

describe('what is documented about a repeated key', () => {
  it('is off, and is saved with its page and the hours that were entered', async () => {
    const studio = await open('advanced');
    expect(document.body.textContent).toContain('Off until you add a link');
    await click(byText(labels.supported));
    expect(saved(studio)).toEqual([]);
    const [source, hours] = [...document.querySelectorAll<HTMLInputElement>('.idem input')];
    if (!source || !hours) throw new Error('no fields');
    await typeInto(source, 'https://gateway.example/docs');
    await typeInto(hours, '24');
    await leave(hours);
    await until(() =>
      expect(saved(studio)).toMatchObject([
        { idempotency: { kind: 'documented', source: 'https://gateway.example/docs', windowHours: 24, night: true } },
      ]),
    );
  });
});

it('the key is handed over at once, leaves the page, and its place is told', async () => {
  const studio = await open('overview', { 'profiles.setKey': () => ({ stored: 'memory' }) });
  await type(fieldOf(labels.apiKey), 'sk-secret');
  await click(byText(labels.storeTheKey));
  expect(studio.callsOf('profiles.setKey')).toEqual([{ id: 'p', apiKey: 'sk-secret' }]);
  await until(() => expect(fieldOf(labels.apiKey).value).toBe(''));
  useStudio.setState({ profiles: [{ ...profile, key: 'memory' }] });
  await says('No keychain. The key is kept until Dailies closes.');
  expect(document.body.innerHTML).not.toContain('sk-secret');
});

describe('where the key is', () => {
  const list = (keyStore: 'keychain' | 'memory') => ({
    'profiles.list': () => ({ profiles: [profile], activeId: 'p', keyStore, unreadable: [] }),
  });

  it.each([
    ['keychain', 'Kept in this computer’s keychain'],
    ['memory', 'kept until Dailies closes'],
  ] as const)('is told before it is typed: %s', async (keyStore, words) => {
    await open('overview', list(keyStore));
    await says(words);
  });

  it.each([
    ['memory', 'kept until Dailies closes'],
    ['environment', 'A key entered here replaces it'],
    ['keychain', 'never shown'],
    ['unreadable', 'The keychain is locked'],
  ] as const)('is told where it is: %s', async (key, place) => {
    await open('overview', list('memory'), { key });
    expect(document.body.textContent).toContain(place);
  });

  it('is told again where the keychain does not let go of it', async () => {
    const forgetKey = () => fail('wrong_state', 'The keychain does not let go of the key.');
    await open('overview', { 'profiles.forgetKey': forgetKey }, { key: 'keychain' });
    await click(byText(labels.remove, '.line button'));
    await says('The keychain does not let go of the key.');
  });
});

describe('extra headers', () => {
  it('are stored as they are added, their values never shown; those that are stored go back as null', async () => {
    const studio = await open(
      'advanced',
      {},
      { extraHeaders: { 'X-Old': null, 'X-Gone': null }, missingHeaders: ['X-Gone'] },
    );
    expect(document.body.textContent).toContain('Value lost.');
    await typeInto(labelled('Header name'), 'X-Team');
    await typeInto(labelled('Header value'), 'team-secret');
    labelled('Header value').blur();
    await click(byText(labels.addHeader));
    expect(document.body.innerHTML).not.toContain('team-secret');
    const all = { 'X-Old': null, 'X-Gone': null, 'X-Team': 'team-secret' };
    await until(() => expect(saved(studio)).toEqual([{ id: 'p', extraHeaders: all }]));
  });

  it('are refused by their name', async () => {
    await open('advanced', {
      'profiles.save': () =>
        fail('invalid_input', 'extraHeaders.Host: must not be Host', { field: 'extraHeaders.Host' }),
    });
    await click(labelled('Remove the header X-Team'));
    await says('Extra header Host: must not be Host. Not saved.');
  });
});

it('the next request follows the API format as it is chosen, which is saved at once', async () => {
  const studio = await open('format');
  await click(byText('last_frame', '[role="radio"]'));
  expect(saved(studio)).toEqual([{ id: 'p', fieldCase: 'snake' }]);
});

describe('the check', () => {
  const check = async (answers: Answers = {}) => {
    const studio = await open('overview', answers);
    await press('r');
    return studio;
  };

  it('runs when it is asked for, shows images and clock as rows like the six, and remembers that it passed', async () => {
    const studio = await check();
    const states = () => [...document.querySelectorAll<HTMLElement>('.results li')].map(({ dataset }) => dataset.state);
    const six = ['passed', 'passed', 'passed', 'passed', 'passed', 'open'];
    await until(() => expect(states()).toEqual([...six, 'failed', 'passed']));
    expect(textsOf('.results li b').slice(6)).toEqual(['Images', 'Clock']);
    const [patch] = studio.callsOf('settings.set') as { checked: Record<string, { origin: string; at: number }> }[];
    expect(patch?.checked.p?.origin).toBe('https://gateway.example');
    await says('Last checked');
  });

  it('says what failed and what waits for it, and is not remembered', async () => {
    const steps: ConnectionTest['steps'] = [
      { name: 'dns', ok: true, message: 'found' },
      { name: 'connect', ok: false, message: 'refused' },
      { name: 'tls', ok: false, message: 'Waits for connect.' },
    ];
    const studio = await check({ 'profiles.testConnection': () => ({ steps }) });
    await until(() => expect(textsOf('.results li')).toHaveLength(6));
    expect(textsOf('.results li')[1]).toContain('refused');
    expect(textsOf('.results li')[5]).toContain('Not checked');
    expect(document.querySelectorAll('.results [data-state="failed"]')).toHaveLength(1);
    expect(studio.callsOf('settings.set')).toEqual([]);
  });

  it('tries other header names, and says which is accepted', async () => {
    const studio = await check({ 'profiles.tryImageHeaders': () => ({ accepted: 'api-key', tried: ['api-key'] }) });
    await clickOn(labels.tryOtherNames(2));
    await until(() => byText('api-key is accepted', '.results span'));
    expect(studio.callsOf('profiles.tryImageHeaders')).toEqual([{ id: 'p' }]);
  });

  it('removes a model that the list leaves out', async () => {
    const studio = await check();
    await clickOn('Remove 1 model');
    await until(() => expect(saved(studio)).toEqual([{ id: 'p', models: [{ id: 'language', kind: 'chat' }] }]));
  });

  it('says why it could not be made', async () => {
    await check({ 'profiles.testConnection': () => fail('not_found', 'There is no such gateway.') });
    await says('There is no such gateway.');
  });
});

it('what the check found says what was, what is now and how it was found, and is undone', async () => {
  const studio = await open('format', { 'profiles.undoFound': () => ({ found: [] }) });
  await until(() => byText('Field style', 'td'));
  const row = byText('Field style', 'td').parentElement;
  const cells = [...(row?.children ?? [])].map((cell) => cell.textContent);
  expect(cells).toEqual(['Field style', 'lastFrame', 'last_frame', 'Worked before']);
  await click(byText(labels.undo));
  await until(() => expect(studio.callsOf('profiles.undoFound')).toEqual([{ id: 'p' }]));
});

it('tests the way of webhooks only when it is asked to', async () => {
  const steps = [{ name: 'wrong' as const, ok: true, message: 'Wrong secret: nothing changed.', ms: 2 }];
  const lately = { since: Date.now(), useful: 0, strange: 3 };
  const studio = await open('advanced', { 'webhooks.selfTest': () => ({ steps, lately }) });
  expect(studio.callsOf('webhooks.selfTest')).toEqual([]);
  await click(byText(labels.testWebhooks));
  await until(() => byText('Wrong secret: nothing changed.', '.results span'));
});
