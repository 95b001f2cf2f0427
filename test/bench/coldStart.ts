import { performance } from 'node:perf_hooks';
import type { Gateway } from '../../src/main/core/gateway/index.ts';
import { launchBrowser, openAt } from '../helpers/browser.ts';
import { startEngine } from '../helpers/engineHarness.ts';
import { startHost } from '../helpers/host.ts';
import { tempDir } from '../helpers/testPorts.ts';
import { type Figure, quantile, realClock } from './figures.ts';

/** Time from `npm start` to the first painted page, with 10,000 finished jobs in the database. */

const JOBS = 10_000;
const ROUNDS = 5;

export async function benchColdStart(): Promise<Figure[]> {
  const dataDir = tempDir('cold');
  await fill(dataDir);
  const browser = await launchBrowser();
  const ready: number[] = [];
  const painted: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await browser.newPage();
    const start = performance.now();
    const host = await startHost({ dataDir });
    ready.push(performance.now() - start);
    await host.ask('settings.set', { welcomed: true });
    const asked = performance.now();
    await openAt(page, host, '#/queue');
    await page.getByText('A quay at night, take').first().waitFor();
    painted.push((ready.at(-1) ?? 0) + performance.now() - asked);
    await page.close();
    await host.kill('SIGTERM');
  }
  await browser.close();
  return [
    {
      name: `start → ready, ${JOBS.toLocaleString('en-US')} jobs in the database (median of ${ROUNDS})`,
      value: quantile(ready, 0.5),
      unit: 'ms',
    },
    { name: 'start → the queue painted with its rows (median)', value: quantile(painted, 0.5), unit: 'ms' },
  ];
}

async function fill(dataDir: string): Promise<void> {
  const gateway: Partial<Gateway> = {
    chat: async () => ({ type: 'answered', complete: true, result: { text: 'ok', finishReason: 'stop' } }),
  };
  const harness = startEngine({
    time: realClock,
    dataDir,
    script: { gateway },
    profile: { limits: { chatsAtOnce: 64 } },
  });
  const ended = new Promise<void>((resolve) => {
    let count = 0;
    harness.onEvent((event) => {
      if (event.type === 'job.changed' && event.job.state === 'succeeded' && ++count === JOBS) resolve();
    });
  });
  for (let n = 0; n < JOBS; n += 1_000) {
    const requests = Array.from({ length: 1_000 }, (_, k) => ({
      kind: 'chat' as const,
      model: 'language',
      messages: [{ role: 'user' as const, content: `A quay at night, take ${n + k}` }],
    }));
    await harness.engine.commands.enqueue({ requests });
  }
  await ended;
  await harness.close();
}
