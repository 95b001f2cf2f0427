import { expect, test } from 'vitest';
import { memoryKeys, TestClock } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import type { Board } from '../../shared/board/board.ts';
import type { StudioEvent } from '../../shared/contract/events.ts';
import type { Result } from '../../shared/contract/result.ts';

/** Jobs of documents (takes, chains, chat answers) are checked and warned about like any other. */

const openStudio = studiosOfThisFile();
const KEY = 'sk-0123456789abcdef';

async function open() {
  const clock = new TestClock();
  const ports = { clock, freeBytes: () => 1e12, keys: memoryKeys({ real: KEY }) };
  const { ask, studio, events } = await openStudio({ ports });
  await ask('profiles.save', { id: 'real', name: 'Real', baseUrl: 'http://127.0.0.1:9' });
  await ask('queue.pause');
  const { id: projectId } = await ask('projects.create', { name: 'Film' });
  const shot = { prompt: 'Waves', model: 'video-standard', config: { durationSeconds: 4 } };
  const shots = [
    { ...shot, id: 's1' },
    { ...shot, id: 's2', joint: 'continue', source: 'first' },
  ];
  await ask('storyboard.save', { projectId, revision: 0, shots: shots as Board['shots'] });
  const { conversationId } = await ask('chat.create', {});
  const calls = {
    take: ['storyboard.makeTake', { projectId, shotId: 's1' }],
    chain: ['storyboard.makeTakes', { projectId, shotIds: ['s1', 's2'] }],
    answer: ['chat.send', { conversationId, text: 'Hello' }],
  } as const;
  const make = (name: keyof typeof calls): Promise<Result<unknown>> => {
    const [call, input] = calls[name];
    return studio.call(call, input);
  };
  const written = async () => [
    (await ask('jobs.list', { play: true })).total,
    (await ask('jobs.list', { play: false })).total,
    await ask('storyboard.get', { projectId }),
  ];
  const warnings = async (): Promise<string[]> => {
    await clock.advance(1_000);
    return warningsIn(events);
  };
  return { ask, make, written, warnings, projectId };
}

test.each(['take', 'chain', 'answer'] as const)(
  'a profile that is chosen while the request of the %s is examined refuses it: nothing is written',
  async (name) => {
    const { ask, make, written } = await open();
    const before = await written();
    const pending = make(name);
    await ask('profiles.activate', { id: 'real' });
    expect(await pending).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('another gateway was chosen') },
    });
    expect(await written()).toEqual(before);
    await ask('profiles.activate', { id: 'sandbox' });
    expect(await make(name)).toMatchObject({ ok: true });
  },
);

const warningsIn = (events: readonly StudioEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'notice' && event.text.includes('only warns') ? [event.text] : []));

test.each(['take', 'chain', 'answer'] as const)(
  'the request of the %s warns once of the soft cap that it exceeds',
  async (name) => {
    const { ask, make, warnings } = await open();
    await ask('budgets.set', { scope: 'day', softNano: 1 });
    expect(await make(name)).toMatchObject({ ok: true });
    expect(await warnings()).toEqual([expect.stringContaining('Over budget (Day, ')]);
    expect(await make(name)).toMatchObject({ ok: true });
    expect(await warnings()).toHaveLength(1);
  },
);

test('a job that is tried again warns of the soft caps of its own profile and project', async () => {
  const { ask, make, warnings, projectId } = await open();
  await make('take');
  const { jobs } = await ask('jobs.list', {});
  const id = jobs[0]?.id ?? '';
  await ask('jobs.cancel', { id });
  await ask('budgets.set', { scope: 'project', projectId, softNano: 1 });
  await ask('profiles.activate', { id: 'real' });
  await ask('jobs.retry', { id });
  expect(await warnings()).toEqual([expect.stringContaining('(Project, ')]);
});
