import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { acceptance } from '../../../../test/helpers/engineHarness.ts';
import { jobsOfThisFile, type OneJob } from '../../../../test/helpers/engineHarnesses.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import type { MediaRef } from '../../../shared/library/mediaRef.ts';
import type { RemoteOutput } from '../gateway/index.ts';

/** An edit names a task, and a task can have several pictures. */

const aJob = jobsOfThisFile();
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

async function madeOf(outputs: RemoteOutput[]) {
  const request = { kind: 'imagine', prompt: 'a hill' } as const;
  const one = await aJob({ request, state: 'running', poll: [{ type: 'done', outputs }] });
  return { ...one, ended: await one.ends() };
}

async function maskOf({ library }: OneJob): Promise<MediaRef> {
  const mask = await library.upload({ name: 'mask.png', body: Readable.from([MASK]), role: 'mask' });
  if (!mask.ok) throw new Error(mask.error.message);
  return { assetId: mask.data.id };
}

async function refusalOf(one: OneJob, base: MediaRef) {
  const request = { kind: 'edit' as const, base, mask: await maskOf(one), prompt: 'a boat' };
  const result = await one.commands.enqueue({ requests: [request] });
  return result.ok ? undefined : result.error.message;
}

test('one of several pictures of a task is not edited, since the service is never told which', async () => {
  const one = await madeOf(four);
  const bases = [
    ...one.ended.outputs.map(({ id }) => ({ assetId: id })),
    { jobId: one.id },
    { jobId: one.id, output: 2 },
  ];
  for (const base of bases) expect(await refusalOf(one, base)).toBe(ONLY);
  expect(one.script.sent).toBe(1);
});

test('the sheet of several and the only picture are edited', async () => {
  const several = await madeOf([...four, picture(5, 'grid')]);
  const sheet = several.ended.outputs.find(({ role }) => role === 'grid');
  expect(await refusalOf(several, { assetId: sheet?.id ?? '' })).toBeUndefined();
  expect(await refusalOf(several, { jobId: several.id })).toBe(ONLY);
  const one = await madeOf([picture(6)]);
  expect(await refusalOf(one, { jobId: one.id })).toBeUndefined();
});

/** How many pictures a task makes is not known before it has ended. */
test('an edit that waits for a task which then has several pictures is not sent', async () => {
  const one = await aJob({ request: { kind: 'imagine', prompt: 'a hill' }, state: 'running' });
  one.script.submit = [acceptance(one.clock, 'task-2')];
  const edit = await one.enqueue({ kind: 'edit', base: { jobId: one.id }, mask: await maskOf(one) });
  one.script.poll = [{ type: 'done', outputs: four }];
  const money = { chargedNano: 0, uncertainNano: 0 };
  expect(await one.untilEnd(edit.id)).toMatchObject({ state: 'failed', error: { message: ONLY }, money });
  expect(one.script.sent).toBe(1);
});
