import { afterAll, beforeAll, expect, test } from 'vitest';
import { labels } from '../labels.ts';
import { Program } from './program.ts';

/** A lost answer is asked for again by keys alone, and is paid for once. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
  await program.host.ask('settings.set', { welcomed: true });
});
afterAll(() => program?.stop());

test('where it is documented, its key and the chord that spends ask again under the same key: one take, one entry of the bill', async () => {
  const { host, page } = program;
  const { profiles } = await host.ask('profiles.list', {});
  const { baseUrl = '', id = '' } = profiles.find(({ builtin }) => builtin) ?? {};
  const rule = { match: { endpoint: 'video', times: 1 }, action: { kind: 'drop', when: 'after' } };
  await fetch(`${baseUrl}/__sandbox/faults`, { method: 'PUT', body: JSON.stringify([rule]) });
  const idempotency = {
    kind: 'documented',
    source: 'https://gateway.example/docs/idempotency',
    windowHours: 24,
  } as const;
  await host.ask('profiles.save', { id, idempotency });
  const request = {
    kind: 'video',
    model: 'video-standard',
    prompt: 'A mislaid quay',
    config: { durationSeconds: 4 },
  } as const;
  const { jobs } = await host.ask('jobs.enqueue', { requests: [request] });
  await program.goTo(labels.queue);
  const doubt = page.getByRole('article', { name: /^In doubt: A mislaid quay/ });
  await doubt.waitFor();
  await doubt.getByText('Cannot cost twice, says gateway.example/docs/idempotency.').waitFor();
  await page.keyboard.press('a');
  await page.keyboard.press('Control+Enter');
  await doubt.waitFor({ state: 'detached' });
  const of = async () => host.ask('jobs.get', { id: jobs[0]?.id ?? '' });
  await expect.poll(async () => (await of()).state).toBe('succeeded');
  const { entries, totalNano } = await program.bill();
  expect(entries).toHaveLength(1);
  expect((await of()).money).toMatchObject({ chargedNano: totalNano, reservedNano: 0, uncertainNano: 0 });
  expect(program.complaints).toEqual([]);
});
