import { expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { fail } from '../../../../shared/contract/result.ts';
import type { ConnectionTest } from '../../../../shared/gateway/connection.ts';
import { DEFAULT_MODELS } from '../../../../shared/gateway/profile.ts';
import { useStudio } from '../../../app/index.ts';
import { aSavedProfile } from '../../../testing/aProfile.ts';
import { fieldOf, isOff, says, textsOf } from '../../../testing/find.ts';
import { byText, click, fakeStudio, show, type, until } from '../../../testing/page.tsx';
import { SettingsPage } from '../SettingsPage.tsx';
import { nameOfAddress } from './useConnect.ts';

/** The way in of a gateway: nothing paid is sent, a failure stops the rest, and test money stays until the last button. */

const NAMES = ['dns', 'connect', 'tls', 'key', 'protocol', 'model'] as const;
const passed: ConnectionTest = { steps: NAMES.map((name) => ({ name, ok: true, message: `${name} is fine` })) };
const endedAt = (place: number): ConnectionTest => ({
  steps: NAMES.map((name, at) => ({ name, ok: at < place, message: at === place ? 'not so' : 'Waits.' })),
});

const ADDRESS = 'https://api.studio-gateway.example';
const made = aSavedProfile({ id: 'new', name: 'Studio gateway', baseUrl: ADDRESS, models: DEFAULT_MODELS });

async function open(answers: Parameters<typeof fakeStudio>[0] = {}) {
  window.location.hash = '#/settings/connect';
  useStudio.setState({ profiles: [], activeProfileId: 'sandbox', settings: { activeProfileId: 'sandbox' } as never });
  const models = DEFAULT_MODELS.map((model) => ({ ...model, sources: {}, shots: 0 }));
  const studio = fakeStudio({
    'profiles.list': () => ({ profiles: [], activeId: 'sandbox', keyStore: 'memory', unreadable: [] }),
    'profiles.save': () => made,
    'profiles.setKey': () => ({ stored: 'memory' }),
    'profiles.testConnection': () => passed,
    'profiles.balance': () => ({ balanceNano: 48_200_000_000, at: 0 }),
    'models.read': () => ({ profileId: 'new', models, others: [] }),
    'prices.list': () => ({ prices: [] }),
    'budgets.list': () => ({ budgets: [] }),
    'budgets.set': () => ({ budgets: [] }),
    'profiles.activate': () => ({ activeId: 'new' }),
    'settings.set': (patch) => ({ activeProfileId: 'sandbox', ...patch }) as never,
    ...answers,
  });
  await show(<SettingsPage />);
  return studio;
}

const enter = async () => {
  await type(fieldOf(labels.baseUrl), ADDRESS);
  await type(fieldOf(labels.apiKey), 'sk-0123456789abcdef');
  await click(byText(labels.connect, 'button'));
};

it('begins empty, and says at the button what is missing', async () => {
  await open();
  expect([fieldOf(labels.baseUrl).value, fieldOf(labels.apiKey).value, fieldOf(labels.name).value]).toEqual([
    '',
    '',
    '',
  ]);
  expect(isOff(byText(labels.connect, 'button'))).toBe(true);
  await says('Enter the base URL first.');
  await says('No keychain. The key is kept until Dailies closes.');
});

it('saves, hands the key over and checks; then says what it found, and nothing is in use yet', async () => {
  const studio = await open();
  await enter();
  await says('Studio gateway is connected');
  expect(textsOf('.results li[data-state="passed"]')).toHaveLength(6);
  await says('$48.20');
  expect(studio.callsOf('profiles.save')).toEqual([{ baseUrl: ADDRESS, name: 'Studio gateway' }]);
  expect(studio.callsOf('profiles.setKey')).toEqual([{ id: 'new', apiKey: 'sk-0123456789abcdef' }]);
  expect(studio.callsOf('profiles.activate')).toEqual([]);
  expect(studio.calls.filter(({ name }) => name.startsWith('jobs.'))).toEqual([]);
  expect(document.body.innerHTML).not.toContain('sk-0123456789abcdef');
});

it('a failed step stops the rest and is named, is fixed in its row, and the same gateway is checked again', async () => {
  let test = endedAt(1);
  const studio = await open({ 'profiles.testConnection': () => test });
  await enter();
  await says('The gateway does not answer');
  await says('Stopped at: Connection');
  test = endedAt(3);
  await click(byText(labels.checkAgain, 'button'));
  await says('The gateway refused the key');
  await says('Stopped at: Key');
  expect(document.querySelectorAll('.results [data-state="waits"]')).toHaveLength(2);
  expect(studio.callsOf('models.read')).toEqual([]);
  test = passed;
  const again = document.querySelector<HTMLInputElement>('.results input');
  if (!again) throw new Error('no field');
  await type(again, 'sk-0123456789abcdeX');
  await click(byText(labels.checkAgain, 'button'));
  await says('Studio gateway is connected');
  expect(studio.callsOf('profiles.save')[1]).toMatchObject({ id: 'new' });
  expect(studio.callsOf('profiles.setKey')).toHaveLength(2);
});

it('what the studio refuses stands at its field', async () => {
  await open({ 'profiles.save': () => fail('invalid_input', 'baseUrl: must be an address.', { field: 'baseUrl' }) });
  await enter();
  await says('must be an address.');
  expect(fieldOf(labels.baseUrl).value).toBe(ADDRESS);
});

it('real money starts with the price of a clip and a daily budget, which holds before the gateway is in use', async () => {
  const studio = await open();
  await enter();
  await says('Studio gateway is connected');
  await click(byText(labels.toRealMoney, 'button'));
  await says('Enough for 12 clips of 4 s a day.');
  await says('Jobs over budget wait until midnight.');
  await says('up to $1.60');
  await click(byText(labels.startWithRealMoney, 'button'));
  await until(() => expect(studio.callsOf('profiles.activate')).toEqual([{ id: 'new' }]));
  expect(studio.callsOf('budgets.set')).toEqual([
    { scope: 'day', play: false, hardNano: 20_000_000_000, softNano: null },
  ]);
  const order = studio.calls.map(({ name }) => name);
  expect(order.indexOf('budgets.set')).toBeLessThan(order.indexOf('profiles.activate'));
  expect(window.location.hash).toBe('#/storyboard');
});

it('no budget is a choice, and a budget that was refused starts nothing', async () => {
  const studio = await open({ 'budgets.set': () => fail('store_unavailable', 'The store is busy.') });
  await enter();
  await says('Studio gateway is connected');
  await click(byText(labels.toRealMoney, 'button'));
  await says('Enough for 12 clips');
  await click(byText(labels.startWithRealMoney, 'button'));
  await says('The store is busy.');
  expect(studio.callsOf('profiles.activate')).toEqual([]);
  await click(byText(labels.noBudget, '[role="radio"]'));
  await click(byText(labels.startWithRealMoney, 'button'));
  await until(() => expect(studio.callsOf('profiles.activate')).toEqual([{ id: 'new' }]));
});

it('test money stays where it is chosen', async () => {
  const studio = await open();
  await enter();
  await says('Studio gateway is connected');
  await click(byText(labels.toRealMoney, 'button'));
  await says('Start with real money');
  await click(byText(labels.stayWithTestMoney, 'button'));
  expect([studio.callsOf('profiles.activate'), studio.callsOf('budgets.set')]).toEqual([[], []]);
  expect(window.location.hash).toBe('#/settings?section=gateways&profile=new');
});

it.each([
  ['https://api.studio-gateway.example', 'Studio gateway'],
  ['http://127.0.0.1:8080', '127.0.0.1'],
  ['no address', ''],
])('the name is found from the address: %s', (address, name) => expect(nameOfAddress(address)).toBe(name));
