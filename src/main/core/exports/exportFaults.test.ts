import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import {
  type ExportsHarness,
  exportsIn,
  fileOfLibrary,
  untilStopped,
  writes,
} from '../../../../test/helpers/exportsHarness.ts';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { fail, ok } from '../../../shared/contract/result.ts';
import type { Export } from '../../../shared/film/filmExport.ts';
import type { Store } from '../store/index.ts';

const { rename } = fs.promises;
afterEach(() => vi.restoreAllMocks());
const failing = (code: string) => async () => {
  throw Object.assign(new Error(code), { code });
};

test('a file whose copy may not be written was never opened', async () => {
  const one = exportsIn();
  const source = fileOfLibrary(one.dataDir);
  const opened = vi.spyOn(fs, 'createReadStream');
  const made = await one.made(async (sink) => {
    fs.writeFileSync(path.join(sink.folder, 'a.mp4.part'), 'mine');
    await sink.copy('a.mp4', source);
    return ok({});
  });
  expect(made.state).toBe('failed');
  expect(opened).not.toHaveBeenCalled();
});

/** An export that has started a file and continues until it is stopped, or until `fault`. */
async function begun(one: ExportsHarness, fault: () => Promise<unknown> = async () => undefined): Promise<Export> {
  const reached = Promise.withResolvers<void>();
  const run = await one.start(
    async (sink) => {
      await writes('a.csv')(sink);
      reached.resolve();
      await fault();
      await untilStopped(sink);
      return ok({});
    },
    { destination: tempDir('place') },
  );
  await reached.promise;
  return run;
}
const away = ({ folder }: Export) => fs.renameSync(folder, `${folder} away`);
const NOT_REMOVED = 'The folder may hold half-written files.';

test('what stays half written is told, however the export ended', async () => {
  const one = exportsIn();
  const pulled = await begun(one);
  away(pulled);
  const canceled = { state: 'canceled', error: NOT_REMOVED };
  expect(await one.exports.cancel(pulled.id)).toMatchObject({ data: canceled });
  const locked = await begun(one);
  const remove = vi.spyOn(fs.promises, 'rm').mockImplementation(failing('EROFS'));
  expect(await one.exports.cancel(locked.id)).toMatchObject({ data: { state: 'canceled', error: NOT_REMOVED } });
  const full = await one.ended(await begun(one, failing('EROFS')));
  const error = `The folder of the export cannot be written to. ${NOT_REMOVED}`;
  expect(full).toMatchObject({ state: 'failed', error });
  remove.mockRestore();
  const gone = await begun(one);
  away(gone);
  await one.exports.close();
  const closed = expect.stringMatching(/closed before .* may hold half-written files/);
  expect(one.exports.get(gone.id)).toMatchObject({ data: { state: 'failed', error: closed } });
});

test('of an empty folder that stays nothing is said', async () => {
  const one = exportsIn();
  const run = await begun(one);
  vi.spyOn(fs.promises, 'rmdir').mockImplementation(failing('EBUSY'));
  const canceled = await one.exports.cancel(run.id);
  expect(canceled).toMatchObject({ data: { state: 'canceled' } });
  expect(canceled.ok && canceled.data.error).toBeUndefined();
  expect(fs.readdirSync(run.folder)).toEqual([]);
});

/** From now on the database writes nothing, until the function that it returns is called. */
function fillDisk(store: Store): () => void {
  const { transaction } = store;
  store.transaction = () => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
  return () => {
    store.transaction = transaction;
  };
}

test('the end of one that the disk had no room for is written once there is', async () => {
  const { exports, store, clock, start } = exportsIn();
  let makeRoom = () => {};
  const uses = ['ab'];
  const run = await start(
    async (sink) => {
      await writes('a.csv')(sink);
      makeRoom = fillDisk(store);
      return fail('internal', 'no');
    },
    { uses },
  );
  await expect.poll(() => exports.filesInUse()).toEqual([]);
  expect(await exports.cancel(run.id)).toMatchObject({ error: { code: 'disk_full' } });
  await clock.advance(10_000);
  expect(exports.get(run.id)).toMatchObject({ data: { state: 'running' } });
  makeRoom();
  await clock.advance(2_000);
  expect(exports.get(run.id)).toMatchObject({ data: { state: 'failed', error: 'no' } });
});

test.each(['whole', 'broken off'])(
  'where the end of one that is %s cannot be written, the next start writes it',
  async (how) => {
    const { exports, store, start } = exportsIn();
    const reads: string[][] = [];
    let makeRoom = () => {};
    const uses = ['ab'];
    const run = await start(
      async (sink) => {
        await writes('a.csv')(sink);
        reads.push(exports.filesInUse());
        if (how === 'whole') return ok({});
        makeRoom = fillDisk(store);
        return fail('internal', 'no');
      },
      { uses },
    );
    if (how === 'whole')
      vi.spyOn(fs.promises, 'rename').mockImplementationOnce((...names) => {
        makeRoom = fillDisk(store);
        return rename(...names);
      });
    await expect.poll(() => exports.filesInUse()).toEqual([]);
    expect(reads).toEqual([uses]);
    await exports.close();
    await exports.leave('/old', '/new');
    expect(exports.get(run.id)).toMatchObject({ data: { state: 'running' } });
    makeRoom();
    await exports.recover();
    const data = how === 'whole' ? { state: 'done', files: [{ name: 'a.csv' }] } : { state: 'failed' };
    expect(exports.get(run.id)).toMatchObject({ data });
    if (how === 'whole') expect(fs.readdirSync(run.folder)).toEqual(['a.csv']);
    else expect(fs.existsSync(run.folder)).toBe(false);
  },
);
