import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { fail, type Result } from '../../../shared/contract/result.ts';
import { useStudio } from '../../app/index.ts';
import { says, textOf, textsOf } from '../../testing/find.ts';
import { freshLibrary, libraryOf, openLibrary } from '../../testing/libraryPage.tsx';
import {
  type Answers,
  acting,
  aJob,
  anAsset,
  byText,
  click,
  clickOn,
  press,
  showOver,
  type,
  until,
} from '../../testing/page.tsx';
import { storageSentence } from './Details.tsx';
import { LibraryPage } from './LibraryPage.tsx';
import { setLibraryView, useLibraryView } from './state.ts';

const asset = anAsset({ id: 'x', jobId: 'job_1', name: 'Harbour' });
const facets = {
  type: [
    { value: 'image', count: 12_000 },
    { value: 'video', count: 3 },
  ],
  state: [{ value: 'local', count: 4 }],
  verdict: [
    { value: 'none', count: 7 },
    { value: 'keep', count: 5 },
  ],
  model: [{ value: 'video-pro', count: 6 }],
  ...{ project: [], tag: [], starred: [] },
};

/** The page over these files, made by one job. */
const open = (assets = [asset], more: Answers = {}) =>
  openLibrary(assets, {
    'library.facets': () => facets,
    'jobs.get': () => aJob({ state: 'succeeded', outputs: [asset] }),
    'jobs.judge': () => aJob(),
    ...more,
  });
const inspector = () => textOf('aside[aria-label=Details]');

beforeEach(freshLibrary);
afterEach(() => void vi.useRealTimers());

it("shows one asset's whole life when it is chosen, and is judged by a key", async () => {
  const studio = await open();
  await clickOn('Harbour', '.tile');
  await until(() => expect(textOf('.prompt')).toBe('Harbour in rain'));
  expect(textOf('.kv')).toContain(labels.onDiskVerified);
  await press('y');
  expect(studio.callsOf('jobs.judge')).toEqual([{ id: 'job_1', verdict: 'keep' }]);
});

it.each([
  ['image/png', 'imagine', '#/images?remake=x', '#/images?remix=x'],
  ['video/mp4', 'video', '#/storyboard?add=x', '#/storyboard?remix=x'],
] as const)('recalls and remixes %s where it is made, and sends nothing', async (mime, kind, recalled, remixed) => {
  const made = { ...asset, mime };
  const request =
    kind === 'video'
      ? { kind, model: 'video-pro', prompt: 'Harbour', config: {} }
      : ({ kind, prompt: 'Harbour' } as const);
  const studio = await open([made], {
    'jobs.get': () => aJob({ kind, request, state: 'succeeded', outputs: [made] }),
  });
  await clickOn('Harbour', '.tile');
  await until(() => byText(labels.reusePrompt));
  await press('r');
  expect(window.location.hash).toBe(recalled);
  await press('R', { shiftKey: true });
  expect(window.location.hash).toBe(remixed);
  expect(studio.calls.map(({ name }) => name)).not.toContain('jobs.enqueue');
});

it('offers what was found in a file that came from elsewhere, as words that nobody verified', async () => {
  const foreign = anAsset({ id: 'y', jobId: undefined, name: 'Found.png', mime: 'image/png', role: 'source' });
  const studio = await open([foreign], {
    'library.found': () => ({ c2pa: false, parameters: 'A pier at dawn\nSteps: 20' }),
  });
  await clickOn('Found.png', '.tile');
  await until(() => expect(textOf('.prompt')).toBe('A pier at dawn'));
  expect(inspector()).toContain('Not verified');
  await click(byText(labels.reusePrompt));
  expect(window.location.hash).toBe('#/images?asset=y&recall=y');
  expect(studio.calls.map(({ name }) => name)).not.toContain('jobs.enqueue');
});

it('offers the words of a clip for the board, all of a film at once', async () => {
  const foreign = anAsset({ id: 'y', jobId: undefined, name: 'Found.mp4', mime: 'video/mp4', role: 'source' });
  const made = { version: 1 as const, kind: 'film', prompt: '', sourceType: 'trainedAlgorithmicMedia' as const };
  const shots = ['A pier', 'A quay', 'A ferry', 'Rain', 'Fog', 'Dawn'].map((prompt, at) => ({
    number: at + 1,
    prompt,
  }));
  const studio = await open([foreign], {
    'library.found': () => ({ c2pa: false, provenance: { ...made, shots } }),
  });
  await clickOn('Found.mp4', '.tile');
  await until(() => expect(document.querySelectorAll('aside[aria-label=Details] .prompt')).toHaveLength(5));
  expect(inspector()).toContain('And 1 more');
  expect(inspector()).toContain('Add 6 shots');
  await click(byText(labels.reusePrompt));
  expect(window.location.hash).toBe('#/storyboard?recall=y');
  expect(studio.calls.map(({ name }) => name)).not.toContain('jobs.enqueue');
});

it('asks the studio for what the facets say', async () => {
  const tag = [{ value: 'plate', count: 2 }];
  const studio = await open([asset], { 'library.facets': () => ({ ...facets, tag }) });
  await until(() => byText('plate', 'label'));
  for (const option of [labels.video, labels.keep, labels.notJudged, labels.starred, 'plate'])
    await click(byText(option, 'label'));
  const asked = { types: ['video'], verdict: ['keep', 'none'], starred: true, tags: ['plate'] };
  await until(() => expect(studio.callsOf('library.list').at(-1)).toMatchObject(asked));
});

it('shows beside every option how many there are, all from one answer under the present filter', async () => {
  const models = [{ id: 'video-pro', kind: 'video' as const }];
  useStudio.setState({ profiles: [{ id: 'p', models } as never], activeProfileId: 'p' });
  const studio = await open();
  const options = () =>
    [...document.querySelectorAll('.filt label')].flatMap((label) => {
      const count = label.querySelector('.count')?.textContent;
      return count ? [`${label.textContent?.slice(0, -count.length)}: ${count}`] : [];
    });
  await until(() => expect(options()).toHaveLength(11));
  expect(options()).toEqual([
    ...[`${labels.video}: 3`, `${labels.image}: 12,000`],
    ...[`${labels.keep}: 5`, `${labels.maybe}: 0`, 'No: 0', `${labels.notJudged}: 7`],
    `${labels.starred}: 0`,
    ...[`${labels.onDiskVerified}Stored here: 4`, 'At the gatewayAt the gateway: 0', 'LostLost: 0'],
    'video-pro: 6',
  ]);
  expect(studio.callsOf('library.facets')).toEqual([{ roles: ['output', 'grid', 'source'] }]);
  await click(byText(labels.image, 'label'));
  await click(byText('video-pro', 'label'));
  await click(byText(labels.showMasks, 'label'));
  await click(byText(labels.showAutomaticFrames, 'label'));
  const roles = ['output', 'grid', 'source', 'mask', 'frame'];
  await until(() =>
    expect(studio.callsOf('library.facets').at(-1)).toEqual({ roles, types: ['image'], models: ['video-pro'] }),
  );
  await click(byText('video-pro', 'label'));
  await click(byText(labels.image, 'label'));
  await until(() => expect(studio.callsOf('library.facets').at(-1)).toEqual({ roles }));
  expect(studio.callsOf('library.list')).not.toContainEqual(expect.objectContaining({ limit: 1 }));
});

it('takes several models at once, and those that nobody has in a profile any more', async () => {
  const model = Array.from({ length: 12 }, (_, n) => ({ value: `model-${n}.`, count: 20 - n }));
  const studio = await open([asset], { 'library.facets': () => ({ ...facets, model }) });
  await until(() => byText('model-7.', 'label'));
  expect(textsOf('.filt label').join()).not.toContain('model-8.');
  await click(byText(labels.showAllModels(12)));
  await click(byText('model-11.', 'label'));
  await click(byText('model-3.', 'label'));
  const models = ['model-11.', 'model-3.'];
  await until(() => expect(studio.callsOf('library.list').at(-1)).toMatchObject({ models }));
});

it('narrows to days: a preset, or a span of its own whose last day is inside', async () => {
  const studio = await open();
  await acting(() => setLibraryView({ dates: { span: 'today', from: '', to: '' } }));
  const today = new Date().setHours(0, 0, 0, 0);
  await until(() => {
    const { from = 0 } = studio.callsOf('library.list').at(-1) as { from?: number };
    // Midnight may pass between the two.
    expect(Math.abs(from - today)).toBeLessThan(90_000_000);
  });
  await acting(() => setLibraryView({ dates: { span: 'own', from: '', to: '' } }));
  await type(byText(labels.from, 'input') as HTMLInputElement, '2026-11-19');
  await type(byText(labels.to, 'input') as HTMLInputElement, '2026-11-20');
  const from = new Date(2026, 10, 19).getTime();
  const to = new Date(2026, 10, 21).getTime();
  await until(() => expect(studio.callsOf('library.list').at(-1)).toMatchObject({ from, to }));
  await until(() => expect(studio.callsOf('library.facets').at(-1)).toMatchObject({ from, to }));
  await type(byText(labels.to, 'input') as HTMLInputElement, '2026-11-18');
  expect(textOf('.filt [role="alert"]')).toContain(labels.theLastDayIsBefore);
  await click(byText(labels.clearAllFilters));
  await until(() => expect(studio.callsOf('library.list').at(-1)).not.toHaveProperty('from'));
});

/** Bugs: with each letter all of a long history is counted before a hit is shown; what is counted so far passes for all. */
it('says that there are more than were counted, and counts all once typing rests', async () => {
  const few = { ...facets, isMore: true as const, state: [{ value: 'local', count: 9_000 }] };
  // A busy machine may take longer to show the first answers than typing rests.
  const { promise: seen, resolve: letCount } = Promise.withResolvers<void>();
  const studio = await open([asset], {
    'library.list': async ({ text, upTo }) => {
      if (text && upTo) return { assets: [asset], total: upTo, isMore: true as const };
      if (text) await seen;
      return { assets: [asset], total: text ? 59_246 : 86_063 };
    },
    'library.facets': async ({ text, upTo }) => {
      if (upTo) return few;
      if (text) await seen;
      return { ...facets, state: [{ value: 'local', count: 59_000 }] };
    },
  });
  await type(byText(labels.searchPromptsAndNames, 'input') as HTMLInputElement, 'H');
  await until(() => byText(labels.moreThanFound('10,000'), 'span'));
  await until(() => byText('9,000+', '.count'));
  letCount();
  await until(() => byText('59,246 found', 'span'));
  await until(() => byText('59,000', '.count'));
  const counted = studio.callsOf('library.list').filter((call) => (call as { text?: string }).text === 'H');
  // Pages behind the first count nothing.
  const bounds = counted.map((call) => (call as { upTo?: number }).upTo).filter((most) => most !== 1);
  expect(bounds).toEqual([10_000, undefined]);
});

it('does not count while letters follow each other', async () => {
  const studio = await open();
  await until(() => expect(studio.callsOf('library.facets')).toHaveLength(1));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const field = byText(labels.searchPromptsAndNames, 'input') as HTMLInputElement;
  for (const text of ['H', 'Ha', 'Har']) {
    await type(field, text);
    await acting(() => vi.advanceTimersByTimeAsync(200));
  }
  expect(studio.callsOf('library.facets')).toHaveLength(1);
  await acting(() => vi.advanceTimersByTimeAsync(300));
  expect(studio.callsOf('library.facets').slice(1)).toMatchObject([{ text: 'Har' }]);
});

it('shows what would turn a file name around', async () => {
  await open([{ ...asset, name: 'photo\u202egpj.exe' }]);
  await until(() => byText('photo‹U+202E›gpj.exe', '.tile'));
  expect(document.body.innerHTML).not.toContain('\u202e');
});

it('shows on a tile how it was judged, without asking for its job', async () => {
  const studio = await open([{ ...asset, verdict: 'keep' }]);
  await until(() => expect(byText('Harbour', '.tile').querySelector('.vd.keep')?.textContent).toBe(labels.keep));
  expect(studio.callsOf('jobs.get')).toEqual([]);
});

it('says where a picture is that has not come, why, and downloads it now', async () => {
  const away = anAsset({ id: 'x', name: 'Harbour', state: 'remote', sha256: '', bytes: 0, fault: 'The disk is full.' });
  const waits = { ...away, expiresAt: Date.now() + 23.5 * 3_600_000 };
  const studio = await open([waits], {
    'library.download': () => asset,
  });
  await clickOn('Harbour', '.tile');
  await until(() => byText(labels.downloadNow));
  const told = inspector();
  expect(told).toContain('At the gateway, 23 h left');
  expect(told).toContain('The disk is full.');
  await click(byText(labels.downloadNow));
  expect(studio.callsOf('library.download')).toEqual([{ id: 'x' }]);
  await until(() => expect(textOf('.kv')).toContain(labels.onDiskVerified));
});

it('says why a download is refused', async () => {
  const gone = anAsset({ id: 'x', name: 'Harbour', state: 'expired', fault: 'Its address answered 404 five times.' });
  await open([gone], {
    'library.download': () => fail('wrong_state', 'It has no address that can be downloaded.'),
  });
  await clickOn('Harbour', '.tile');
  await until(() => byText(labels.downloadNow));
  expect(inspector()).toContain('Its address answered 404 five times.');
  await click(byText(labels.downloadNow));
  await says('It has no address that can be downloaded.');
});

it('says how long it stays at the gateway, and where that is assumed', () => {
  const expiresAt = new Date('2026-11-21T22:40').getTime();
  const away = anAsset({ state: 'remote', expiresAt });
  const before = expiresAt - 1;
  expect(storageSentence(away, before)).toBe('Only at the gateway, until Sat 21 Nov 22:40.');
  expect(storageSentence({ ...away, expiryAssumed: true }, before)).toContain('probably until Sat 21 Nov 22:40');
  expect(storageSentence(anAsset({ state: 'remote' }), before)).toContain('no expiry stated');
  expect(storageSentence(away, expiresAt)).toContain('ended Sat 21 Nov 22:40');
});

/** Bugs: a tile that is dragged to a folder leaves a file without an end, or with a name that no system takes, or other than its export. */
it('takes the file along where a tile is dragged out of the window', async () => {
  await open([{ ...asset, name: 'Harbour: rain/1.PNG' }]);
  const tile = byText('Harbour', '.tile');
  expect(tile.draggable).toBe(true);
  const data = new Map<string, string>();
  const event = new Event('dragstart', { bubbles: true });
  Object.assign(event, { dataTransfer: { setData: (type: string, text: string) => data.set(type, text) } });
  await acting(() => tile.dispatchEvent(event));
  expect(data.get('DownloadURL')).toBe(`${asset.mime}:Harbour-rain-1.png:${window.location.origin}/media/x`);
});

it('shows the files that come in, until something else is chosen', async () => {
  const waiting: ((answer: Result<object>) => void)[] = [];
  const others = ['a', 'b'].map((id) => anAsset({ id, name: `Chosen ${id}` }));
  await showOver(<LibraryPage />, libraryOf(others), () => new Promise((resolve) => waiting.push(resolve)));
  await until(() => byText('Chosen a', '.tile'));
  const picker = document.querySelector<HTMLInputElement>('input[aria-label="Import files"]');
  if (!picker) throw new Error('no picker');
  const files = ['1.png', '2.png', '3.png'].map((name) => new File(['x'], name, { type: 'image/png' }));
  Object.defineProperty(picker, 'files', { value: files });
  await acting(() => picker.dispatchEvent(new Event('change', { bubbles: true })));
  const arrives = (id: string) => acting(() => waiting.at(-1)?.({ ok: true, data: anAsset({ id }) }));
  const chosen = () => [...useLibraryView.getState().choice.ids];
  await arrives('new 1');
  await until(() => expect(chosen()).toEqual(['new 1']));
  await click(byText('Chosen a', '.tile'));
  await click(byText('Chosen b', '.tile'), { ctrlKey: true });
  for (const id of ['new 2', 'new 3']) await arrives(id);
  expect(waiting).toHaveLength(3);
  expect(chosen()).toEqual(['a', 'b']);
});
