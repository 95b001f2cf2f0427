import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { acceptance, type EngineHarness } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import type { MediaRef } from '../../../shared/mediaRef.ts';
import type { RemoteOutput } from '../gateway/index.ts';

/** An edit names a task, and a task can have several pictures. */

const start = engineHarnesses();
const SIZE = 8;
/** Of this size, all white. */
const MASK = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQAAAADsdIMmAAAADElEQVR4nGP4z4ACAT/QB/lZ0JoNAAAAAElFTkSuQmCC',
  'base64',
);
const ONLY = 'base: must be the only picture of its task, or the sheet of several, since an edit names the task alone.';

const picture = (seed: number, role: RemoteOutput['role'] = 'output'): RemoteOutput => ({
  uri: `data:image/png;base64,${testPng(SIZE, SIZE, seed).toString('base64')}`,
  role,
});
const four = [1, 2, 3, 4].map((seed) => picture(seed));

async function madeOf(harness: EngineHarness, outputs: RemoteOutput[]) {
  harness.script.submit = [acceptance(harness.clock, 'task-1')];
  harness.script.poll = [{ type: 'done', outputs }];
  const { id } = await harness.enqueue({ kind: 'imagine', prompt: 'a hill' });
  return harness.untilEnd(id);
}

async function maskOf(harness: EngineHarness): Promise<MediaRef> {
  const body = Readable.from([MASK]);
  const mask = await harness.library.upload({ name: 'mask.png', body, role: 'mask' });
  if (!mask.ok) throw new Error(mask.error.message);
  return { assetId: mask.data.id };
}

async function refusalOf(harness: EngineHarness, base: MediaRef) {
  const request = { kind: 'edit' as const, base, mask: await maskOf(harness), prompt: 'a boat' };
  const result = await harness.engine.commands.enqueue({ requests: [request] });
  return result.ok ? undefined : result.error.message;
}

test('one of several pictures of a task is not edited, since the service is never told which', async () => {
  const harness = start();
  const job = await madeOf(harness, four);
  for (const { id } of job.outputs) expect(await refusalOf(harness, { assetId: id })).toBe(ONLY);
  expect(await refusalOf(harness, { jobId: job.id })).toBe(ONLY);
  expect(await refusalOf(harness, { jobId: job.id, output: 2 })).toBe(ONLY);
  expect(harness.script.sent).toBe(1);
});

test('the sheet of several and the only picture are edited', async () => {
  const harness = start();
  const several = await madeOf(harness, [...four, picture(5, 'grid')]);
  const [sheet] = several.outputs.filter(({ role }) => role === 'grid');
  expect(await refusalOf(harness, { assetId: sheet?.id ?? '' })).toBeUndefined();
  expect(await refusalOf(harness, { jobId: several.id })).toBe(ONLY);
  const one = await madeOf(harness, [picture(6)]);
  expect(await refusalOf(harness, { jobId: one.id })).toBeUndefined();
});

/** How many pictures a task makes is not known before it has ended. */
test('an edit that waits for a task which then has several pictures is not sent', async () => {
  const harness = start();
  harness.script.submit = [acceptance(harness.clock, 'task-1'), acceptance(harness.clock, 'task-2')];
  const base = await harness.enqueue({ kind: 'imagine', prompt: 'a hill' });
  const edit = await harness.enqueue({ kind: 'edit', base: { jobId: base.id }, mask: await maskOf(harness) });
  harness.script.poll = [{ type: 'done', outputs: four }];
  const ended = await harness.untilEnd(edit.id);
  expect(ended).toMatchObject({
    state: 'failed',
    error: { message: ONLY },
    money: { chargedNano: 0, uncertainNano: 0 },
  });
  expect(harness.script.sent).toBe(1);
});
