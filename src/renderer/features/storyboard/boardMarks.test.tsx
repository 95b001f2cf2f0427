import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Board, Shot } from '../../../shared/board.ts';
import { useEntities } from '../../app/index.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { aShot, freshBoard } from '../../testing/boardPage.ts';
import { acting, aJob, anAsset, byText, click, clickOn, fakeStudio, press, show, until } from '../../testing/page.tsx';
import { BoardPage } from './BoardPage.tsx';
import { useBoardView } from './useBoard.ts';

const profile = aProfile();

const shot = (id: string, more: Partial<Shot> = {}) =>
  aShot(id, { title: `Title ${id}`, prompt: 'Sea', model: 'video-standard', config: { durationSeconds: 4 }, ...more });

async function open(projectId: string, shots: Shot[], gone: () => string[] = () => []) {
  const board: Board = { projectId, revision: 1, shots };
  const studio = fakeStudio({
    'storyboard.get': () => board,
    'board.bin': () => ({ shots: [] }),
    'board.steps': () => ({ canUndo: false, canRedo: false }),
    'jobs.list': () => ({ jobs: [], total: 0 }),
    'library.gone': () => ({ ids: gone() }),
  });
  await show(<BoardPage projectId={projectId} />);
  return studio;
}

beforeEach(() => freshBoard({ tab: 'shot' }, profile));

it('marks a shot whose picture is gone from the disk, and says so instead of a price', async () => {
  const picture = anAsset({ id: 'pic', name: 'quay.png', mime: 'image/png', state: 'local' });
  useEntities.setState({ jobs: new Map(), assets: new Map([['pic', picture]]) });
  let gone: string[] = [];
  await open('gone', [shot('a', { source: 'first', image: { assetId: 'pic' } })], () => gone);
  const card = () => document.getElementById('shot-a')?.textContent ?? '';
  await until(() => expect(card()).toContain('Title a'));
  expect(card()).not.toContain(labels.pictureGone);
  gone = ['pic'];
  await acting(() => window.dispatchEvent(new Event('focus')));
  await until(() => expect(card()).toContain(labels.pictureGone));
  const bar = () => document.querySelector('.sendbar')?.textContent ?? '';
  await until(() => expect(bar()).toContain('The first frame is not on this disk any more'));
  expect(document.querySelector('.slot-words')?.textContent).toBe('Gone from this disk: quay.png');
});

it('offers the shots that can be auditioned where the chosen one cannot', async () => {
  const clip = (id: string) => anAsset({ id, mime: 'video/mp4', state: 'local', role: 'output', jobId: id });
  const job = (id: string) => aJob({ id, kind: 'video', state: 'succeeded', outputs: [clip(id)] });
  const jobs = new Map(['t1', 't2', 't3'].map((id) => [id, job(id)]));
  useEntities.setState({ jobs, assets: new Map(['t1', 't2', 't3'].map((id) => [id, clip(id)])) });
  await open('audition', [
    shot('a'),
    shot('b', { takes: ['t1'] }),
    shot('c', { takes: ['t2', 't3'], activeTake: 't3' }),
  ]);
  await until(() => expect(document.getElementById('shot-a')).not.toBeNull());
  await press('a');
  await until(() => expect(document.body.textContent).toContain('Shot 1 has none that is done.'));
  expect([...document.querySelectorAll('.aud-off button')].map(({ textContent }) => textContent)).toEqual([
    labels.auditionShotTakes(3, 2),
    'Show the shot',
  ]);
  // Clips are not played here.
  Object.assign(HTMLVideoElement.prototype, { requestVideoFrameCallback: () => 0, cancelVideoFrameCallback: () => {} });
  await click(byText(labels.auditionShotTakes(3, 2)));
  expect(useBoardView.getState()).toMatchObject({ shotId: 'c', tab: 'audition' });
});

it('offers the take that fits a stale shot, free, before the price of making it again', async () => {
  const made = (id: string, from?: string) =>
    aJob({
      id,
      kind: 'video',
      state: 'succeeded',
      outputs: [anAsset({ id: `c-${id}`, sha256: id, mime: 'video/mp4', role: 'output', jobId: id })],
      request: { kind: 'video', model: 'video-standard', prompt: 'Sea', ...(from ? { video: { jobId: from } } : {}) },
      ...(from ? { inputs: [{ field: 'video', jobId: from, output: 0 }] } : {}),
    });
  const jobs = [made('a1'), made('a2'), made('b1', 'a1'), made('b2', 'a2')];
  useEntities.setState({
    jobs: new Map(jobs.map((job) => [job.id, job])),
    assets: new Map(jobs.flatMap(({ outputs }) => outputs).map((asset) => [asset.id, asset])),
  });
  const studio = await open('fitting', [
    shot('a', { takes: ['a1', 'a2'], activeTake: 'a2' }),
    shot('b', { takes: ['b1', 'b2'], activeTake: 'b1', source: 'extend', joint: 'extend', video: { jobId: 'a1' } }),
  ]);
  const offered = () =>
    [...document.querySelectorAll('.board-status .btn')].map(({ textContent }) => textContent ?? '');
  await until(() => expect(offered().slice(0, 2)).toEqual(['Keep as it is', labels.useTakeOfShotFree(2, 2)]));
  expect(offered()[2]).toMatch(/^Redo 2/);
  await click(byText(labels.useTakeOfShotFree(2, 2)));
  await until(() => expect(studio.callsOf('storyboard.save')).toHaveLength(1));
  expect(studio.callsOf('storyboard.save')[0]).toMatchObject({ shots: [{ id: 'a' }, { id: 'b', activeTake: 'b2' }] });
  expect(document.querySelector('.stale-tag')).toBeNull();
});

it('a take that is still being made is offered as a start with its clock', async () => {
  const running = aJob({ id: 't1', kind: 'video', state: 'running', progress: 99, sentAt: Date.now() - 20 * 60_000 });
  useEntities.setState({ jobs: new Map([['t1', running]]), assets: new Map() });
  await open('picker', [shot('b', { source: 'first' }), shot('a', { takes: ['t1'] })]);
  await clickOn(`${labels.firstFrame}: empty, choose`);
  await until(() => byText(labels.shotTake(2, 1), '.pick-tile'));
  expect(byText(labels.shotTake(2, 1), '.pick-tile').querySelector('.st')?.textContent).toMatch(/^finishing, 20:\d\d$/);
});

it('a card has the frames and the number of the take that plays, however many came after it', async () => {
  const ids = ['t1', 't2', 't3', 't4', 't5', 't6'];
  const clipOf = (id: string) =>
    anAsset({ id: `c-${id}`, mime: 'video/mp4', jobId: id, thumbnailId: `first-${id}`, lastFrameId: `last-${id}` });
  const jobs = ids.map((id) => aJob({ id, kind: 'video', state: 'succeeded', outputs: [clipOf(id)] }));
  useEntities.setState({
    jobs: new Map(jobs.map((job) => [job.id, job])),
    assets: new Map(ids.map((id) => [`c-${id}`, clipOf(id)])),
  });
  await open('active', [shot('a', { takes: ids, activeTake: 't2' })]);
  const card = (selector: string) => [...document.querySelectorAll<HTMLElement>(`#shot-a ${selector}`)];
  const pictures = () => card('.frames img').map((image) => image.getAttribute('src'));
  await until(() => expect(pictures()).toEqual(['/media/first-t2', '/media/last-t2']));
  expect(card('.tk').map(({ title }) => title)).toEqual(['Take 2, active', 'Take 4', 'Take 5', 'Take 6']);
});
