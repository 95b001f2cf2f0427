import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Board, Shot } from '../../../../shared/board.ts';
import type { ModelDependent } from '../../../../shared/modelCalls.ts';
import { fail, ok } from '../../../../shared/result.ts';
import { useStudio } from '../../../app/index.ts';
import { aShot } from '../../../testing/boardPage.tsx';
import { acting, aJob, fakeStudio } from '../../../testing/page.tsx';
import { extend } from './extendOrder.ts';

const shot = (id: string) => aShot(id, { prompt: `Words of ${id}`, config: { durationSeconds: 8 } });
const boardOf = (...ids: string[]): Board => ({ projectId: 'f', revision: 1, shots: ids.map(shot) });
const dependent = { projectId: 'f', shotId: 's1', jobId: 'j1', output: 0 } as ModelDependent;
const order = { dependent, model: 'video-next', shown: undefined, night: false };

beforeEach(() => {
  vi.useFakeTimers();
  useStudio.setState({ link: 'up' });
});
afterEach(() => vi.useRealTimers());

it('an extension whose answer was lost is the same order when the board has its shot', async () => {
  let board = boardOf('s1', 's2');
  let isLost = true;
  const studio = fakeStudio({
    'storyboard.get': () => board,
    'storyboard.makeTake': () => (isLost ? fail('unreachable', 'The studio is away.') : ok({ job: aJob(), board })),
  });
  const lost = extend(order);
  await acting(() => vi.advanceTimersByTimeAsync(20_000));
  expect(await lost).toMatchObject({ code: 'unreachable' });
  const [first] = studio.callsOf('storyboard.makeTake') as { shotId: string }[];
  board = boardOf('s1', first?.shotId ?? '', 's2');
  isLost = false;
  expect(await extend(order)).toBeUndefined();
  expect(studio.callsOf('storyboard.makeTake').at(-1)).toEqual(first);
  expect(new Set(studio.keysOf('storyboard.makeTake')).size).toBe(1);
  expect(first).toMatchObject({ added: { before: 's2' } });
});

it('an extension with other words is another order', async () => {
  let board = boardOf('s1');
  const studio = fakeStudio({
    'storyboard.get': () => board,
    'storyboard.makeTake': () => fail('unreachable', 'The studio is away.'),
  });
  for (const prompt of ['Fog', 'Rain']) {
    board = { ...board, shots: [{ ...shot('s1'), prompt }] };
    const sent = extend({ ...order, model: 'video-other' });
    await acting(() => vi.advanceTimersByTimeAsync(20_000));
    await sent;
  }
  expect(studio.callsOf('storyboard.makeTake').at(-1)).toMatchObject({ added: { shot: { prompt: 'Rain' } } });
  expect(new Set(studio.keysOf('storyboard.makeTake')).size).toBe(2);
});

/** Its price is that of one clip. */
it.each(['sampleCount', 'numberOfVideos'] as const)('an extension of a shot with four %s has one', async (count) => {
  const source = { ...shot('s1'), config: { durationSeconds: 8, [count]: 4 } };
  const studio = fakeStudio({
    'storyboard.get': () => ({ ...boardOf(), shots: [source] }),
    'storyboard.makeTake': () => fail('invalid_input', 'No.'),
  });
  await extend({ ...order, model: `video-${count}` });
  const [asked] = studio.callsOf('storyboard.makeTake') as { added: { shot: Shot } }[];
  expect(asked?.added.shot.config).toEqual({ durationSeconds: 8 });
});
