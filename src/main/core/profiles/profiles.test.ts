import { describe, expect, it } from 'vitest';
import { findCanary } from '../../../../test/helpers/canary.ts';
import { memoryKeys, memorySettings } from '../../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { KEY_UNREADABLE } from '../../../shared/gateway/profile.ts';
import type { Ports } from '../createStudio.ts';
import { dialectMemory } from './statedModels.ts';

/** Keys and the fields around them, through the contract; settings are what would be in the file. */

const KEY = 'sk-canary-0123456789abcdefghijklmnop';
const openStudio = studiosOfThisFile();

async function start(ports: Partial<Ports> = {}) {
  const written: string[] = [];
  const settings = memorySettings();
  const write: typeof settings.write = (name, value) => {
    written.push(JSON.stringify(value));
    settings.write(name, value);
  };
  const { studio, dataDir, close } = await openStudio({
    ports: { settings: { read: settings.read, write }, ...ports },
  });
  const saved = await studio.call('profiles.save', { id: 'p', name: 'P', baseUrl: 'http://127.0.0.1:9' });
  expect(saved).toMatchObject({ ok: true });
  await studio.call('profiles.activate', { id: 'p' });
  return { studio, written, dataDir, close };
}

describe('a key pasted into another field', () => {
  it.each([
    [
      'messages',
      'jobs.enqueue',
      { requests: [{ kind: 'chat', model: 'm', messages: [{ role: 'user', content: `it is ${KEY}` }] }] },
    ],
    ['prompt', 'jobs.enqueue', { requests: [{ kind: 'video', model: 'm', prompt: KEY }] }],
    ['text', 'chat.send', { conversationId: 'c', text: `my key: ${KEY}` }],
    ['name', 'projects.create', { name: KEY }],
    ['name', 'profiles.save', { id: 'p', name: `x ${KEY}`, baseUrl: 'http://127.0.0.1:9' }],
    ['vendor', 'profiles.save', { id: 'p', vendor: KEY, baseUrl: 'http://127.0.0.1:9' }],
  ])('(%s of %s) is refused by name, nothing of it is kept', async (field, name, input) => {
    const { studio, written, dataDir, close } = await start();
    await studio.call('profiles.setKey', { id: 'p', apiKey: KEY });
    const answer = await studio.call(name, input);
    expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(JSON.stringify(answer)).toContain(field);
    await close();
    expect(
      findCanary(KEY, { paths: [dataDir], texts: { answer: JSON.stringify(answer), written: written.join() } }).hits,
    ).toEqual([]);
  });

  it('is recognized as a secret even before anything has read it in this run', async () => {
    const { studio, dataDir, close } = await start({ keys: memoryKeys({ p: KEY }) });
    const answer = await studio.call('jobs.enqueue', { requests: [{ kind: 'imagine', prompt: `a quay ${KEY}` }] });
    expect(answer).toMatchObject({ ok: false, error: { data: { field: 'requests.0.prompt' } } });
    await close();
    expect(findCanary(KEY, { paths: [dataDir] }).hits).toEqual([]);
  });

  it('first, and then set as the key: the error names the file before the key is stored', async () => {
    const { studio } = await start();
    const word = 'a-key-without-its-usual-beginning';
    await studio.call('profiles.save', { id: 'p', name: word, baseUrl: 'http://127.0.0.1:9' });
    expect(await studio.call('profiles.setKey', { id: 'p', apiKey: word })).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', data: { field: 'apiKey' } },
    });
    expect(await studio.call('profiles.list', {})).toMatchObject({
      data: { profiles: [{ id: 'sandbox' }, { id: 'p', key: null }], keyStore: 'memory' },
    });
  });
});

it("drops invalid values in a settings file's memory of a service", () => {
  const settings = memorySettings();
  const dialects = {
    p: { balancePath: 5, fetchMethod: 'DELETE', maskField: 'mask', other: 1 },
    q: 'nothing',
  };
  settings.write('dialects', dialects);
  const { recall } = dialectMemory(settings);
  expect(recall('p')).toEqual({ maskField: 'mask' });
  expect(recall('q')).toEqual({});
});

it('a key in a locked keychain is not tested as none, and the list says so', async () => {
  const get = () => Promise.reject(new Error('locked'));
  const { studio } = await start({ keys: { ...memoryKeys(), get } });
  expect(await studio.call('profiles.testConnection', { id: 'p' })).toMatchObject({
    ok: false,
    error: { code: 'wrong_state', message: KEY_UNREADABLE },
  });
  expect(await studio.call('profiles.list', {})).toMatchObject({
    data: { profiles: [{ id: 'sandbox' }, { id: 'p', key: 'unreadable' }] },
  });
  expect(await studio.call('diagnostics.read', {})).toMatchObject({ ok: true });
});
