import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Board } from '../../../shared/board.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { useEntities } from '../../app/index.ts';
import { aBoard, freshBoard, keptBoard } from '../../testing/boardPage.ts';
import { acting, anAsset, byText, click, clickOn, fakeStudio, give, show, until } from '../../testing/page.tsx';
import { BoardPage } from './BoardPage.tsx';
import { useCastView } from './cast/useCastView.ts';
import { useSoundView } from './sound/useFilmSound.ts';
import { useBoardView } from './useBoard.ts';

const shotWith = (id: string, ...references: string[]) => ({
  id,
  model: '',
  config: {},
  source: 'references',
  referenceImages: references.map((assetId) => ({ assetId })),
});

/** A board whose uploads end when the test says so. */
async function open(shots: object[], more: object = {}) {
  const { answers, now } = keptBoard(aBoard(shots, more));
  const ends = new Map<string, (answer: Result<object>) => void>();
  const studio = fakeStudio(
    {
      ...answers,
      'library.list': () => ({
        assets: [anAsset({ id: 'harbour', name: 'harbour.wav', mime: 'audio/wav' })],
        total: 1,
      }),
      'library.get': ({ id }) =>
        id === 'harbour' ? anAsset({ id, name: 'harbour.wav', mime: 'audio/wav' }) : anAsset({ id, mime: 'image/png' }),
    },
    ((name: string) => new Promise((resolve) => ends.set(name, resolve))) as never,
  );
  await show(<BoardPage projectId={now().projectId} />);
  const end = (name: string, answer: Result<object> = ok(anAsset({ id: name, mime: 'image/png' }))) =>
    acting(() => ends.get(name)?.(answer));
  const saved = () => acting(() => undefined).then(now);
  return { studio, end, saved };
}

const drop = (name: string, slot: string) =>
  acting(() => {
    const event = new Event('drop', { bubbles: true, cancelable: true });
    Object.assign(event, { dataTransfer: { files: [new File(['x'], name)] } });
    byText(slot, '.slot button').dispatchEvent(event);
  });
const slots = () => [...document.querySelectorAll('.slot')].map((slot) => slot.textContent ?? '').join('|');
const referencesOf = ({ shots }: Board, id = 'a') =>
  shots.find((shot) => shot.id === id)?.referenceImages.map((ref) => ('assetId' in ref ? ref.assetId : ''));

beforeEach(() => freshBoard({ tab: 'shot' }));

it.each([[['A', 'B']], [['B', 'A']]])(
  'files that are dropped on two references both stay, whichever comes first: %s',
  async (order) => {
    const { end, saved } = await open([shotWith('a', 'X')]);
    await drop('A', labels.referenceN(1));
    await drop('B', labels.referenceN(2));
    for (const name of order) await end(name);
    await until(async () => expect(referencesOf(await saved())).toEqual(['A', 'B']));
  },
);

it('a reference that was taken out meanwhile does not come back with a file for another one, and the file finds its place', async () => {
  const { end, saved } = await open([shotWith('a', 'X', 'Y')]);
  await drop('A', labels.referenceN(2));
  await click(byText('Take out reference 1'));
  await end('A');
  await until(async () => expect(referencesOf(await saved())).toEqual(['A']));
});

it('of two files for one place the one that was dropped last stays', async () => {
  const { end, saved } = await open([{ ...shotWith('a'), source: 'first' }]);
  await drop('A', labels.firstFrame);
  await drop('B', labels.firstFrame);
  await end('B');
  await end('A');
  await until(async () => expect((await saved()).shots[0]?.image).toEqual({ assetId: 'B' }));
  expect(useEntities.getState().assets.has('A')).toBe(true);
});

it('a file that comes late goes into its own shot, and is told of there alone', async () => {
  const { end, saved } = await open([shotWith('a'), shotWith('b')]);
  await drop('A', labels.referenceN(1));
  expect(slots()).toContain('Importing');
  await acting(() => useBoardView.setState({ shotId: 'b' }));
  expect(slots()).not.toContain('Importing');
  await end('A', fail('unsupported_media', 'A is no picture.'));
  expect(slots()).not.toContain('A is no picture.');
  await acting(() => useBoardView.setState({ shotId: 'a' }));
  expect(slots()).toContain('A is no picture.');
  await drop('C', labels.referenceN(1));
  await acting(() => useBoardView.setState({ shotId: 'b' }));
  await end('C');
  await until(async () => expect(referencesOf(await saved())).toEqual(['C']));
  expect(referencesOf(await saved(), 'b')).toEqual([]);
});

it('a file for a sheet replaces that sheet, wherever it stands by then', async () => {
  useBoardView.setState({ tab: 'cast' });
  useCastView.setState({ memberId: 'm', isNew: false });
  const sheets = ['X', 'Y', 'Z'].map((assetId) => ({ assetId }));
  const { end, saved } = await open([shotWith('a')], { cast: [{ id: 'm', name: 'Ida', sheets }] });
  await drop('A', labels.sheet(2));
  await click(byText('Take out sheet 1'));
  await end('A');
  const sheetsNow = ({ cast }: Board) => cast?.[0]?.sheets.map(({ assetId }) => assetId);
  await until(async () => expect(sheetsNow(await saved())).toEqual(['A', 'Z']));
});

it('a file for the track does not take back the sound that was chosen meanwhile', async () => {
  useBoardView.setState({ tab: 'sound' });
  useSoundView.setState({ panel: 'track' });
  const { end } = await open([shotWith('a')]);
  const input = document.querySelector<HTMLInputElement>('input[aria-label="Sound file"]');
  if (!input) throw new Error('no place for a file');
  Object.defineProperty(input, 'files', { value: [new File(['x'], 'late.mp3')] });
  await acting(() => input.dispatchEvent(new Event('change', { bubbles: true })));
  await clickOn('harbour.wav', '.snd-library button');
  await end('late.mp3', ok(anAsset({ id: 'late', name: 'late.mp3', mime: 'audio/mpeg' })));
  expect(useEntities.getState().assets.has('late')).toBe(true);
  expect(document.querySelector('.mfile')?.textContent).toContain('harbour.wav');
});

it('a picture that is pasted on a slot goes there, and words do not', async () => {
  const { end, saved } = await open([shotWith('a')]);
  const slot = byText(labels.referenceN(1), '.slot button');
  expect((await give('paste', slot, [], 'Words')).defaultPrevented).toBe(false);
  expect((await give('paste', slot, [new File(['x'], 'A')])).defaultPrevented).toBe(true);
  await end('A');
  await until(async () => expect(referencesOf(await saved())).toEqual(['A']));
});

it('a picture that is pasted while a slot is chosen for goes there, and the choice is over', async () => {
  const { end, saved } = await open([shotWith('a')]);
  await click(byText(labels.referenceN(1), '.slot button'));
  const dialog = () => document.querySelector('[role=dialog]');
  await until(() => expect(dialog()).not.toBeNull());
  await give('paste', dialog() as Element, [new File(['x'], 'A')]);
  await end('A');
  await until(async () => expect(referencesOf(await saved())).toEqual(['A']));
  await until(() => expect(dialog()).toBeNull());
});
