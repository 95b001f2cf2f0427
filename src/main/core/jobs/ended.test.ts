import { expect, test } from 'vitest';
import { aVideo, type Rig, refusal } from '../../../../test/helpers/engineRig.ts';
import { rigsOfThisFile } from '../../../../test/helpers/rigsOfThisFile.ts';
import { jobsListSchema } from '../../../shared/lists.ts';

const start = rigsOfThisFile();
const anImage = { kind: 'imagine', prompt: 'a hill' } as const;

/** Bug: the page counted the hundred jobs that it had read, so that a day of more was told as 100. */
test('what has ended since a moment is counted whole, by its outcome and its side', async () => {
  const rig = start();
  rig.script.submit = [refusal({ kind: 'moderation' })];
  const many = await rig.engine.enqueue({ requests: Array.from({ length: 130 }, () => anImage) });
  if (!many.ok) throw new Error(many.error.message);
  for (const { id } of many.data.jobs) await rig.untilEnd(id);
  const ended = rig.engine.ended({ since: 0 });
  expect(ended).toMatchObject({ made: 0, kept: 0, failed: 129, refused: 1 });
  expect(rig.engine.ended({ since: 0, play: true })).toEqual({ made: 0, kept: 0, failed: 0, refused: 0 });
  const last = ended.lastAt ?? 0;
  const times = many.data.jobs.map(({ id }) => rig.job(id).finishedAt ?? 0);
  expect([ended.firstAt, last]).toEqual([Math.min(...times), Math.max(...times)]);
  expect(rig.engine.ended({ since: last + 1 })).toEqual({ made: 0, kept: 0, failed: 0, refused: 0 });
});

const waitsFor = (rig: Rig, id: string, limit = 100) => {
  const { jobs, total } = rig.engine.list(jobsListSchema.parse({ waitsFor: id, limit }));
  return { ids: jobs.map((job) => job.id).sort(), total };
};

/** Bug: the page looked among the jobs that it had read, said that nothing depends on it, and canceled without a question. */
test('what waits for a job is found wherever it stands, through others too, while those can still run', async () => {
  const rig = start();
  rig.engine.setPaused(true);
  const first = await rig.enqueue(aVideo);
  for (let n = 0; n < 150; n++) await rig.enqueue(aVideo);
  const second = await rig.enqueue(aVideo, { dependsOn: [first.id] });
  const third = await rig.enqueue(aVideo, { dependsOn: [second.id] });
  expect(waitsFor(rig, first.id)).toEqual({ ids: [second.id, third.id].sort(), total: 2 });
  expect(waitsFor(rig, first.id, 1).total).toBe(2);
  expect(waitsFor(rig, third.id)).toEqual({ ids: [], total: 0 });
  rig.engine.cancel(third.id);
  expect(waitsFor(rig, first.id)).toEqual({ ids: [second.id], total: 1 });
});
