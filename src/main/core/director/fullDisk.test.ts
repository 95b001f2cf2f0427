import { afterEach, expect, test, vi } from 'vitest';
import { directorOfThisFile } from '../../../../test/helpers/directorStudio.ts';
import { fullAfter } from '../../../../test/helpers/fullDisk.ts';

const start = directorOfThisFile();
afterEach(() => vi.restoreAllMocks());

test('drafts are shown on a full disk as they are now, and none is approved at a price that could not be kept', async () => {
  const shots = [{ title: 'The rail', prompt: 'A rail, salt drying', config: { durationSeconds: 4 } }];
  const { say, drafts, hold, ask, call, madeJobs } = await start([[{ name: 'draft_shots', arguments: { shots } }]]);
  await say('A shot, please');
  await hold();
  const [before] = await drafts();
  const readings = [{ unit: 'second' as const, nano: 9e8 }];
  await ask('prices.set', {
    price: { kind: 'video', model: 'video-standard', readings, settledReading: 0, source: 'set by you' },
  });
  fullAfter(0);
  const [full] = await drafts();
  expect([before?.estimateNano === full?.estimateNano, full?.estimateNano]).toEqual([false, 4 * 9e8]);
  const shown = { estimateNano: 4 * 9e8, lowNano: 4 * 9e8, unpriced: 0 };
  expect(await call('director.approve', { ids: [full?.id ?? ''], shown })).toMatchObject({ ok: false });
  vi.restoreAllMocks();
  expect(await madeJobs()).toEqual([]);
});
