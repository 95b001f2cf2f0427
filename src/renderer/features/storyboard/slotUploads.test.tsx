import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Shot } from '../../../shared/board/board.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { useEntities } from '../../app/index.ts';
import { aShot, freshBoard, openBoard } from '../../testing/boardPage.tsx';
import { acting, anAsset, byText, click, clickOn, give, until } from '../../testing/page.tsx';
import { useCastView } from './cast/useCast.ts';
import { useSoundView } from './sound/useFilmSound.ts';
import { useBoardView } from './useBoard.ts';

const sound = anAsset({ id: 'harbour', name: 'harbour.wav', mime: 'audio/wav' });
const shotWith = (id: string, ...references: string[]): Shot =>
  aShot(id, { source: 'references', referenceImages: references.map((assetId) => ({ assetId })) });

/** A board whose uploads end when the test says so. */
async function open(shots: Shot[], more: object = {}) {
  const ends = new Map<string, (answer: Result<object>) => void>();
  const { saved } = await openBoard(
    { shots, ...more },
    {
      'library.list': () => ({ assets: [sound], total: 1 }),
      'library.get': ({ id }) => (id === sound.id ? sound : anAsset({ id })),
      uploads: (name) => new Promise((resolve) => ends.set(name, resolve)),
    },
  );
  const end = (name: string, answer: Result<object> = ok(anAsset({ id: name }))) =>
    acting(() => ends.get(name)?.(answer));
  const references = (ids: string[], id = 'a') =>
    until(() => {
      const shot = saved().shots.find((one) => one.id === id);
      expect(shot?.referenceImages).toEqual(ids.map((assetId) => ({ assetId })));
    });
  return { end, saved, references };
}

const file = (name: string) => new File(['x'], name);
const drop = async (name: string, slot: string) => {
  await until(() => byText(slot, '.slot button'));
  await give('drop', byText(slot, '.slot button'), [file(name)]);
};
const slots = () => [...document.querySelectorAll('.slot')].map((slot) => slot.textContent ?? '').join('|');
const choose = (shotId: string) => acting(() => useBoardView.setState({ shotId }));

beforeEach(() => freshBoard());

it.each(['AB', 'BA'])('files that are dropped on two references both stay, as they end: %s', async (order) => {
  const { end, references } = await open([shotWith('a', 'X')]);
  await drop('A', labels.referenceN(1));
  await drop('B', labels.referenceN(2));
  for (const name of order) await end(name);
  await references(['A', 'B']);
});

it('a reference that was taken out meanwhile does not come back with a file for another one', async () => {
  const { end, references } = await open([shotWith('a', 'X', 'Y')]);
  await drop('A', labels.referenceN(2));
  await click(byText('Clear Reference 1'));
  await end('A');
  await references(['A']);
});

it('of two files for one place the one that was dropped last stays', async () => {
  const { end, saved } = await open([aShot('a', { source: 'first' })]);
  await drop('A', labels.firstFrame);
  await drop('B', labels.firstFrame);
  await end('B');
  await end('A');
  await until(() => expect(saved().shots[0]?.image).toEqual({ assetId: 'B' }));
  expect(useEntities.getState().assets.has('A')).toBe(true);
});

it('a file that comes late goes into its own shot, and is told of there alone', async () => {
  const { end, references } = await open([shotWith('a'), shotWith('b')]);
  await drop('A', labels.referenceN(1));
  expect(slots()).toContain('Importing');
  await choose('b');
  expect(slots()).not.toContain('Importing');
  await end('A', fail('unsupported_media', 'A is no picture.'));
  expect(slots()).not.toContain('A is no picture.');
  await choose('a');
  expect(slots()).toContain('A is no picture.');
  await drop('C', labels.referenceN(1));
  await choose('b');
  await end('C');
  await references(['C']);
  await references([], 'b');
});

it('a file for a sheet replaces that sheet, wherever it stands by then', async () => {
  useBoardView.setState({ tab: 'cast' });
  useCastView.setState({ memberId: 'm', isNew: false });
  const sheets = ['X', 'Y', 'Z'].map((assetId) => ({ assetId }));
  const { end, saved } = await open([shotWith('a')], { cast: [{ id: 'm', name: 'Ida', sheets }] });
  await drop('A', labels.referenceN(2));
  await click(byText('Clear Reference 1'));
  await end('A');
  await until(() => expect(saved().cast?.[0]?.sheets).toMatchObject([{ assetId: 'A' }, { assetId: 'Z' }]));
});

it('a file for the track does not take back the sound that was chosen meanwhile', async () => {
  useBoardView.setState({ tab: 'sound' });
  useSoundView.setState({ panel: 'track' });
  const { end } = await open([shotWith('a')]);
  const input = document.querySelector('input[aria-label="Sound file"]') as HTMLInputElement;
  Object.defineProperty(input, 'files', { value: [file('late.mp3')] });
  await acting(() => input.dispatchEvent(new Event('change', { bubbles: true })));
  await clickOn('harbour.wav', 'ul button');
  await end('late.mp3', ok(anAsset({ id: 'late', name: 'late.mp3', mime: 'audio/mpeg' })));
  expect(useEntities.getState().assets.has('late')).toBe(true);
  expect(document.querySelector('aside .sec')?.textContent).toContain('harbour.wav');
});

it('a picture that is pasted on a slot goes there, and words do not', async () => {
  const { end, references } = await open([shotWith('a')]);
  const slot = byText(labels.referenceN(1), '.slot button');
  expect((await give('paste', slot, [], 'Subtitles')).defaultPrevented).toBe(false);
  expect((await give('paste', slot, [file('A')])).defaultPrevented).toBe(true);
  await end('A');
  await references(['A']);
});

it('a picture that is pasted while a slot is chosen for goes there, and the choice is over', async () => {
  const { end, references } = await open([shotWith('a')]);
  await click(byText(labels.referenceN(1), '.slot button'));
  const dialog = () => document.querySelector('[role=dialog]');
  await until(() => expect(dialog()).not.toBeNull());
  await give('paste', dialog() as Element, [file('A')]);
  await end('A');
  await references(['A']);
  await until(() => expect(dialog()).toBeNull());
});
