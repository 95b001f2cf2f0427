import { expect, onTestFinished, test } from 'vitest';
import { sandboxProfile } from '../../src/main/core/createStudio.ts';
import { deleteFlag } from '../../src/main/core/store/index.ts';
import { startSandbox } from '../../src/main/sandbox/index.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import { DEFAULT_PRICES, type Price, SANDBOX_IMAGE_NANO } from '../../src/shared/money/price.ts';
import { openTestStore } from '../helpers/emptyDatabase.ts';
import { memorySettings, TestClock, tempDir } from '../helpers/testPorts.ts';
import { unreachableSandbox } from '../helpers/testStudio.ts';
import { studiosOfThisFile } from '../helpers/testStudios.ts';

/** The built-in sandbox states what it bills, so a price in test money is one exact figure, which is charged. */

const openStudio = studiosOfThisFile();
const aClip = (model = 'video-standard'): StudioRequest => ({
  kind: 'video',
  model,
  prompt: 'a harbour',
  config: { durationSeconds: 4 },
});
const aPicture: StudioRequest = { kind: 'imagine', prompt: 'a lamp' };
const SECONDS = 4 * 400_000_000;

async function withSandbox() {
  const sandbox = await startSandbox({
    ...{ speed: 'fast', media: 'tiny', requireKey: false, statesPrices: true, imageNano: SANDBOX_IMAGE_NANO },
  });
  onTestFinished(() => sandbox.close());
  const clock = new TestClock();
  const studio = await openStudio({ sandbox: sandboxProfile(sandbox), ports: { clock } });
  return { sandbox, studio, clock };
}

test('the sandbox’s model list states the prices of its profile, all with their unit', async () => {
  const { studio } = await withSandbox();
  const { changes, refused } = await studio.ask('prices.preview', {});
  expect(changes.map(({ listed, change }) => [listed, change])).toEqual(
    expect.arrayContaining(['language', 'video-standard', 'video-pro'].map((model) => [model, 'same'])),
  );
  expect([changes.filter(({ change }) => change !== 'same'), refused]).toEqual([[], []]);
  const { prices } = await studio.ask('prices.list', {});
  expect(prices.filter(({ readings, settledReading }) => readings.length > 1 || settledReading !== 0)).toEqual([]);
});

test('the shown price equals charge and bill, for clips and pictures', async () => {
  const { sandbox, studio, clock } = await withSandbox();
  const requests = [aClip(), aClip('video-pro'), aPicture];
  const { estimateNano, lowNano } = await studio.ask('ledger.estimate', { requests });
  expect([lowNano, estimateNano]).toEqual([estimateNano, 6 * SECONDS + SANDBOX_IMAGE_NANO]);
  await studio.enqueue(...requests);
  const made = async () => {
    await clock.advance(1_000);
    return (await studio.ask('jobs.list', { states: ['succeeded'] })).total;
  };
  await expect.poll(made, { timeout: 20_000 }).toBe(3);
  const { sum } = await studio.ask('ledger.totals', { groupBy: 'kind' });
  expect(sum).toMatchObject({ settledNano: estimateNano, settledLowNano: estimateNano, uncertainNano: 0 });
  expect(sandbox.bill().totalNano).toBe(estimateNano);
});

/** A data folder from before the sandbox stated its price units, with a queued clip and this price in its settings. */
async function folderOfBefore(price: Price) {
  const dataDir = tempDir('before');
  const ports = { settings: memorySettings() };
  const studio = await openStudio({ dataDir, ports, sandbox: { ...unreachableSandbox, prices: [] } });
  await studio.ask('prices.set', { price });
  await studio.ask('queue.pause');
  await studio.enqueue(aClip());
  await studio.close();
  const store = openTestStore({ dataDir, clock: new TestClock() });
  store.transaction((db) => deleteFlag(db, 'sandboxStatesPrices'));
  store.close();
  return openStudio({ dataDir, ports });
}

const standard = DEFAULT_PRICES.find(({ model }) => model === 'video-standard') as Price;

test.each([
  ['an open price', standard, SECONDS],
  ['a price of the user', { ...standard, settledReading: 1 }, 400_000_000],
])('a folder with %s shows one figure once it is opened', async (_name, price, nano) => {
  const { ask } = await folderOfBefore(price);
  expect(await ask('ledger.estimate', { requests: [aClip()] })).toMatchObject({ estimateNano: nano, lowNano: nano });
  const [job] = (await ask('jobs.list', {})).jobs;
  expect(job?.money).toMatchObject({ estimateNano: nano, estimateLowNano: nano, reservedNano: nano });
});
