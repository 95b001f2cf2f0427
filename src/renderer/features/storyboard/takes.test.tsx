import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { aShot, aTake, freshBoard, openBoard } from '../../testing/boardPage.tsx';
import { acting, aJob, byText, click, fakeStudio, press, show, until } from '../../testing/page.tsx';
import { TakeActions } from './TakeActions.tsx';
import { useBoardView } from './useBoard.ts';

const takes = (...ids: string[]) => aShot('a', { takes: ids, activeTake: ids.at(-1) ?? '' });
const look = (jobId: string) => acting(() => useBoardView.setState({ takes: { a: jobId } }));
const canMake = (take: number) =>
  until(() => expect(byText(labels.makeTake(take)).getAttribute('aria-disabled')).not.toBe('true'));

const failed = (id: string) => aJob({ id, state: 'failed', finishedAt: 1 });

beforeEach(() => freshBoard({}, aProfile()));

it('a take that is chosen is used in the film; Ctrl Enter makes another one and leaves it', async () => {
  const { studio } = await openBoard({ shots: [takes('t1', 't2')] }, { jobs: [aTake('t1'), aTake('t2')] });
  await until(() => expect(document.querySelectorAll('.take')).toHaveLength(2));
  await canMake(3);
  const list = document.querySelector('.takeList') as HTMLElement;
  await acting(() => list.focus());
  await press('Enter', { ctrlKey: true }, list);
  await until(() => expect(studio.callsOf('storyboard.makeTake')).toHaveLength(1));
  expect(studio.callsOf('storyboard.save')).toEqual([]);
  await press('ArrowDown', {}, list);
  await until(() => expect(studio.callsOf('storyboard.save')).toMatchObject([{ shots: [{ activeTake: 't1' }] }]));
});

it('a take without a clip is looked at, and the selected one stays', async () => {
  const { studio } = await openBoard({ shots: [takes('t1', 't2')] }, { jobs: [aTake('t1'), failed('t2')] });
  const name = () => document.querySelector('.viewHead h2')?.textContent;
  await until(() => expect(name()).toBe(labels.shotTakeN(1, 1)));
  await click(document.getElementById('take-t2') as HTMLElement);
  await until(() => expect(name()).toBe(labels.shotTakeN(1, 2)));
  expect(studio.callsOf('storyboard.save')).toEqual([]);
});

it('each take tells the seed that it was sent with, if it was', async () => {
  const sent = (id: string, seed?: number, omitted?: Job['omitted']) => {
    const config = { durationSeconds: 4, ...(seed === undefined ? {} : { seed }) } as const;
    const request = { kind: 'video', model: 'video-standard', prompt: 'A pier', config } as const;
    return aTake(id, { request, ...(omitted ? { omitted } : {}) });
  };
  const jobs = [sent('sent', 4_294_967_295), sent('unsent', 70_001, ['seed']), sent('none')];
  await openBoard({ shots: [takes('sent', 'unsent', 'none')] }, { jobs });
  const row = (id: string) => document.getElementById(`take-${id}`)?.title;
  await until(() => expect(row('sent')).toContain('Seed 4294967295'));
  expect(row('unsent')).toContain('Not sent');
  expect(row('unsent')).not.toContain('70001');
  expect(row('none')).not.toContain('Seed');
});

it('the heading says what differs from what was requested', async () => {
  const differs = [
    { what: 'seconds' as const, ordered: '4 s', made: '8 s' },
    { what: 'audio' as const, ordered: 'with sound', made: 'without sound' },
  ];
  await openBoard({ shots: [takes('t1')] }, { jobs: [aTake('t1', { differs })] });
  const facts = () => document.querySelector('.facts')?.textContent;
  await until(() =>
    expect(facts()).toBe('Selected take, 4 s. 4 s requested, 8 s made; with sound requested, without sound made.'),
  );
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

it('what was offered for a take is not offered for another one', async () => {
  await openBoard({ shots: [takes('t1', 't2')] }, { jobs: [failed('t1'), failed('t2')] });
  await until(() => byText(labels.tryAgain));
  await click(byText(labels.tryAgain));
  await until(() => expect(document.querySelector('.dlg')).not.toBeNull());
  await look('t1');
  await until(() => expect(document.querySelector('.dlg')).toBeNull());
});
