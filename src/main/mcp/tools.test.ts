import { expect, test } from 'vitest';
import { fail, ok } from '../../shared/contract/result.ts';
import type { Job, JobState } from '../../shared/jobs/job.ts';
import type { Studio } from './studio.ts';
import { TOOLS } from './tools.ts';

const SHOT = { title: 'Quay', prompt: 'A quay', model: 'm', source: 'text', config: {}, referenceImages: [] };

async function boardAsTold(shot: object, states: Readonly<Record<string, JobState>>) {
  const studio = {
    async call(name: string, { id = '' }: { id?: string }) {
      if (name === 'storyboard.get') return ok({ projectId: 'p', revision: 1, shots: [{ ...SHOT, id: 's', ...shot }] });
      const state = states[id];
      return state ? ok({ id, state, outputs: [] } as unknown as Job) : fail('not_found', 'No such job.');
    },
  } as unknown as Studio;
  const read = TOOLS.find(({ name }) => name === 'read_board');
  const { structuredContent } = (await read?.run({ project: 'p' } as never, { studio, client: '', run: '' })) ?? {};
  return (structuredContent as { shots: object[] }).shots[0];
}

test('a program is told which take plays, also where the chosen one was not made', async () => {
  const shot = { takes: ['a', 'b', 'c', 'd'], activeTake: 'a' };
  const states = { a: 'failed', b: 'succeeded', c: 'succeeded', d: 'running' } as const;
  expect(await boardAsTold(shot, states)).toMatchObject({ playing_job: 'c' });
  expect(await boardAsTold({ ...shot, activeTake: 'd', meanwhile: { take: 'b' } }, states)).toMatchObject({
    playing_job: 'b',
  });
  expect(await boardAsTold({ ...shot, activeTake: 'b' }, states)).toMatchObject({ playing_job: 'b' });
  expect(await boardAsTold({ takes: [] }, states)).not.toHaveProperty('playing_job');
});
