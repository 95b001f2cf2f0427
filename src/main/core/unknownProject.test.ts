import { expect, test } from 'vitest';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import { type CallInput, type CallName, contract } from '../../shared/contract/contract.ts';

const openStudio = studiosOfThisFile();
const projectId = 'none';
const shot = { prompt: 'A quay', model: 'video-standard' };
const requests = [{ kind: 'imagine' as const, prompt: 'A quay' }];

/** Each command that names a project, with one that is not there. */
const CALLS: { [Name in CallName]?: CallInput<Name> } = {
  'jobs.enqueue': { requests, projectId },
  'batch.enqueue': { readId: '', projectId },
  'director.draft': { projectId, client: 'A program', tool: 'read_board', arguments: {} },
  'quotes.create': { request: { kind: 'imagine', prompt: 'A quay' }, client: 'A program', projectId },
  'chat.create': { projectId },
  'chat.import': { json: '', projectId },
  'budgets.set': { scope: 'project', projectId, hardNano: 1 },
  'storyboard.save': { projectId, revision: 0, shots: [] },
  'storyboard.makeTake': { projectId, shotId: 'a' },
  'storyboard.makeTakes': { projectId, shotIds: ['a'] },
  'storyboard.promoteTake': { projectId, shotId: 'a', jobId: 'b', resolution: '1080p' },
  'board.undo': { projectId },
  'board.redo': { projectId },
  'board.restore': { projectId, shotId: 'a' },
  'film.addShots': { projectId, shots: [shot] },
  'film.export': { projectId, format: 'otio' },
  'bundle.export': { projectId },
  'triage.setLimits': { projectId, limits: {} },
};

/** The setting may be of a project that is gone; a backup has projects that are not here any more. */
const OTHERS: readonly string[] = ['settings.set', 'backups.copyProject'];
const isNamingProject = ([name, { kind, input }]: [string, (typeof contract)[CallName]]): boolean =>
  kind === 'command' && !OTHERS.includes(name) && 'shape' in input && 'projectId' in input.shape;

test('each command that names a project is played here', () => {
  const named = Object.entries(contract).filter(isNamingProject);
  expect(Object.keys(CALLS).sort()).toEqual(named.map(([name]) => name).sort());
});

test.each(Object.entries(CALLS))('%s refuses a project that is not there, and writes nothing', async (name, input) => {
  const { studio, ask } = await openStudio();
  await ask('queue.pause');
  const { readId } = await ask('batch.read', { text: 'A quay', format: 'lines', defaults: { kind: 'imagine' } });
  const answer = await studio.call(name, 'readId' in input ? { ...input, readId } : input);
  expect(answer).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(answer.ok ? '' : answer.error.message).toMatch(
    /^(There is no such (project|shot)|(projectId|jobId): there is no such )/,
  );
  expect((await ask('jobs.list', {})).total).toBe(0);
  expect((await ask('chat.list', {})).conversations).toEqual([]);
  expect((await ask('budgets.list', {})).budgets).toEqual([]);
});

test('a removed project takes nothing new, and keeps the budget that may still be changed', async () => {
  const { studio, ask } = await openStudio();
  await ask('queue.pause');
  const { id } = await ask('projects.create', { name: 'Film' });
  const keyed = { requests, projectId: id, requestKey: 'before it was removed' };
  const { jobs } = await ask('jobs.enqueue', keyed);
  await ask('budgets.set', { scope: 'project', projectId: id, hardNano: 1_000_000_000 });
  await ask('projects.remove', { id });
  expect(await studio.call('jobs.enqueue', { requests, projectId: id })).toMatchObject({
    error: { message: 'projectId: there is no such project. Nothing was queued.', data: { field: 'projectId' } },
  });
  await ask('budgets.set', { scope: 'project', projectId: id, hardNano: null });
  // What it was asked for before is answered as it was.
  expect((await ask('jobs.enqueue', keyed)).jobs.map((job) => job.id)).toEqual(jobs.map((job) => job.id));
  expect(await studio.call('jobs.cancel', { id: jobs[0]?.id ?? '' })).toMatchObject({ ok: true });
  expect(await studio.call('jobs.retry', { id: jobs[0]?.id ?? '' })).toMatchObject({ ok: true });
});
