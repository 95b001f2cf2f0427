import { expect, test } from 'vitest';
import { silentLog, TestClock } from '../../../../test/helpers/testPorts.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { Updates } from './updates.ts';

const HOUR = 3_600_000;

function harness(host: { installsAtAnyEnd?: boolean } = {}, earlier?: string) {
  const clock = new TestClock();
  const done: string[] = [];
  const is = {
    on: true,
    busy: false,
    backup: ok(null) as Result<null>,
    version: '9.0.0' as string | null,
    fails: false,
  };
  let at: number | undefined;
  let found: string | null = earlier ?? null;
  const did = async (what: string) => {
    done.push(what);
    if (is.fails) throw new Error('refused');
  };
  const updater = {
    ...host,
    check: () => did('check').then(() => is.version),
    download: () => did('download'),
    quitAndInstall: () => void done.push('install'),
    checkedAt: () => at,
    noteCheck: (now: number) => {
      at = now;
    },
    found: () => found ?? undefined,
    noteFound: (version: string | null) => {
      found = version;
    },
  };
  const backUp = async () => {
    done.push('backup');
    return is.backup;
  };
  const waitsFor = () => (is.busy ? 'Something is being sent.' : undefined);
  const deps = { clock, log: silentLog, emit: () => undefined, isOn: () => is.on, waitsFor, backUp };
  const updates = new Updates({ ...deps, updater });
  updates.start();
  const call = updates.handlers();
  const installs = async () => (await call['updates.get']({})) as { data: { installsAtQuit?: true } };
  const installsNow = async () => (await installs()).data.installsAtQuit === true;
  return { clock, done, is, installsNow, call, without: new Updates({ ...deps, updater: undefined }) };
}

test('the server is asked once a day at most, also after one that failed', async () => {
  const { clock, done, is } = harness();
  is.version = null;
  await clock.advance(23 * HOUR);
  expect(done).toEqual(['check']);
  is.fails = true;
  await clock.advance(24 * HOUR);
  expect(done).toEqual(['check', 'check']);
});

test('switched off nothing is asked for, by itself or by a call', async () => {
  const { clock, done, is, call } = harness();
  is.on = false;
  await clock.advance(72 * HOUR);
  expect(await call['updates.check']({})).toMatchObject({ ok: false });
  expect([done, await call['updates.get']({})]).toEqual([[], ok({ state: 'off' })]);
});

test('while it waits for something nothing is asked for, downloaded or installed', async () => {
  const { clock, done, is, call, installsNow } = harness();
  is.busy = true;
  await clock.advance(48 * HOUR);
  expect(done).toEqual([]);
  is.busy = false;
  await clock.advance(HOUR);
  expect(done).toEqual(['check']);
  is.busy = true;
  expect(await call['updates.download']({})).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  is.busy = false;
  expect(await call['updates.download']({})).toEqual(ok(expect.objectContaining({ state: 'ready', version: '9.0.0' })));
  expect(await installsNow()).toBe(true);
  is.busy = true;
  expect(await installsNow()).toBe(false);
  expect(await call['updates.install']({})).toMatchObject({ ok: false });
  expect(done).toEqual(['check', 'download', 'backup']);
});

test('what an earlier run found is there after a restart, and is found again before it is downloaded', async () => {
  const { done, is, call } = harness({}, '8.0.0');
  expect(await call['updates.get']({})).toEqual(ok({ state: 'found', version: '8.0.0' }));
  expect(await call['updates.download']({})).toMatchObject({ data: { state: 'ready', version: '9.0.0' } });
  expect(done).toEqual(['check', 'download', 'backup']);
  const gone = harness({}, '8.0.0');
  gone.is.version = null;
  expect(await gone.call['updates.download']({})).toMatchObject({ data: { state: 'current' } });
  expect([is.on, gone.done]).toEqual([true, ['check']]);
});

test('a version that is not downloaded keeps nobody from looking for a newer one', async () => {
  const { clock, is, call } = harness({}, '8.0.0');
  is.version = '8.1.0';
  await clock.advance(HOUR);
  expect(await call['updates.get']({})).toMatchObject({ data: { state: 'found', version: '8.1.0' } });
});

test('where the system installs at any end, that is said also while something is sent, and once switched off', async () => {
  const { is, call } = harness({ installsAtAnyEnd: true });
  await call['updates.check']({});
  await call['updates.download']({});
  const installs = { installsAtQuit: true, installsAtAnyEnd: true };
  is.busy = true;
  expect(await call['updates.get']({})).toMatchObject({ data: { state: 'ready', ...installs } });
  is.on = false;
  expect(await call['updates.get']({})).toMatchObject({ data: { state: 'off', version: '9.0.0', ...installs } });
});

test('nothing is installed without a backup', async () => {
  const { done, is, call, installsNow } = harness();
  await call['updates.check']({});
  is.backup = fail('disk_full', 'The disk is full: no backup was made.');
  expect(await call['updates.download']({})).toMatchObject({ ok: false, error: { code: 'disk_full' } });
  expect(await installsNow()).toBe(false);
  expect(await call['updates.get']({})).toEqual(
    ok(expect.objectContaining({ state: 'found', why: expect.stringContaining('full') })),
  );
  is.backup = ok(null);
  await call['updates.download']({});
  await call['updates.install']({});
  expect(done).toEqual(['check', 'download', 'backup', 'download', 'backup', 'backup', 'install']);
});

test('where the system installs at any end, nothing is downloaded without a backup', async () => {
  const { done, is, call } = harness({ installsAtAnyEnd: true });
  await call['updates.check']({});
  is.backup = fail('disk_full', 'The disk is full: no backup was made.');
  expect(await call['updates.download']({})).toMatchObject({ ok: false, error: { code: 'disk_full' } });
  is.backup = ok(null);
  expect(await call['updates.download']({})).toMatchObject({ data: { state: 'ready', installsAtAnyEnd: true } });
  expect(done).toEqual(['check', 'backup', 'backup', 'download']);
});

test('a server that fails changes nothing but says so; without one there are no updates', async () => {
  const { is, call, without } = harness();
  is.fails = true;
  expect(await call['updates.check']({})).toMatchObject({ ok: false, error: { code: 'unreachable' } });
  expect(await call['updates.get']({})).toEqual(
    ok(expect.objectContaining({ state: 'current', why: expect.any(String) })),
  );
  expect(await without.handlers()['updates.get']({})).toMatchObject({ data: { state: 'none' } });
  expect(await without.handlers()['updates.check']({})).toMatchObject({ ok: false });
});
