import { afterEach, expect, test, vi } from 'vitest';
import { directorOfThisFile } from '../../../../test/helpers/directorStudio.ts';
import { fullAfter } from '../../../../test/helpers/fullDisk.ts';
import { aPrice } from '../../../../test/helpers/prices.ts';

const start = directorOfThisFile();
afterEach(() => vi.restoreAllMocks());

test('drafts are shown on a full disk as they are now, and none is approved at a price that could not be kept', async () => {
  const shots = [{ title: 'The rail', prompt: 'A rail, salt drying', config: { durationSeconds: 4 } }];
  const { say, drafts, hold, ask, call, madeJobs } = await start([[{ name: 'draft_shots', arguments: { shots } }]]);
  await say('A shot, please');
  await hold();
  const [before] = await drafts();
  await ask('prices.set', { price: aPrice('second', 0.9) });
  fullAfter(0);
  const [full] = await drafts();
  expect([before?.estimateNano === full?.estimateNano, full?.estimateNano]).toEqual([false, 4 * 9e8]);
  const shown = { estimateNano: 4 * 9e8, lowNano: 4 * 9e8, unpriced: 0 };
  expect(await call('director.approve', { ids: [full?.id ?? ''], shown })).toMatchObject({ ok: false });
  vi.restoreAllMocks();
  expect(await madeJobs()).toEqual([]);
});
