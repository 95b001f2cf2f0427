import { beforeEach, expect, test } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { beginCompare, setCompareView } from '../../../media/compare/compareView.ts';
import { differingRows } from '../../../media/compare/differing.ts';
import { textOf, textsOf } from '../../../testing/find.ts';
import { freshLibrary, openLibrary } from '../../../testing/libraryPage.tsx';
import { aJob, anAsset, byText, click, type FakeStudio, press, until } from '../../../testing/page.tsx';
import { toggleAsset } from '../state.ts';
import { leaveCompare } from './useCompare.ts';

const imagine = (id: string, prompt: string, mode: 'fast' | 'turbo') =>
  aJob({ id, kind: 'imagine', state: 'succeeded', request: { kind: 'imagine', prompt, mode } });
const jobs = [imagine('ja', 'Quay in rain', 'fast'), imagine('jb', 'Quay in fog', 'turbo')];
const picture = (id: string, more = {}) => anAsset({ id, name: `Picture ${id}`, createdAt: 0, bytes: 2_000, ...more });
const all = [
  picture('a', { jobId: 'ja' }),
  picture('b', { jobId: 'jb' }),
  picture('c', { width: 100, height: 100 }),
  picture('clip', { mime: 'video/mp4' }),
  picture('clip2', { mime: 'video/mp4' }),
  picture('away', { state: 'remote' }),
];

let studio: FakeStudio;

beforeEach(async () => {
  freshLibrary();
  leaveCompare();
  beginCompare();
  setCompareView({ mode: 'side', gain: 4, over: 50 });
  studio = await openLibrary(all, {
    'library.judge': () => ({ judged: 1, unjudged: 0 }) as never,
    'jobs.get': ({ id }) => jobs.find((job) => job.id === id) ?? aJob({ id }),
  });
});

const choose = async (...ids: string[]) => {
  await click(byText(`Picture ${ids[0]}`, '.tile'));
  for (const id of ids.slice(1)) await click(byText(`Picture ${id}`, '.tile'), { ctrlKey: true });
  await until(() => byText(labels.compare));
};
const names = () => [...document.querySelectorAll('.cmp-stage img')].map((img) => img.getAttribute('alt'));
const differing = () =>
  [...document.querySelectorAll('.cmp-table tbody tr')].map((row) =>
    [...row.children].map(({ textContent }) => textContent).join(' | '),
  );

test('two pictures stand side by side by C, and only what differs is listed', async () => {
  await choose('a', 'b');
  await press('c');
  expect(names()).toEqual(['A: Picture a', 'B: Picture b']);
  await until(() => expect(differing()).toEqual(['Prompt | Quay in rain | Quay in fog', 'Mode | fast | turbo']));
  await press('x');
  expect(names()).toEqual(['A: Picture b', 'B: Picture a']);
  await press('Escape');
  expect(names()).toEqual([]);
  expect(byText(labels.pictureOf('b'), '.tile').getAttribute('aria-selected')).toBe('true');
});

test('two go into one place: a slider by keys, their difference with its gain, one over the other', async () => {
  await choose('a', 'b');
  await click(byText(labels.compare));
  await press('1');
  const slider = byText(labels.aLeftBRight, '[role="slider"]');
  await press('End', {}, slider);
  expect(slider.getAttribute('aria-valuetext')).toBe('100 % A');
  await press('3');
  expect(names()).toEqual(['Difference of A and B', '']);
  await click(byText('× 16', '[role="radio"]'));
  expect(byText('A − B', '.ov').textContent).toBe('A − B, × 16');
  await press('4');
  expect(byText('B over it', '.ov').textContent).toBe('B over it, 50 %');
});

test('all are zoomed and moved together, by keys, and fitted again', async () => {
  await choose('a', 'b', 'c');
  await press('c');
  const stage = document.querySelector<HTMLElement>('.cmp-stage');
  if (!stage) throw new Error('nothing is compared');
  const shift = () => ['--zoom', '--pan-x', '--pan-y'].map((name) => stage.style.getPropertyValue(name));
  await press('+', {}, stage);
  await press('ArrowRight', {}, stage);
  expect(shift()).toEqual(['1.25', '-10%', '0%']);
  await press('0', {}, stage);
  expect(shift()).toEqual(['1', '0%', '0%']);
});

test('more than two are only side by side, and the other ways are off', async () => {
  await choose('a', 'b', 'c');
  await press('c');
  expect(names()).toHaveLength(3);
  await press('3');
  expect(names()).toHaveLength(3);
  expect(textOf('.cmp-bar .why')).toBe('Only two go into one place.');
});

test.each([
  [['a', 'away'], 'What is compared has to be on this disk.'],
  [['a', 'b', 'c', 'clip', 'away'], 'Choose two to four pictures.'],
])('%o are not compared, and the button says why', async (ids, why) => {
  await choose(...ids);
  expect(byText(labels.compare).getAttribute('aria-description')).toBe(why);
  await press('c');
  expect(names()).toEqual([]);
});

test('clips are compared too, and play together', async () => {
  const played: string[] = [];
  HTMLMediaElement.prototype.play = function play(this: HTMLMediaElement) {
    played.push(this.getAttribute('aria-label') ?? '');
    return Promise.resolve();
  };
  await choose('clip', 'clip2');
  await press('c');
  const clips = ['A: Picture clip', 'B: Picture clip2'];
  const shown = [...document.querySelectorAll('.cmp-stage video')].map((clip) => clip.getAttribute('aria-label'));
  expect(shown).toEqual(clips);
  await click(byText(labels.playClips));
  expect(played).toEqual(clips);
  byText(labels.pauseClips);
});

test('the words that differ are marked, and nothing else', async () => {
  await choose('a', 'b');
  await press('c');
  const marked = () => textsOf('.cmp-table mark');
  await until(() => expect(marked()).toEqual(['rain', 'fog']));
});

test('a rating names the side that it rates, and rates it alone', async () => {
  await choose('a', 'b');
  await press('c');
  await click(byText('B: Keep', '[role="radio"]'));
  await until(() => expect(studio.callsOf('library.judge')).toEqual([{ ids: ['b'], verdict: 'keep' }]));
  await press('x');
  await click(byText('B: No', '[role="radio"]'));
  await until(() => expect(studio.callsOf('library.judge').at(-1)).toEqual({ ids: ['a'], verdict: 'no' }));
  await press('y');
  expect(studio.callsOf('library.judge')).toHaveLength(2);
});

test('it ends with what was chosen', async () => {
  await choose('a', 'b');
  await press('c');
  expect(names()).toHaveLength(2);
  toggleAsset('c');
  await until(() => expect(names()).toEqual([]));
});

test('settings are read by their own names, and one without the setting has none', () => {
  const video = aJob({
    request: { kind: 'video', model: 'video-pro', prompt: 'Quay', config: { aspectRatio: '9:16', seed: 7 } },
  });
  const asset = picture('v', { model: 'video-pro' });
  const rows = differingRows([
    { asset, job: video },
    { asset, job: undefined },
  ]);
  expect(rows).toEqual([
    { name: labels.prompt, values: ['Quay', undefined] },
    { name: labels.kind, values: [labels.video, 'Brought in'] },
    { name: 'Aspect ratio', values: ['9:16', undefined] },
    { name: labels.seed, values: ['7', undefined] },
  ]);
});
