import path from 'node:path';
import { expect } from 'vitest';
import type { Drive } from './drive.ts';

/** Bills, evidence, model facts, and a bundle that is exported and opened. */
export async function billsAndBundles({ does, ask }: Drive, isOver: (id: string) => Promise<string>): Promise<void> {
  await does('models.read', {});
  await does('models.set', { model: 'video-standard', facts: { sound: true } });
  const { jobs } = await ask('jobs.list', { limit: 1, states: ['succeeded'] });
  const [job] = jobs;
  if (!job) throw new Error('nothing was made');
  const at = new Date(job.createdAt).toISOString();
  const text = `started_at,operation,model,amount_usd\n${at},${job.remoteId},m,9.5\n${at},nobody,other,0.25`;
  const read = await does('statement.read', { text });
  const [line = ''] = [...read.differs, ...read.onlyBill].map(({ id }) => id);
  await does('statement.settle', { id: read.id, lines: [line], as: 'adopt' });
  await does('statement.undo', { id: read.id, lines: [line] });
  await does('statement.match', { id: read.id, line: read.onlyBill.at(-1)?.id ?? '', jobId: null });
  expect(await isOver((await does('evidence.dispute', { jobIds: [job.id] })).id)).toBe('done');
  expect(await isOver((await does('ledger.export', { format: 'csv' })).id)).toBe('done');
  const { id: projectId } = await does('projects.openSample', {});
  const bundle = await does('bundle.export', { projectId });
  expect(await isOver(bundle.id)).toBe('done');
  const { folder, files } = await ask('exports.get', { id: bundle.id });
  await does('bundle.open', { path: path.join(folder, files[0]?.name ?? '') });
  await does('library.verify', {});
}
