import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { fullAfter } from '../../../test/helpers/fullDisk.ts';
import { settle, tempDir, testPorts } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import { Engine } from './jobs/index.ts';
import { Mover } from './library/index.ts';
import { databaseFile } from './store/index.ts';

const openStudio = studiosOfThisFile();

const open = async () => (await openStudio()).studio;
const lamp = (n: number | string = '') => ({ kind: 'imagine' as const, prompt: `A lamp ${n}` });

test('the studio boots under plain Node: no bundler, no Electron, no page', () => {
  const file = path.join(import.meta.dirname, 'createStudio.ts');
  const program = `const { createStudio } = await import(${JSON.stringify(file)}); console.log(typeof createStudio);`;
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).trim()).toBe(
    'function',
  );
});

test('a call that does not exist, a missing field and an unknown one are refused by name', async () => {
  const studio = await open();
  const sentence = async (name: string, input: unknown) => {
    const result = await studio.call(name, input);
    return result.ok ? 'ok' : `${result.error.code}: ${result.error.message}`;
  };
  expect(await sentence('jobs.explode', {})).toBe('not_found: There is no call named jobs.explode.');
  expect(await sentence('toString', {})).toBe('not_found: There is no call named toString.');
  expect(await sentence('jobs.get', {})).toBe('invalid_input: id: is missing; it must be text');
  expect(await sentence('jobs.get', { id: 'x', more: 1 })).toBe('invalid_input: more: there is no such field here.');
  expect(await sentence('jobs.get', null)).toBe('invalid_input: id: is missing; it must be text');
  expect(await sentence('app.info', undefined)).toBe('ok');
});

test('after the database was closed a file is refused, not thrown about', async () => {
  const { studio, close } = await openStudio();
  await close();
  expect(studio.media.open('x')).toMatchObject({ ok: false, error: { code: 'internal' } });
  expect(await studio.exports.open('x', 'y')).toMatchObject({ ok: false, error: { code: 'internal' } });
});

test('nothing more is sent from the moment in which the studio closes', async () => {
  const { close } = await openStudio();
  const [stopped, waited] = [vi.spyOn(Engine.prototype, 'stopSending'), vi.spyOn(Mover.prototype, 'close')];
  await close();
  const [first = 0, then = 0] = [stopped, waited].map(({ mock }) => mock.invocationCallOrder[0]);
  expect(first).toBeGreaterThan(0);
  expect(then).toBeGreaterThan(first);
});

test('told to, it sends nothing more, and goes on answering', async () => {
  const { studio, ask, enqueue } = await openStudio();
  studio.stopSending();
  await enqueue(lamp());
  await settle();
  expect(await ask('jobs.list')).toMatchObject({ jobs: [{ state: 'queued' }] });
});

test('a full disk says that nothing was changed only where nothing was', async () => {
  const { ask, call, enqueue } = await openStudio();
  await ask('queue.pause', {});
  await enqueue(lamp());
  const resume = async () => {
    const result = await call('queue.resume', {});
    vi.restoreAllMocks();
    return [(await ask('queue.status')).paused, result.ok ? '' : result.error.message];
  };
  fullAfter(0);
  expect(await resume()).toEqual([true, expect.stringContaining('Nothing was changed')]);
  fullAfter(1);
  expect(await resume()).toEqual([false, expect.stringContaining('may be done in part')]);
});

test('nor is anything changed where a batch of many could only be staged', async () => {
  const { ask, call } = await openStudio();
  fullAfter(2);
  const result = await call('jobs.enqueue', { requests: Array.from({ length: 300 }, (_, n) => lamp(n)) });
  vi.restoreAllMocks();
  const message = expect.stringContaining('Nothing was changed');
  expect(result).toMatchObject({ error: { code: 'disk_full', message } });
  expect((await ask('jobs.list')).total).toBe(0);
});

test('a profile is saved with its defaults, named by its host, and survives; its secrets are not in it or in any file', async () => {
  const dataDir = tempDir('studio');
  const ports = testPorts();
  const { ask, close } = await openStudio({ dataDir, ports });
  const saved = await ask('profiles.save', { baseUrl: 'https://gateway.example/v1/', botToken: 'bot-canary-77' });
  const baseUrl = 'https://gateway.example';
  expect(saved).toMatchObject({ name: 'gateway.example', baseUrl, vendor: 'vendor', hasBotToken: true, key: null });
  expect(await ask('profiles.setKey', { id: saved.id, apiKey: 'sk-canary-4711' })).toEqual({ stored: 'memory' });
  await ask('profiles.activate', { id: saved.id });
  await close();
  const again = await openStudio({ dataDir, ports });
  const list = await again.ask('profiles.list');
  expect(list).toMatchObject({ activeId: saved.id });
  expect(JSON.stringify(list)).not.toMatch(/canary/);
  const files = fs.readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const file of files)
    expect(fs.readFileSync(path.join(file.parentPath, file.name), 'latin1')).not.toContain('canary');
});

test('a profile with open jobs cannot be removed, and the sentence says what to do', async () => {
  const { ask, call, enqueue } = await openStudio();
  const { id } = await ask('profiles.save', { baseUrl: 'http://127.0.0.1:9' });
  await ask('profiles.activate', { id });
  const [job = ''] = await enqueue(lamp());
  const message = expect.stringMatching(/^One job of this gateway is still open.* cancel or resolve it/);
  expect(await call('profiles.remove', { id })).toMatchObject({ error: { code: 'wrong_state', message } });
  await ask('jobs.cancel', { id: job });
  expect((await call('profiles.remove', { id })).ok).toBe(true);
});

test('a request that nests six thousand levels deep is refused by its field, and nothing is kept of it', async () => {
  const studio = await open();
  let tool: unknown = {};
  for (let level = 0; level < 6_000; level += 1) tool = { properties: tool };
  const request = { kind: 'chat', model: 'm', messages: [{ role: 'user', content: 'x' }], tools: [tool] };
  const refused = await studio.call('jobs.enqueue', { requests: [request] });
  expect(refused.ok ? '' : refused.error.message).toBe('requests.0.tools: must not nest more than 100 levels deep.');
  expect(await studio.call('jobs.list', {})).toMatchObject({ data: { total: 0 } });
});

test('an upload that this machine cannot keep is answered, and the studio goes on', async () => {
  const { studio, dataDir } = await openStudio();
  fs.rmSync(path.join(dataDir, 'library'), { recursive: true, force: true });
  fs.writeFileSync(path.join(dataDir, 'library'), 'a file stands where the folder should be');
  const body = Readable.from([Buffer.from('x')]);
  expect(await studio.media.upload({ name: 'a.png', body })).toMatchObject({ ok: false, error: { code: 'internal' } });
  expect(body.destroyed).toBe(true);
  expect((await studio.call('app.info', {})).ok).toBe(true);
});

test.each([
  ['budgets.list', {}, 'It could not be read. Nothing was changed by asking.'],
  ['budgets.set', { scope: 'day', hardNano: 1 }, 'The change may have been made. Check before you repeat it.'],
] as const)('where %s ends in an exception, its answer says what that means', async (name, input, meaning) => {
  const { studio, dataDir } = await openStudio();
  const db = new Database(databaseFile(dataDir));
  db.exec('DROP TABLE budgets');
  db.close();
  expect(await studio.call(name, input)).toEqual({
    ok: false,
    error: { code: 'internal', message: `Something went wrong in Dailies. ${meaning}` },
  });
});
