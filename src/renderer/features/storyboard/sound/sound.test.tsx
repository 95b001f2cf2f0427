import { beforeEach, expect, test } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import type { Asset } from '../../../../shared/asset.ts';
import { type Board, boardSchema } from '../../../../shared/board.ts';
import { fail } from '../../../../shared/result.ts';
import { newTrack } from '../../../../shared/sound/track.ts';
import { freshBoard } from '../../../testing/boardPage.ts';
import { acting, byText, click, fakeStudio, press, show, type, until } from '../../../testing/page.tsx';
import { BoardPage } from '../BoardPage.tsx';
import { emptyShot } from '../model/shots.ts';
import { dividedSubtitle, importedSubtitles } from './soundEdits.ts';
import { useSoundView } from './useFilmSound.ts';

const music = {
  id: 'music',
  name: 'theme.wav',
  mime: 'audio/wav',
  seconds: 48,
  state: 'local',
  role: 'source',
  sha256: 'ab'.repeat(32),
  createdAt: 0,
} as Asset;

let count = 0;

/** A film of two shots without takes, 4 s each; answers saves like the studio does. The answer to the first one is lost (`isMute`). */
async function open(content: Partial<Board> = {}, isMute = false) {
  count += 1;
  const projectId = `film-${count}`;
  let board = boardSchema.parse({
    projectId,
    revision: 0,
    shots: [
      { id: 'a', prompt: 'Harbour', config: { durationSeconds: 4 } },
      { id: 'b', prompt: 'Lamp', config: { durationSeconds: 4 } },
    ],
    ...content,
  });
  const studio = fakeStudio({
    'storyboard.get': () => board,
    'storyboard.save': (saved) => {
      if (saved.revision !== board.revision) return fail('conflict', 'The board has a newer revision.');
      board = boardSchema.parse({ ...board, ...saved, revision: board.revision + 1 });
      return isMute && board.revision === 1 ? fail('unreachable', 'The answer was lost.') : board;
    },
    'jobs.list': () => ({ jobs: [], total: 0 }),
    'library.get': () => music,
    'library.list': () => ({ assets: [music], total: 1 }),
  });
  await show(<BoardPage projectId={projectId} />);
  return { studio, saved: () => board };
}

const lane = (name: string) => [...document.querySelectorAll('.lane')].find((one) => one.textContent?.startsWith(name));
const subtitle = (id: string, startMs: number, endMs: number, text: string) => ({ id, startMs, endMs, text });
const saveNow = () => acting(() => window.dispatchEvent(new Event('pagehide')));

beforeEach(() => {
  freshBoard({ tab: 'sound' });
  useSoundView.setState({ panel: 'track', chosen: undefined });
});

test('a sound of the library is laid under the film, with its level line in the lane', async () => {
  const { saved } = await open();
  await click(byText('theme.wav'));
  await saveNow();
  expect(saved().sound?.track).toMatchObject({ assetId: 'music', in: 0, level: -6 });
  expect(lane(labels.track)?.querySelector('polyline')?.getAttribute('points')).toContain('0,100.0');
});

test('the ends of the track are moved by arrows, with Shift by a second, and not past each other', async () => {
  const track = newTrack('music');
  const { saved } = await open({ sound: { track } } as never);
  await until(() => expect(document.querySelectorAll('.trim')).toHaveLength(2));
  const [first, last] = [...document.querySelectorAll<HTMLElement>('.trim')];
  const ends = async (handle: HTMLElement | undefined, ...keys: [key: string, shiftKey?: boolean][]) => {
    for (const [key, shiftKey = false] of keys) await press(key, { shiftKey }, handle);
    await saveNow();
    return saved().sound?.track;
  };
  const right = await ends(first, ['ArrowRight'], ['ArrowRight'], ['ArrowRight', true], ['ArrowLeft']);
  expect(right).toMatchObject({ in: 1.1 });
  expect(first?.getAttribute('aria-valuetext')).toMatch(/1\.1 of the file/);
  expect(await ends(first, ['Home'])).toMatchObject({ in: 0 });
  expect(await ends(last, ['ArrowLeft', true], ['ArrowLeft'])).toMatchObject({ out: 6.9 });
  expect(await ends(last, ['Home'], ['ArrowLeft'])).toMatchObject({ out: 0.1 });
});

test('subtitles stand on the film’s time, and leave it with their shot', async () => {
  const words = [subtitle('1', 1_000, 3_000, 'The last boat leaves at ten.')];
  const board = {
    shots: [
      { id: 'a', config: { durationSeconds: 4 }, subtitles: words },
      { id: 'b', config: { durationSeconds: 4 }, subtitles: [subtitle('1', 500, 2_500, 'Nobody waits.')] },
    ],
  } as unknown as Partial<Board>;
  await open(board);
  await click(byText('Words'));
  const times = () => [...document.querySelectorAll('.sut tbody tr')].map((row) => row.children[1]?.textContent);
  expect(times()).toEqual(['0:01.0', '0:04.5']);
  await press('v');
  expect(times()).toEqual(['0:00.5']);
});

test('a subtitle that is too fast says so, and stands longer by its key', async () => {
  const fast = subtitle('1', 0, 1_000, 'I counted the lights until I lost one.');
  const { saved } = await open({ shots: [{ id: 'a', config: { durationSeconds: 4 }, subtitles: [fast] }] } as never);
  await click(byText('Words'));
  expect(document.body.textContent).toContain('above 17');
  await press('1');
  await saveNow();
  expect(saved().shots[0]?.subtitles?.[0]?.endMs).toBe(2_236);
  expect(document.body.textContent).not.toContain('above 17');
});

test('words are added at the playhead, Alt and Enter begin a line, Enter goes on to the next one', async () => {
  const next = subtitle('2', 3_000, 3_500, 'Land');
  const shots = [{ id: 'a', config: { durationSeconds: 4 }, subtitles: [next] }];
  const { saved } = await open({ shots } as never);
  await press('T', { shiftKey: true });
  const area = () => document.querySelector<HTMLTextAreaElement>('textarea.snd-area');
  const field = area();
  if (!field) throw new Error('there is no field for the words');
  await type(field, 'Sea');
  await press('Enter', { altKey: true }, field);
  await saveNow();
  expect(saved().shots[0]?.subtitles).toMatchObject([{ startMs: 0, endMs: 2_000, text: 'Sea\n' }, next]);
  await press('Enter', {}, field);
  expect(area()?.value).toBe('Land');
});

test('where only the answer to its save was lost, a subtitle that was added is there once', async () => {
  const words = [subtitle('1', 3_000, 4_000, 'Sea and land')];
  const shots = [{ id: 'a', config: { durationSeconds: 4 }, subtitles: words }];
  const { studio, saved } = await open({ shots } as never, true);
  await click(byText('Words'));
  await press('T', { shiftKey: true });
  await saveNow();
  await until(() => expect(saved().shots[0]?.subtitles).toHaveLength(2));
  await saveNow();
  await until(() => expect(studio.callsOf('storyboard.save').length).toBeGreaterThan(1));
  await saveNow();
  expect([...document.querySelectorAll('.sut tbody tr')]).toHaveLength(2);
});

test('a subtitle is divided once, also where the change is made on a board that has it', () => {
  const shots = [{ ...emptyShot('a', ''), subtitles: [subtitle('1', 0, 2_000, 'Sea and land')] }];
  const divide = dividedSubtitle('a', [subtitle('1', 0, 1_000, 'Sea'), subtitle('2', 1_000, 2_000, 'and land')]);
  const once = divide(shots);
  expect(once[0]?.subtitles).toHaveLength(2);
  expect(divide(once)).toEqual(once);
});

test('the limit of the reading speed is changed where it is read', async () => {
  const words = [subtitle('1', 0, 1_000, 'Twenty characters it')];
  const { saved } = await open({ shots: [{ id: 'a', config: { durationSeconds: 4 }, subtitles: words }] } as never);
  await click(byText('Words'));
  const limit = document.querySelector<HTMLInputElement>('.cps input[inputmode]');
  if (!limit) throw new Error('the limit cannot be changed');
  await type(limit, '25');
  await saveNow();
  expect(saved().words?.readingLimit).toBe(25);
  expect(document.body.textContent).toContain('0 above your limit');
});

async function importFile(text: string): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('input[aria-label="File of subtitles"]');
  if (!input) throw new Error('no file can be chosen');
  Object.defineProperty(input, 'files', { value: [new File([text], 'film.srt')] });
  await acting(() => input.dispatchEvent(new Event('change', { bubbles: true })));
}

test('a file of which nothing stands over the film changes nothing, and says so', async () => {
  const words = [subtitle('1', 0, 2_000, 'Rain again.')];
  const shots = [{ id: 'a', prompt: 'Harbour', config: { durationSeconds: 4 }, subtitles: words }];
  const { studio, saved } = await open({ shots } as never);
  await click(byText('Words'));
  await importFile('1\n01:00:01,000 --> 01:00:03,000\nOver the joint\n');
  await until(() => expect(document.body.textContent).toContain('None stands over the film: nothing was changed.'));
  await saveNow();
  expect(studio.callsOf('storyboard.save')).toEqual([]);
  expect(saved().shots[0]?.subtitles).toEqual(words);
});

test('an imported file is laid on the shots, and what cannot be read is told by line', async () => {
  const { saved } = await open();
  await click(byText('Words'));
  const text =
    '1\n00:00:03,000 --> 00:00:05,000\nOver the joint\n\nno time\n\n2\n00:00:09,000 --> 00:00:10,000\nLate\n';
  await importFile(text);
  await until(() => expect(document.body.textContent).toContain('Line 5: Here stands no subtitle'));
  expect(document.body.textContent).toContain('1 subtitle after the end of the film was left out.');
  await saveNow();
  const times = saved().shots.map(({ subtitles = [] }) => subtitles.map(({ startMs, endMs }) => [startMs, endMs]));
  expect(times).toEqual([[[3_000, 4_000]], [[0, 1_000]]]);
});

test('imported subtitles are the same each time that the change is made', () => {
  let made = 0;
  const cues = [{ startMs: 0, endMs: 900, text: 'Rain again.' }];
  const edit = importedSubtitles({ byShot: new Map([['a', cues]]), leftOut: [] }, new Set(['a', 'b']), () => {
    made += 1;
    return `s${made}`;
  });
  const old = { ...emptyShot('b', 'm'), subtitles: [subtitle('old', 0, 900, 'Gone.')] };
  const shots = [emptyShot('a', 'm'), old, { ...old, id: 'skipped' }];
  const once = edit(shots);
  expect(once.map(({ subtitles }) => subtitles)).toEqual([[{ id: 's1', ...cues[0] }], undefined, old.subtitles]);
  expect(edit(shots)).toEqual(once);
});
