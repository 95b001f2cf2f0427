import { beforeEach, expect, test } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { useEntities, useStudio } from '../../app/index.ts';
import { textsOf } from '../../testing/find.ts';
import { aJob, anAsset, byText, click, type FakeStudio, fakeStudio, press, show, until } from '../../testing/page.tsx';
import { differingRows } from './Differences.tsx';
import { ReviewPage } from './ReviewPage.tsx';
import { fitPictures, setReviewView } from './view.ts';

const imagine = (id: string, prompt: string, mode: 'fast' | 'turbo') =>
  aJob({ id, kind: 'imagine', state: 'succeeded', request: { kind: 'imagine', prompt, mode } });
const picture = (id: string, more = {}) =>
  anAsset({ id, name: `Picture ${id}`, createdAt: 0, bytes: 2_000, mime: 'image/png', ...more });
const all = [
  picture('a', { jobId: 'ja' }),
  picture('b', { jobId: 'jb' }),
  picture('c', { width: 100, height: 100 }),
  picture('clip', { mime: 'video/mp4', jobId: 'jc' }),
];

/** Opens these as if selected in the library. */
async function open(...ids: string[]): Promise<FakeStudio> {
  setReviewView({ count: ids.length, mode: 'side', gain: 4, over: 50 });
  fitPictures();
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useStudio.setState({ settings: undefined, projects: [] });
  window.location.hash = `#/review?assets=${ids.join(',')}`;
  const jobs = [imagine('ja', 'Quay in rain', 'fast'), imagine('jb', 'Quay in fog', 'turbo'), aJob({ id: 'jc' })];
  const studio = fakeStudio({
    'library.get': ({ id }) => all.find((asset) => asset.id === id) ?? picture(id),
    'jobs.get': ({ id }) => jobs.find((job) => job.id === id) ?? aJob({ id }),
    'jobs.list': () => ({ jobs: [], total: 0 }),
    'jobs.judge': ({ id, verdict }) => {
      const { verdict: _, ...job } = jobs.find((one) => one.id === id) ?? aJob({ id });
      return { ...job, revision: job.revision + 1, ...(verdict ? { verdict } : {}) };
    },
  });
  await show(<ReviewPage />);
  await until(() => expect(document.querySelectorAll('.rvTile')).toHaveLength(ids.length));
  return studio;
}
const names = () => [...document.querySelectorAll('.stage img')].map((img) => img.getAttribute('alt'));
const differing = () =>
  [...document.querySelectorAll('.diff tbody tr')].map((row) =>
    [...row.children].map(({ textContent }) => textContent).join(' | '),
  );

beforeEach(() => {
  window.location.hash = '';
});

test('two pictures stand side by side, and only what differs is listed, its words marked', async () => {
  await open('a', 'b');
  expect(names()).toEqual(['Picture 1', 'Picture 2']);
  await until(() => expect(differing()).toEqual(['Prompt | Quay in rainfog', 'Mode | fast | turbo']));
  expect([textsOf('.diff del'), textsOf('.diff ins')]).toEqual([['rain'], ['fog']]);
  await press('x');
  expect(names()).toEqual(['Picture 2', 'Picture 1']);
  await press('Escape');
  expect(window.location.hash).toBe('#/library');
});

test('two go into one place: a slider by keys, their difference with its gain, one over the other', async () => {
  await open('a', 'b');
  await press('l');
  const slider = byText(labels.aLeftBRight, '[role="slider"]');
  await press('End', {}, slider);
  expect(slider.getAttribute('aria-valuetext')).toBe('100 % A');
  await press('d');
  expect(names()).toEqual(['Difference', '']);
  await click(byText('8×', '[role="radio"]'));
  expect(document.querySelector<HTMLElement>('.over')?.style.filter).toBe('grayscale(1) brightness(8)');
  await press('o');
  expect(names()).toEqual(['B over A', '']);
  await press('s');
  expect(names()).toEqual(['Picture 1', 'Picture 2']);
});

test('all are zoomed and moved together, by keys, and fitted again', async () => {
  await open('a', 'b', 'c');
  const stage = document.querySelector<HTMLElement>('.stage');
  if (!stage) throw new Error('nothing is shown');
  const shift = () => ['--zoom', '--pan-x', '--pan-y'].map((name) => stage.style.getPropertyValue(name));
  await press('+', {}, stage);
  await press('ArrowRight', {}, stage);
  expect(shift()).toEqual(['1.25', '-10%', '0%']);
  await press('0', {}, stage);
  expect(shift()).toEqual(['1', '0%', '0%']);
});

test('more than two are only side by side', async () => {
  await open('a', 'b', 'c');
  await press('l');
  expect(names()).toHaveLength(3);
});

test('a rating is for the picture that it names, and for it alone; what was imported has none', async () => {
  const studio = await open('a', 'b', 'c');
  await press('2');
  await press('n');
  await until(() => expect(studio.callsOf('jobs.judge')).toEqual([{ id: 'jb', verdict: 'no' }]));
  await press('3');
  await press('y');
  expect(document.querySelector('.effect')?.textContent).toContain('Imported files have no rating.');
  expect(studio.callsOf('jobs.judge')).toHaveLength(1);
});

test('a picture goes on as a frame by a key, and nothing is sent by that', async () => {
  const studio = await open('a');
  await press('u');
  expect(window.location.hash).toBe('#/storyboard?frame=a');
  expect(studio.callsOf('jobs.enqueue')).toEqual([]);
});

test('settings are read by their own names, and one without the setting has none', () => {
  const request = {
    kind: 'video',
    model: 'video-pro',
    prompt: 'Quay',
    config: { aspectRatio: '9:16', seed: 7 },
  } as const;
  const asset = picture('v', { model: 'video-pro' });
  const rows = differingRows([
    { asset, job: aJob({ request }) },
    { asset, job: undefined },
  ]);
  expect(rows).toEqual([
    { name: labels.prompt, values: ['Quay', undefined] },
    { name: labels.kind, values: [labels.video, 'Imported'] },
    { name: 'Aspect ratio', values: ['9:16', undefined] },
    { name: labels.seed, values: ['7', undefined] },
  ]);
});
