import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { recordingLog, settle, tempDir, testPorts } from '../../../../test/helpers/testPorts.ts';
import type { AppInfo } from '../../../shared/contract/contract.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { createStudio, type Studio, type StudioOptions } from '../../core/createStudio.ts';
import { databaseFile } from '../../core/store/index.ts';
import { systemClock } from './clock.ts';
import { openStudioRun } from './studioRun.ts';

/** A run over studios that only say which of them answers. */
async function start(opens: (number: number) => Result<null> = () => ok(null), close = async () => {}) {
  const created: StudioOptions[] = [];
  /** The studios that were told to send nothing more. */
  const stopped: number[] = [];
  const log = recordingLog();
  const run = await openStudioRun({
    createStudio: async (_ports, options) => {
      const number = created.push(options);
      const opened = opens(number);
      const stopSending = () => void stopped.push(number);
      const studio = { call: async () => ok(number), subscribe: () => () => undefined, stopSending, close };
      return opened.ok ? ok(studio as unknown as Studio) : opened;
    },
    startSandbox: async () => {
      throw new Error('none here');
    },
    ports: { ...testPorts(), log },
    options: { dataDir: '/d', host: 'browser', version: '0.0.0' },
  });
  const events: StudioEvent[] = [];
  run.subscribe((event) => void events.push(event));
  const relaunch = (whileClosed: () => void) => created.at(-1)?.relaunch?.(whileClosed);
  return { run, created, stopped, events, relaunch, log };
}

test('a sandbox that does not start keeps its profile, at an address where nothing answers', async () => {
  const { created } = await start();
  expect(created[0]?.sandbox).toMatchObject({ id: 'sandbox', baseUrl: 'http://127.0.0.1:1' });
});

test('what is done while it is closed is done between the two, and pages are told to read again', async () => {
  const { run, created, events, relaunch } = await start();
  const done: number[] = [];
  relaunch(() => void done.push(created.length));
  expect(await run.call('app.info', {})).toMatchObject({ ok: false, error: { code: 'store_unavailable' } });
  await expect.poll(() => run.call('app.info', {})).toEqual(ok(2));
  expect(done).toEqual([1]);
  expect(events).toEqual([{ type: 'studio.reopened' }]);
});

test('it is opened again also where that failed, and says why', async () => {
  const { run, created, events, relaunch } = await start();
  relaunch(() => {
    throw new Error('The backup was not restored: no space left.');
  });
  await expect.poll(() => run.call('app.info', {})).toEqual(ok(2));
  expect(created).toHaveLength(2);
  expect(events).toEqual([
    { type: 'studio.reopened' },
    { type: 'notice', level: 'error', text: 'The backup was not restored: no space left.', urgent: true },
  ]);
});

test('the end waits for what is being opened again, also when it was asked for twice', async () => {
  const closed = Promise.withResolvers<void>();
  const { run, relaunch } = await start(undefined, () => closed.promise);
  const done: string[] = [];
  relaunch(() => void done.push('first'));
  relaunch(() => void done.push('second'));
  const ended = run.close().then(() => void done.push('end'));
  await settle();
  expect(done).toEqual([]);
  closed.resolve();
  await ended;
  expect(done).toEqual(['first', 'end']);
});

test('a studio that does not open again says why, whatever else failed', async () => {
  const { run, relaunch } = await start((number) =>
    number === 1 ? ok(null) : fail('store_unavailable', 'The folder is gone.'),
  );
  relaunch(() => {
    throw new Error('no space');
  });
  const refused = async () => {
    const answer = await run.call('app.info', {});
    return answer.ok ? '' : answer.error.message;
  };
  await expect.poll(refused).toContain('The folder is gone.');
});

/** Two studios on one database would both follow its jobs. */
test('nothing is done beside a studio that could not be closed', async () => {
  const { created, relaunch, log } = await start(undefined, async () => {
    throw new Error('the disk is gone');
  });
  let isDone = false;
  relaunch(() => {
    isDone = true;
  });
  await expect.poll(() => log.lines.length).toBeGreaterThan(1);
  expect([isDone, created.length]).toEqual([false, 1]);
});

test('once nothing more is to be sent, no studio is opened that would send', async () => {
  const closed = Promise.withResolvers<void>();
  const { run, created, stopped, relaunch } = await start(undefined, () => closed.promise);
  run.stopSending();
  expect(stopped).toEqual([1]);
  relaunch(() => undefined);
  closed.resolve();
  await settle();
  expect(created).toHaveLength(1);
});

test('nor does one send that was just being opened', async () => {
  const { run, created, stopped, relaunch } = await start((number) => {
    if (number === 2) run.stopSending();
    return ok(null);
  });
  relaunch(() => undefined);
  await expect.poll(() => created.length).toBe(2);
  await expect.poll(() => stopped).toEqual([2]);
});

test('a whole studio on a damaged database takes a backup, and holds its queue', async () => {
  const dataDir = tempDir('reopened');
  const before = openTestStore({ dataDir, clock: systemClock });
  const name = path.basename(await before.backUp('daily'));
  await before.close();
  fs.writeFileSync(databaseFile(dataDir), 'no database any more '.repeat(1_000));
  const run = await openStudioRun({
    createStudio,
    startSandbox: async () => ({
      baseUrl: 'http://127.0.0.1:9',
      imagePrefix: 'image',
      vendor: 'v',
      imageAuthHeaders: [],
      close: async () => undefined,
    }),
    ports: testPorts({ clock: systemClock }),
    options: { dataDir, host: 'browser', version: '0.0.0' },
  });
  onTestFinished(() => run.close());
  const reopened = new Promise<void>((done) => {
    run.subscribe(({ type }) => type === 'studio.reopened' && done());
  });
  const recovery = async () => ((await run.call('app.info', {})) as { data?: AppInfo }).data?.recovery;
  expect((await recovery())?.backups.map((backup) => backup.name)).toEqual([name]);
  expect(await run.call('store.restore', { name })).toEqual(ok(null));
  await reopened;
  expect(await recovery()).toBeUndefined();
  const at = expect.any(Number);
  expect(await run.call('queue.status', {})).toMatchObject({ ok: true, data: { paused: true, restoredFrom: at } });
  const resumed = await run.call('queue.resume', {});
  expect(resumed).toMatchObject({ ok: true, data: { paused: false } });
  expect(resumed).not.toMatchObject({ data: { restoredFrom: at } });
});
