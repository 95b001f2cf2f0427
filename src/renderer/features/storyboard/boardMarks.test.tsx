import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { useEntities } from '../../app/index.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { aShot, aTake, freshBoard, knowJobs, openBoard } from '../../testing/boardPage.tsx';
import { acting, aJob, anAsset, byText, click, clickOn, press, until } from '../../testing/page.tsx';
import { useBoardView } from './useBoard.ts';

beforeEach(() => freshBoard({}, aProfile()));

it('marks a shot whose picture is gone from the disk, and says so instead of a price', async () => {
  useEntities.setState({ assets: new Map([['pic', anAsset({ id: 'pic', name: 'quay.png' })]]) });
  let gone: string[] = [];
  await openBoard(
    { shots: [aShot('a', { source: 'first', image: { assetId: 'pic' } })] },
    { 'library.gone': () => ({ ids: gone }) },
  );
  const card = () => document.getElementById('shot-a')?.textContent ?? '';
  await until(() => expect(card()).not.toBe(''));
  expect(card()).not.toContain(labels.pictureGone);
  gone = ['pic'];
  await acting(() => window.dispatchEvent(new Event('focus')));
  await until(() => expect(card()).toContain(labels.pictureGone));
  const bar = () => document.querySelector('.sendbar')?.textContent;
  await until(() => expect(bar()).toContain('First frame is not on this disk any more'));
  expect(document.querySelector('.slot-words')?.textContent).toContain('quay.png');
});

it('a key reviews the takes of the chosen shot, and one without a take has none to review', async () => {
  knowJobs(aTake('t1'));
  await openBoard({ shots: [aShot('a'), aShot('b', { takes: ['t1'] })] });
  await until(() => expect(document.getElementById('shot-a')).not.toBeNull());
  await press('a');
  expect(window.location.hash).not.toContain('review');
  await acting(() => useBoardView.setState({ shotId: 'b' }));
  await press('a');
  expect(window.location.hash).toBe('#/review?shot=b');
});

it('offers the take that fits a stale shot, free, before the price of making it again', async () => {
  const made = (id: string, from: string) =>
    aTake(id, {
      request: { kind: 'video', model: 'video-standard', prompt: 'A pier', video: { jobId: from } },
      inputs: [{ field: 'video', jobId: from, output: 0 }],
    });
  knowJobs(aTake('a1'), aTake('a2'), made('b1', 'a1'), made('b2', 'a2'));
  const extended = { source: 'extend', joint: 'extend', video: { jobId: 'a1' } } as const;
  const { saved } = await openBoard({
    shots: [
      aShot('a', { takes: ['a1', 'a2'], activeTake: 'a2' }),
      aShot('b', { takes: ['b1', 'b2'], activeTake: 'b1', ...extended }),
    ],
  });
  const offered = () => [...document.querySelectorAll('.boardStatus .btn')].map(({ textContent }) => textContent);
  const free = labels.useTakeOfShotFree(2, 2);
  await until(() =>
    expect(offered().slice(0, 3)).toEqual([labels.keepShot(2), free, expect.stringMatching(/^Make shot 2 again/)]),
  );
  await click(byText(free));
  await until(() => expect(saved().shots[1]).toMatchObject({ id: 'b', activeTake: 'b2' }));
  expect(document.querySelector('.stale-tag')).toBeNull();
});

it('a take that is still being made is offered as a start with its clock', async () => {
  knowJobs(aJob({ id: 't1', state: 'running', progress: 99, sentAt: Date.now() - 20 * 60_000 }));
  await openBoard({ shots: [aShot('b', { source: 'first' }), aShot('a', { takes: ['t1'] })] });
  await clickOn(`${labels.firstFrame}: Choose`);
  const tile = () => byText(labels.shotTakeN(2, 1), '.pickTile');
  await until(tile);
  expect(tile().querySelector('.st')?.textContent).toMatch(/^finishing, 20:\d\d so far$/);
});

it('a card has the picture and the number of the take that is used, and how many there are', async () => {
  const ids = ['t1', 't2', 't3', 't4', 't5', 't6'];
  knowJobs(...ids.map((id) => aTake(id, {}, { thumbnailId: `first-${id}` })));
  await openBoard({ shots: [aShot('a', { takes: ids, activeTake: 't2' })] });
  const card = (selector: string) => document.querySelector<HTMLElement>(`#shot-a ${selector}`);
  await until(() => expect(card('.picture img')?.getAttribute('src')).toBe('/media/first-t2'));
  expect(card('.tk')?.title).toBe('Take 2');
  expect(card('.meta')?.textContent).toContain('of 6');
});

it('says first which shot was refused, and what its takes are doing', async () => {
  const refused = aJob({
    id: 'r',
    state: 'failed',
    finishedAt: 1,
    error: { kind: 'moderation', message: 'No.', retryable: false },
  });
  knowJobs(aTake('t1'), refused);
  await openBoard({ shots: [aShot('a', { takes: ['t1'] }), aShot('b', { takes: ['r'], activeTake: 'r' })] });
  const notice = () => document.querySelector('.boardStatus')?.textContent;
  await until(() => expect(notice()).toBe('Shot 2 has no take.'));
  await acting(() => useBoardView.setState({ shotId: 'b' }));
  await until(() =>
    expect(document.querySelector('.holdWords')?.textContent).toContain('refused the content of take 1'),
  );
  await acting(() =>
    knowJobs(aTake('t1'), aJob({ id: 'r', state: 'running', progress: 40, sentAt: Date.now() - 20_000 })),
  );
  await until(() => expect(notice()).toBe('1 take is being made, about 30 s left'));
  expect(document.querySelector('.holdWords')?.textContent).toContain('Making take 1About 30 s left');
  expect(document.querySelector('#shot-b .picture')?.textContent).toBe('Makingabout 30 s left');
  await acting(() => knowJobs(aTake('t1'), aJob({ id: 'r', state: 'blocked', reason: 'window' })));
  await until(() => expect(notice()).toBe('1 take waits for an overnight run.'));
  await acting(() => knowJobs(aTake('t1'), aJob({ id: 'r', state: 'running', reason: 'key' })));
  await until(() => expect(notice()).toBe('1 take waits for the API key.'));
});
