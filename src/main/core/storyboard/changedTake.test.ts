import { expect, test } from 'vitest';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import type { Board, Shot } from '../../../shared/board/board.ts';
import { quantityOfClips, type VideoRequest } from '../../../shared/kinds/video.ts';

/** A take that is made with a change of the board: both are written, or neither. */

const openStudio = studiosOfThisFile();

async function film() {
  const { ask, studio } = await openStudio();
  await ask('queue.pause');
  const { id: projectId } = await ask('projects.create', { name: 'Film' });
  const shot = (id: string, more: Partial<Shot> = {}) => ({
    id,
    prompt: `Shot ${id}`,
    model: 'video-standard',
    config: { durationSeconds: 4 },
    ...more,
  });
  const shots = [shot('s1'), shot('s2', { joint: 'continue', source: 'first' })];
  await ask('storyboard.save', { projectId, revision: 0, shots: shots as Board['shots'] });
  const { job } = await ask('storyboard.makeTake', { projectId, shotId: 's1' });
  const get = () => ask('storyboard.get', { projectId });
  const make = (shotId: string, more: object) => studio.call('storyboard.makeTake', { projectId, shotId, ...more });
  const jobs = async () => (await ask('jobs.list', {})).total;
  const undo = () => ask('board.undo', { projectId });
  return { ask, get, make, jobs, undo, first: job.id };
}

const extension = (jobId: string) => ({
  start: { joint: 'extend', source: 'extend', model: 'video-standard', video: { jobId } },
});
const transition = (jobId: string, before = 's2') => ({
  added: {
    shot: {
      prompt: 'Between',
      model: 'video-standard',
      source: 'firstLast',
      config: { durationSeconds: 6 },
      image: { jobId, frame: 'last' },
      lastFrame: { jobId, frame: 'last' },
    },
    before,
  },
});

test.each([
  ['another start', 's2', extension],
  ['a shot that is added', 'new', transition],
] as const)('%s is not kept where the price is another one by now', async (_, shotId, changeFor) => {
  const { get, make, jobs, first, undo } = await film();
  const before = await get();
  const refused = await make(shotId, { ...changeFor(first), shown: { estimateNano: 1, lowNano: 1 } });
  expect(refused).toMatchObject({ ok: false, error: { code: 'conflict', data: { field: 'shown' } } });
  expect([await get(), await jobs()]).toEqual([before, 1]);
  expect((await undo()).undone).not.toContain('joint');
});

test('a start that cannot be sent is refused and changes nothing', async () => {
  const { get, make, jobs, first } = await film();
  const before = await get();
  const other = await make('s2', { start: { ...extension(first).start, model: 'video-preview' } });
  expect(other).toMatchObject({ ok: false, error: { message: expect.stringContaining('only the same model') } });
  expect(await make('gone', extension(first))).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(await make('s1', transition(first))).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  expect(await make('new', transition(first, 'gone'))).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect([await get(), await jobs()]).toEqual([before, 1]);
});

test('the take is made from the new start, the shot keeps what it had, and the change is one step of undo', async () => {
  const { ask, get, make, first, undo } = await film();
  const quantity = { seconds: 7, videos: 1 };
  const { estimateNano, lowNano } = await ask('ledger.estimate', {
    quantities: [{ kind: 'video', model: 'video-standard', quantity }],
  });
  const made = await make('s2', { ...extension(first), shown: { estimateNano, lowNano } });
  expect(made).toMatchObject({ ok: true, data: { job: { request: { video: { jobId: first } }, dependsOn: [first] } } });
  const { job } = (made as { data: { job: { id: string; request: VideoRequest; money: object } } }).data;
  expect(quantityOfClips(job.request)).toEqual(quantity);
  expect(job.money).toMatchObject({ reservedNano: estimateNano });
  expect((await get()).shots[1]).toMatchObject({
    joint: 'extend',
    source: 'extend',
    prompt: 'Shot s2',
    takes: [job.id],
  });
  expect((await undo()).undone).toBe('Edit shot 2');
  expect((await get()).shots[1]).toMatchObject({ joint: 'continue', source: 'first', takes: [job.id] });
});

test('a shot is added with its take, and a repeated call adds neither again', async () => {
  const { get, make, jobs, first } = await film();
  const input = { ...transition(first), requestKey: 'one press of a way' };
  const made = await make('new', input);
  expect(await make('new', input)).toMatchObject({
    ok: true,
    data: { job: { id: (made as { data: { job: { id: string } } }).data.job.id } },
  });
  const { shots } = await get();
  expect(shots.map(({ id, takes }) => [id, takes.length])).toEqual([
    ['s1', 1],
    ['new', 1],
    ['s2', 0],
  ]);
  expect(await jobs()).toBe(2);
});
