import { beforeEach, expect, it } from 'vitest';
import { findCanary } from '../../../../test/helpers/canary.ts';
import { memoryKeys, memorySettings, silentLog } from '../../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { servicesOfThisFile, type WireService } from '../../../../test/helpers/wireServices.ts';
import type { Studio } from '../createStudio.ts';

/** Headers that a gateway in front of the gateway asks for, through the contract and on the wire. */

const VALUE = 'Bearer team-canary-0123456789';
const KEY = 'sk-canary-0123456789abcdef';
const openStudio = studiosOfThisFile();
const startService = servicesOfThisFile();
let studio: Studio;
let dataDir: string;
let keys: ReturnType<typeof memoryKeys>;
let settings: ReturnType<typeof memorySettings>;
let hidden: string[];
let service: WireService;

beforeEach(async () => {
  hidden = [];
  keys = memoryKeys();
  settings = memorySettings();
  service = await startService(({ headers }) => ({
    status: 400,
    body: { error: { message: `no ${headers['x-team']}`, code: 'invalid_request' } },
  }));
  const log = { ...silentLog, hide: (secret: string) => void hidden.push(secret) };
  ({ studio, dataDir } = await openStudio({ ports: { keys, settings, log } }));
});

const save = (more: object) => studio.call('profiles.save', { id: 'p', ...more });
const saved = async (more: object): Promise<Record<string, unknown>> => {
  const answer = await save(more);
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.data as Record<string, unknown>;
};

it('are sent with every request to the gateway; their values appear in no answer, file, error or list', async () => {
  const view = await saved({ baseUrl: service.baseUrl, extraHeaders: { 'X-Team': VALUE, 'x-route': 'blue' } });
  expect(view).toMatchObject({ extraHeaders: { 'X-Team': null, 'x-route': null }, missingHeaders: [] });
  await studio.call('profiles.setKey', { id: 'p', apiKey: KEY });
  const test = await studio.call('profiles.testConnection', { id: 'p' });
  expect(service.received.length).toBeGreaterThan(0);
  for (const { headers } of service.received) expect(headers).toMatchObject({ 'x-team': VALUE, 'x-route': 'blue' });
  const list = await studio.call('profiles.list', {});
  const texts = { list, test, view, file: [settings.read('profiles'), settings.read('dialects')] };
  const told = Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, JSON.stringify(value)]));
  expect(findCanary(VALUE, { paths: [dataDir], texts: told }).hits).toEqual([]);
  expect(hidden).toContain(VALUE);
});

it('stay where they are left out, stay by null, go by being left out of the list, and with the profile', async () => {
  await saved({ baseUrl: service.baseUrl, extraHeaders: { 'X-Team': VALUE, 'X-Route': 'blue' } });
  expect(await saved({ name: 'Other' })).toMatchObject({ extraHeaders: { 'X-Team': null, 'X-Route': null } });
  expect(await saved({ extraHeaders: { 'X-Team': null, 'X-New': 'n' } })).toMatchObject({
    extraHeaders: { 'X-Team': null, 'X-New': null },
    missingHeaders: [],
  });
  expect(await keys.get('p:header:x-route')).toBeNull();
  expect((await keys.get('p:header:x-team'))?.value).toBe(VALUE);
  expect(await saved({ extraHeaders: {} })).toMatchObject({ extraHeaders: {} });
  expect(await keys.get('p:header:x-team')).toBeNull();
  await saved({ extraHeaders: { 'X-Team': VALUE } });
  await studio.call('profiles.remove', { id: 'p' });
  expect(await keys.get('p:header:x-team')).toBeNull();
});

it('whose value is gone with the memory it was kept in are named, and nothing is sent without them', async () => {
  await saved({ baseUrl: service.baseUrl, extraHeaders: { 'X-Team': VALUE } });
  await studio.call('profiles.setKey', { id: 'p', apiKey: KEY });
  await keys.forget('p:header:x-team');
  await saved({ name: 'Again' });
  expect(await studio.call('profiles.list', {})).toMatchObject({
    data: { profiles: [{}, { id: 'p', missingHeaders: ['X-Team'] }] },
  });
  await studio.call('profiles.testConnection', { id: 'p' });
  for (const { headers } of service.received) expect(headers.authorization).toBeUndefined();
});

const RULE =
  'must not be Authorization, Cookie, Host, or another header that belongs to the key, to the connection or to Dailies itself';

it.each([
  [{ Authorization: 'x' }, `extraHeaders.Authorization: ${RULE}`],
  [{ aUTHORIZATION: 'x' }, `extraHeaders.aUTHORIZATION: ${RULE}`],
  [{ 'Proxy-Authorization': 'x' }, `extraHeaders.Proxy-Authorization: ${RULE}`],
  [{ Host: 'x' }, `extraHeaders.Host: ${RULE}`],
  [{ Cookie: 'x' }, `extraHeaders.Cookie: ${RULE}`],
  [{ 'content-length': '1' }, `extraHeaders.content-length: ${RULE}`],
  [{ 'Transfer-Encoding': 'chunked' }, `extraHeaders.Transfer-Encoding: ${RULE}`],
  [{ Connection: 'close' }, `extraHeaders.Connection: ${RULE}`],
  [{ 'Idempotency-Key': '1' }, `extraHeaders.Idempotency-Key: ${RULE}`],
  [{ 'X-API-Key': 'x' }, 'extraHeaders.X-API-Key: is one of the image key headers, which carry the key.'],
  [{ 'X Team': 'x' }, 'extraHeaders.X Team: must be a bare header name such as X-Gateway-Team'],
  [{ 'X-Team\r\nHost': 'x' }, 'extraHeaders.X-Team\r\nHost: must be a bare header name such as X-Gateway-Team'],
  [{ 'X-Team': 'a\r\nHost: b' }, 'extraHeaders.X-Team: must be one line of printable ASCII'],
  [{ 'X-Team': '' }, 'extraHeaders.X-Team: must not be empty'],
  [{ 'X-Team': 7 }, 'extraHeaders.X-Team: must be text'],
  [{ 'X-Team': null }, 'extraHeaders.X-Team: has no stored value to keep.'],
  [{ 'X-Team': 'a', 'x-team': 'b' }, 'extraHeaders.x-team: is there twice'],
  ['X-Team: a', 'extraHeaders: must be { name: value }'],
])('%j are refused by name, and nothing is kept', async (extraHeaders, sentence) => {
  const answer = await save({ baseUrl: 'http://127.0.0.1:9', extraHeaders });
  expect(answer.ok ? '' : answer.error.message).toBe(sentence);
  expect(settings.read('profiles')).toBeUndefined();
});

it('a save changes what it names: the rest of a profile stays, each limit by itself, and what need not be there can go', async () => {
  const first = await saved({
    baseUrl: 'http://one.example/v1',
    vendor: 'acme',
    limits: { videosAtOnce: 9, chatsAtOnce: 7 },
    videoPollPath: '/v/{id}',
    webhookBase: 'https://hook.example',
    models: [{ id: 'm', kind: 'chat' }],
    fieldCase: 'snake',
  });
  expect(await saved({ limits: { chatsAtOnce: 2 } })).toEqual({
    ...first,
    limits: { ...(first.limits as object), chatsAtOnce: 2 },
  });
  const without = await saved({ videoPollPath: null, webhookBase: '' });
  expect(without).not.toHaveProperty('videoPollPath');
  expect(without).not.toHaveProperty('webhookBase');
  expect(without).toMatchObject({ vendor: 'acme', fieldCase: 'snake', models: [{ id: 'm', kind: 'chat' }] });
  await saved({ botToken: 'bot-token-0123' });
  expect(await saved({ name: 'N' })).toMatchObject({ hasBotToken: true });
  expect(await saved({ botToken: null })).toMatchObject({ hasBotToken: false });
  // As it was listed, it can come back.
  const view = await saved({});
  expect(await saved(view)).toEqual(view);
});

it.each([
  [{ colour: 'red' }, 'colour'],
  [{ apiKey: 'sk-x' }, 'apiKey'],
  [{ limits: { videosAtonce: 3 } }, 'limits.videosAtonce'],
  [{ models: [{ id: 'm', kind: 'chat', colour: 'red' }] }, 'models.0.colour'],
  [{ key: 'sk-0123456789abcdef' }, 'key'],
])('%j is refused by the name of the field, not dropped', async (more, field) => {
  const answer = await save({ baseUrl: 'http://127.0.0.1:9', ...more });
  expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_input', data: { field } } });
  expect(settings.read('profiles')).toBeUndefined();
});
