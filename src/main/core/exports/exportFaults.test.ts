import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { PATIENCE_MS } from '../../../../test/helpers/patience.ts';
import { countingIds, silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import type { Export } from '../../../shared/filmExport.ts';
import { fail, ok } from '../../../shared/result.ts';
import type { Store } from '../store/index.ts';
import { Exports } from './exports.ts';

const { rename } = fs.promises;
afterEach(() => vi.restoreAllMocks());

function rig() {
  const dataDir = tempDir('export-faults');
  const clock = new TestClock();
  const store = openTestStore({ dataDir, clock });
  const deps = { store, clock, ids: countingIds(), log: silentLog, dataDir };
  const exports = new Exports({ ...deps, version: '9.9.9', emit: () => undefined, freeBytes: () => 1e12 });
  return { exports, store, dataDir, clock };
}

const WAIT = { timeout: PATIENCE_MS, interval: 1 };
const text = { kind: 'csv' as const, name: 'A film', bytes: 10 };

async function started(starting: ReturnType<Exports['start']>): Promise<Export> {
  const result = await starting;
  if (!result.ok) throw new Error(result.error.message);
  return result.data;
}

test('a file whose copy may not be written was never opened', async () => {
  const one = rig();
  const source = { path: path.join(one.dataDir, 'clip.mp4'), bytes: 5, sha256: '00', mime: 'video/mp4' };
  fs.writeFileSync(source.path, 'bytes');
  const opened = vi.spyOn(fs, 'createReadStream');
  const run = await started(
    one.exports.start(text, async (sink) => {
      fs.writeFileSync(path.join(sink.folder, 'a.mp4.part'), 'mine');
      await sink.copy('a.mp4', source);
      return ok({});
    }),
  );
  await vi.waitFor(() => expect(one.exports.get(run.id)).toMatchObject({ data: { state: 'failed' } }), WAIT);
  expect(opened).not.toHaveBeenCalled();
});

/** An export that has begun a file and goes on until it is stopped, or until `fault`. */
async function begun({ exports }: ReturnType<typeof rig>, fault?: () => never): Promise<Export> {
  const run = await started(
    exports.start({ ...text, place: tempDir('place') }, async (sink) => {
      await sink.writeText('a.csv', 'text/plain', 'in it');
      fault?.();
      await new Promise((resolve) => sink.signal.addEventListener('abort', resolve));
      return ok({});
    }),
  );
  if (!fault) await vi.waitFor(() => expect(fs.readdirSync(run.folder)).toEqual(['a.csv.part']), WAIT);
  return run;
}

test('what stays half written is told, however the export ended', async () => {
  const one = rig();
  const pulled = await begun(one);
  fs.renameSync(pulled.folder, `${pulled.folder} away`);
  expect(await one.exports.cancel(pulled.id)).toMatchObject({
    data: { state: 'canceled', error: expect.stringContaining('may still be in it') },
  });
  const locked = await begun(one);
  const remove = vi.spyOn(fs.promises, 'rm').mockImplementation(async () => {
    throw Object.assign(new Error('read-only file system'), { code: 'EROFS' });
  });
  expect(await one.exports.cancel(locked.id)).toMatchObject({
    data: { state: 'canceled', error: 'What was half written could not be removed from its folder.' },
  });
  const full = await begun(one, () => {
    throw Object.assign(new Error('x'), { code: 'EROFS' });
  });
  await vi.waitFor(() => expect(one.exports.get(full.id)).toMatchObject({ data: { state: 'failed' } }), WAIT);
  expect(one.exports.get(full.id)).toMatchObject({
    data: {
      error:
        'The folder of the export cannot be written to. What was half written could not be removed from its folder.',
    },
  });
  remove.mockRestore();
  const gone = await begun(one);
  fs.renameSync(gone.folder, `${gone.folder} away`);
  await one.exports.close();
  expect(one.exports.get(gone.id)).toMatchObject({
    data: {
      state: 'failed',
      error: expect.stringMatching(/closed before .* its folder is not there; .* may still be in it/),
    },
  });
});

test('of an empty folder that stays nothing is said', async () => {
  const one = rig();
  const run = await begun(one);
  vi.spyOn(fs.promises, 'rmdir').mockImplementation(async () => {
    throw Object.assign(new Error('resource busy'), { code: 'EBUSY' });
  });
  const canceled = await one.exports.cancel(run.id);
  expect(canceled).toMatchObject({ data: { state: 'canceled' } });
  expect(canceled.ok && canceled.data.error).toBeUndefined();
  expect(fs.readdirSync(run.folder)).toEqual([]);
});

/** From now on the database writes nothing. */
function fillDisk(store: Store): void {
  store.transaction = () => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
}

test('the end of one that the disk had no room for is written once there is', async () => {
  const { exports, store, clock } = rig();
  const { transaction } = store;
  const run = await started(
    exports.start({ ...text, uses: ['ab'] }, async (sink) => {
      await sink.writeText('a.csv', 'text/plain', 'in it');
      fillDisk(store);
      return fail('internal', 'no');
    }),
  );
  await vi.waitFor(() => expect(exports.filesInUse()).toEqual([]), WAIT);
  expect(await exports.cancel(run.id)).toMatchObject({ error: { code: 'disk_full' } });
  await clock.advance(10_000);
  expect(exports.get(run.id)).toMatchObject({ data: { state: 'running' } });
  store.transaction = transaction;
  await clock.advance(2_000);
  expect(exports.get(run.id)).toMatchObject({ data: { state: 'failed', error: 'no' } });
});

test.each(['whole', 'broken off'])(
  'where the end of one that is %s cannot be written, the next start writes it',
  async (how) => {
    const one = rig();
    const reads: string[][] = [];
    const { store } = one;
    const run = await started(
      one.exports.start({ ...text, uses: ['ab'] }, async (sink) => {
        await sink.writeText('a.csv', 'text/plain', 'in it');
        reads.push(one.exports.filesInUse());
        if (how === 'broken off') fillDisk(store);
        return how === 'broken off' ? fail('internal', 'no') : ok({});
      }),
    );
    const transaction = store.transaction.bind(store);
    if (how === 'whole')
      vi.spyOn(fs.promises, 'rename').mockImplementationOnce((...names) => {
        fillDisk(store);
        return rename(...names);
      });
    await vi.waitFor(() => expect(one.exports.filesInUse()).toEqual([]), WAIT);
    expect(reads).toEqual([['ab']]);
    await one.exports.close();
    await one.exports.leave('/old', '/new');
    expect(one.exports.get(run.id)).toMatchObject({ data: { state: 'running' } });
    store.transaction = transaction;
    await one.exports.recover();
    const found = one.exports.get(run.id);
    if (how === 'whole') {
      expect(found).toMatchObject({ data: { state: 'done', files: [{ name: 'a.csv' }] } });
      expect(fs.readdirSync(run.folder)).toEqual(['a.csv']);
    } else {
      expect(found).toMatchObject({ data: { state: 'failed' } });
      expect(fs.existsSync(run.folder)).toBe(false);
    }
  },
);
