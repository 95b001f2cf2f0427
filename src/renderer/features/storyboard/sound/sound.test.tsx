import { beforeEach, expect, test } from 'vitest';
import { labels } from '../../../../../test/labels.ts';

import { newTrack } from '../../../../shared/film/sound/track.ts';
import type { Subtitle } from '../../../../shared/film/subtitles/subtitle.ts';
import { aShot, freshBoard, openBoard, saveNow } from '../../../testing/boardPage.tsx';
import { acting, anAsset, byText, click, press, type, until } from '../../../testing/page.tsx';
import { dividedSubtitle, importedSubtitles } from './soundEdits.ts';
import { useSoundView } from './useFilmSound.ts';

const music = anAsset({ id: 'music', name: 'theme.wav', mime: 'audio/wav', seconds: 48, role: 'source' });

const subtitle = (id: string, startMs: number, endMs: number, text: string): Subtitle => ({ id, startMs, endMs, text });
const worded = (id: string, ...subtitles: Subtitle[]) => aShot(id, subtitles.length > 0 ? { subtitles } : {});

/** Opens a film of shots without takes, 4 s each; by default two of them. */
const open = (content: object = {}, isMute = false) =>
  openBoard(
    { shots: [worded('a'), worded('b')], ...content },
    { isMute, 'library.get': () => music, 'library.list': () => ({ assets: [music], total: 1 }) },
  );

/** Opens the subtitles of a film of one shot. */
async function openWords(words: Subtitle[], isMute = false) {
  const { studio, saved } = await open({ shots: [worded('a', ...words)] }, isMute);
  await click(byText('Subtitles'));
  return { studio, saved, subtitles: () => saved().shots[0]?.subtitles };
}
const page = () => document.body.textContent;

beforeEach(() => {
  freshBoard({ tab: 'sound' });
  useSoundView.setState({ panel: 'track', chosen: undefined });
});

test('a sound of the library is laid under the film, with its level line in the lane', async () => {
  const { saved } = await open();
  await until(() => byText('theme.wav'));
  await click(byText('theme.wav'));
  await saveNow();
  expect(saved().sound?.track).toMatchObject({ assetId: 'music', in: 0, level: -6 });
  const lane = [...document.querySelectorAll('.lane')].find(({ textContent }) => textContent?.startsWith(labels.track));
  expect(lane?.querySelector('polyline')?.getAttribute('points')).toContain('0,100.0');
});

test('the ends of the track are moved by arrows, with Shift by a second, and not past each other', async () => {
  const { saved } = await open({ sound: { track: newTrack('music') } });
  await until(() => expect(document.querySelectorAll('.trim')).toHaveLength(2));
  const [first, last] = [...document.querySelectorAll<HTMLElement>('.trim')];
  const ends = async (handle: HTMLElement | undefined, ...keys: [key: string, shiftKey?: boolean][]) => {
    for (const [key, shiftKey = false] of keys) await press(key, { shiftKey }, handle);
    await saveNow();
    return saved().sound?.track;
  };
  const right = await ends(first, ['ArrowRight'], ['ArrowRight'], ['ArrowRight', true], ['ArrowLeft']);
  expect(right).toMatchObject({ in: 1.1 });
  expect(first?.getAttribute('aria-valuetext')).toBe('0:01.1');
  expect(await ends(first, ['Home'])).toMatchObject({ in: 0 });
  expect(await ends(last, ['ArrowLeft', true], ['ArrowLeft'])).toMatchObject({ out: 6.9 });
  expect(await ends(last, ['Home'], ['ArrowLeft'])).toMatchObject({ out: 0.1 });
});

test('subtitles stand on the film’s time, and leave it with their shot', async () => {
  const shots = [
    worded('a', subtitle('1', 1_000, 3_000, 'The last boat leaves at ten.')),
    worded('b', subtitle('1', 500, 2_500, 'Nobody waits.')),
  ];
  await open({ shots });
  await click(byText('Subtitles'));
  const times = () =>
    [...document.querySelectorAll('[aria-label=Subtitles] tbody tr')].map((row) => row.children[1]?.textContent);
  expect(times()).toEqual(['0:01.0', '0:04.5']);
  await press('v');
  expect(times()).toEqual(['0:00.5']);
});

test('a subtitle that is too fast says so, and stands longer by its key', async () => {
  const { subtitles } = await openWords([subtitle('1', 0, 1_000, 'I counted the lights until I lost one.')]);
  expect(page()).toContain('Above 17');
  await press('1');
  await saveNow();
  expect(subtitles()?.[0]?.endMs).toBe(2_236);
  expect(page()).not.toContain('Above 17');
});

test('words are added at the playhead, Alt and Enter begin a line, Enter goes on to the next one', async () => {
  const next = subtitle('2', 3_000, 3_500, 'Land');
  const { subtitles } = await openWords([next]);
  await press('T', { shiftKey: true });
  const area = () => document.querySelector('textarea.sndArea') as HTMLTextAreaElement;
  const field = area();
  await type(field, 'Sea');
  await press('Enter', { altKey: true }, field);
  await saveNow();
  expect(subtitles()).toMatchObject([{ startMs: 0, endMs: 2_000, text: 'Sea\n' }, next]);
  await press('Enter', {}, field);
  expect(area().value).toBe('Land');
});

test('where only the answer to its save was lost, a subtitle that was added is there once', async () => {
  const { studio, subtitles } = await openWords([subtitle('1', 3_000, 4_000, 'Sea and land')], true);
  await press('T', { shiftKey: true });
  await saveNow();
  await until(() => expect(subtitles()).toHaveLength(2));
  await saveNow();
  await until(() => expect(studio.callsOf('storyboard.save').length).toBeGreaterThan(1));
  await saveNow();
  expect([...document.querySelectorAll('[aria-label=Subtitles] tbody tr')]).toHaveLength(2);
});

test('a subtitle is divided once, also where the change is made on a board that has it', () => {
  const shots = [worded('a', subtitle('1', 0, 2_000, 'Sea and land'))];
  const divide = dividedSubtitle('a', [subtitle('1', 0, 1_000, 'Sea'), subtitle('2', 1_000, 2_000, 'and land')]);
  const once = divide(shots);
  expect(once[0]?.subtitles).toHaveLength(2);
  expect(divide(once)).toEqual(once);
});

test('the limit of the reading speed is changed where it is read', async () => {
  const { saved } = await openWords([subtitle('1', 0, 1_000, 'Twenty characters it')]);
  await type(document.querySelector('.cps input[inputmode]') as HTMLInputElement, '25');
  await saveNow();
  expect(saved().words?.readingLimit).toBe(25);
});

async function importFile(text: string): Promise<void> {
  const input = document.querySelector('input[aria-label="File of subtitles"]') as HTMLInputElement;
  Object.defineProperty(input, 'files', { value: [new File([text], 'film.srt')] });
  await acting(() => input.dispatchEvent(new Event('change', { bubbles: true })));
}

test('a file of which nothing stands over the film changes nothing, and says so', async () => {
  const words = [subtitle('1', 0, 2_000, 'Rain again.')];
  const { studio, subtitles } = await openWords(words);
  await importFile('1\n01:00:01,000 --> 01:00:03,000\nOver the joint\n');
  await until(() => expect(page()).toContain('Nothing was changed.'));
  await saveNow();
  expect(studio.callsOf('storyboard.save')).toEqual([]);
  expect(subtitles()).toEqual(words);
});

test('an imported file is laid on the shots, and what cannot be read is told by line', async () => {
  const { saved } = await open();
  await click(byText('Subtitles'));
  const late = '2\n00:00:09,000 --> 00:00:10,000\nLate\n';
  await importFile(`1\n00:00:03,000 --> 00:00:05,000\nOver the joint\n\nno time\n\n${late}`);
  await until(() => expect(page()).toContain('Line 5: '));
  expect(page()).toContain('Left out, after the end of the film: 1 subtitle');
  await saveNow();
  const times = saved().shots.map(({ subtitles = [] }) => subtitles.map(({ startMs, endMs }) => [startMs, endMs]));
  expect(times).toEqual([[[3_000, 4_000]], [[0, 1_000]]]);
});

test('imported subtitles are the same each time that the change is made', () => {
  let made = 0;
  const cues = [{ startMs: 0, endMs: 900, text: 'Rain again.' }];
  const found = { byShot: new Map([['a', cues]]), leftOut: [] };
  const edit = importedSubtitles(found, new Set(['a', 'b']), () => `s${++made}`);
  const old = worded('b', subtitle('old', 0, 900, 'Gone.'));
  const shots = [worded('a'), old, { ...old, id: 'skipped' }];
  const once = edit(shots);
  expect(once.map(({ subtitles }) => subtitles)).toEqual([[{ id: 's1', ...cues[0] }], undefined, old.subtitles]);
  expect(edit(shots)).toEqual(once);
});
