import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Job } from '../../../shared/job.ts';
import { ok } from '../../../shared/result.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { aShot, aTake, freshBoard, openBoard } from '../../testing/boardPage.tsx';
import { acting, aJob, byText, click, fakeStudio, press, show, until } from '../../testing/page.tsx';
import { TakeActions } from './TakeActions.tsx';
import { TakeWords } from './Takes.tsx';
import { useBoardView } from './useBoard.ts';

const takes = (...ids: string[]) => aShot('a', { takes: ids, activeTake: ids.at(-1) ?? '' });
const look = (jobId: string) => acting(() => useBoardView.setState({ takes: { a: jobId } }));
const canMake = (take: number) =>
  until(() => expect(byText(labels.makeTake(take)).getAttribute('aria-disabled')).not.toBe('true'));

beforeEach(() => freshBoard({ tab: 'shot' }, aProfile()));

it('Enter lets the take that is looked at play; Ctrl Enter makes another one and leaves the one that plays', async () => {
  const { studio } = await openBoard({ shots: [takes('t1', 't2')] }, { jobs: [aTake('t1'), aTake('t2')] });
  await until(() => expect(document.querySelectorAll('.take')).toHaveLength(2));
  await canMake(3);
  const list = document.querySelector('.takeList') as HTMLElement;
  await acting(() => list.focus());
  await press('ArrowDown', {}, list);
  expect(useBoardView.getState().takes).toEqual({ a: 't1' });
  await press('Enter', { ctrlKey: true }, list);
  await until(() => expect(studio.callsOf('storyboard.makeTake')).toHaveLength(1));
  expect(studio.callsOf('storyboard.save')).toEqual([]);
  await look('t1');
  await press('Enter', {}, list);
  await until(() => expect(studio.callsOf('storyboard.save')).toMatchObject([{ shots: [{ activeTake: 't1' }] }]));
});

it('each take tells the seed that it was sent with, if it was', async () => {
  const sent = (id: string, seed?: number, omitted?: Job['omitted']) => {
    const config = { durationSeconds: 4, ...(seed === undefined ? {} : { seed }) } as const;
    const request = { kind: 'video', model: 'video-standard', prompt: 'A pier', config } as const;
    return aTake(id, { request, ...(omitted ? { omitted } : {}) });
  };
  const jobs = [sent('sent', 4_294_967_295), sent('unsent', 70_001, ['seed']), sent('none')];
  await openBoard({ shots: [takes('sent', 'unsent', 'none')] }, { jobs });
  const row = (id: string) => document.getElementById(`take-${id}`)?.textContent;
  await until(() => expect(row('sent')).toContain('seed 4294967295'));
  expect(row('unsent')).toContain('seed not sent');
  expect(row('unsent')).not.toContain('70001');
  expect(row('none')).toContain('no seed');
});

it('a take says what differs from what was requested, and else when it was made', async () => {
  fakeStudio({});
  const made = aJob({ state: 'succeeded', finishedAt: new Date(2026, 10, 21, 6).getTime() });
  const differs = [
    { what: 'seconds' as const, ordered: '4 s', made: '8 s' },
    { what: 'audio' as const, ordered: 'with sound', made: 'without sound' },
  ];
  const said = async (job: typeof made) => (await show(<TakeWords job={job} />)).textContent;
  expect(await said({ ...made, differs })).toBe('4 s requested, 8 s made; with sound requested, without sound made.');
  expect(await said(made)).toMatch(/21 Nov/);
});

it('a take whose price rose is confirmed at its shot, at the price that is shown', async () => {
  const money = { ...aJob().money, estimateNano: 4_113e9, estimateLowNano: 4_113e9, confirmedNano: 4_110_000_000 };
  const studio = fakeStudio({ 'jobs.confirmPrice': ({ ids }) => ({ jobs: ids.map((id) => aJob({ id })) }) });
  await show(<TakeActions job={aJob({ id: 'r', state: 'blocked', reason: 'priceRose', money })} />);
  await click(byText(labels.confirmPrice, 'button'));
  expect(byText(labels.confirmedBefore, '.row').textContent).toContain('$4.11');
  await click(byText('Confirm 1 job', '[role="dialog"] button'));
  const shown = { estimateNano: 4_113e9, lowNano: 4_113e9, unpriced: 0 };
  await until(() => expect(studio.callsOf('jobs.confirmPrice')).toEqual([{ ids: ['r'], shown }]));
});

const failed = (id: string) => aJob({ id, state: 'failed', finishedAt: 1 });

it('a take that is answered late is shown with its shot, and takes nobody there', async () => {
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  const { saved } = await openBoard(
    { shots: [takes('t1'), aShot('b')] },
    {
      jobs: [failed('t1')],
      'storyboard.makeTake': async () => {
        await promise;
        return ok({
          job: aJob({ id: 't2' }),
          board: { ...saved(), revision: 2, shots: [takes('t1', 't2'), aShot('b')] },
        });
      },
    },
  );
  await canMake(2);
  await click(byText(labels.makeTake(2)));
  await acting(() => useBoardView.setState({ shotId: 'b' }));
  await acting(() => document.querySelector<HTMLElement>('textarea.prompt')?.focus());
  await acting(answer);
  await until(() => expect(useBoardView.getState().takes).toEqual({ a: 't2' }));
  expect(useBoardView.getState().shotId).toBe('b');
  expect(document.activeElement?.getAttribute('aria-label')).toBe(labels.promptOfShot(2));
});

it('what was offered for a take is not offered for another one', async () => {
  await openBoard({ shots: [takes('t1', 't2')] }, { jobs: [failed('t1'), failed('t2')] });
  await until(() => byText(labels.tryAgain));
  await click(byText(labels.tryAgain));
  await until(() => expect(document.querySelector('.dlg')).not.toBeNull());
  await look('t1');
  await until(() => expect(document.querySelector('.dlg')).toBeNull());
});
