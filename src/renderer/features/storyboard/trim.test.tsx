import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { aShot, aTake, freshBoard, openBoard, saveNow } from '../../testing/boardPage.tsx';
import { byText, click, press, until } from '../../testing/page.tsx';

/** A film of two shots of four seconds, the second with two takes. */
async function open() {
  const shots = [
    aShot('a', { takes: ['t1'], activeTake: 't1' }),
    aShot('b', { takes: ['t2', 't3'], activeTake: 't2' }),
  ];
  const board = await openBoard({ shots }, { jobs: ['t1', 't2', 't3'].map((id) => aTake(id)) });
  await until(() => expect(slider(labels.inPointOf(1))).toBeTruthy());
  const trims = async (index: number) => {
    await saveNow();
    return board.saved().shots[index]?.trims;
  };
  return { ...board, trims };
}

const slider = (name: string) => document.querySelector(`[role=slider][aria-label="${name}"]`) as HTMLElement;
const film = () => slider(labels.timeOfTheFilm);
const values = (name: string) =>
  ['valuemin', 'valuenow', 'valuemax'].map((field) =>
    Number(Number(slider(name).getAttribute(`aria-${field}`)).toFixed(3)),
  );
const now = () => Number(film().getAttribute('aria-valuenow'));
/** Moves a second ahead once the player exists, which then hears the key. */
async function goOn() {
  const to = now() + 1;
  await until(async () => {
    if (now() < to - 0.5) await press('ArrowRight', {}, film());
    expect(now()).toBeCloseTo(to, 1);
  });
}

beforeEach(() => freshBoard());

it('I and O at the playhead cut the selected take to what is seen from the one to the other', async () => {
  const { trims } = await open();
  expect(film().getAttribute('aria-valuemax')).toBe('8');
  await goOn();
  await press('i');
  await until(() => expect(film().getAttribute('aria-valuemax')).toBe('7'));
  // The visible frame stays and is the first one now.
  expect(film().getAttribute('aria-valuetext')).toBe('00:00:00:00');
  await goOn();
  await press('o');
  await until(() => expect(Number(film().getAttribute('aria-valuemax'))).toBeCloseTo(4 + 25 / 24, 2));
  expect(await trims(0)).toEqual([{ take: 't1', inMs: 1_000, outMs: 2_042 }]);
  expect(document.querySelector('.viewHead')?.textContent).toContain('Selected take, 1 s');
  expect(document.querySelector('.viewHead .facts')?.getAttribute('title')).toContain('Trimmed from 4 s.');
});

it('points that leave nearly nothing are not set', async () => {
  const { trims } = await open();
  await press('o');
  expect(await trims(0)).toBeUndefined();
  expect(document.body.textContent).toContain('At least 100 ms of the take must play.');
});

it('the handles move by a frame, with Shift by a second, and to the ends of the clip', async () => {
  const { trims } = await open();
  const [first, last] = [labels.inPointOf(1), labels.outPointOf(1)];
  expect([values(first), values(last)]).toEqual([
    [0, 0, 3.875],
    [0.125, 4, 4],
  ]);
  await press('ArrowRight', { shiftKey: true }, slider(first));
  await press('ArrowRight', {}, slider(first));
  await press('ArrowLeft', {}, slider(last));
  expect(await trims(0)).toEqual([{ take: 't1', inMs: 1_042, outMs: 3_958 }]);
  expect([values(first)[1], values(last)]).toEqual([1.042, [1.167, 3.958, 4]]);
  // The frame at the moved point is shown: the last one.
  expect(film().getAttribute('aria-valuetext')).toBe('00:00:02:21');
  await press('Home', {}, slider(first));
  await press('End', {}, slider(last));
  expect(await trims(0)).toBeUndefined();
});

it('a trim belongs to its take: another one plays whole, and the first is still cut', async () => {
  const { trims } = await open();
  await click(document.getElementById('shot-b') as HTMLElement);
  const end = labels.outPointOf(2);
  await until(() => expect(slider(end)).toBeTruthy());
  await press('ArrowLeft', { shiftKey: true }, slider(end));
  expect(values(end)[1]).toBe(3);
  const choose = (take: string) => click(document.getElementById(`take-${take}`) as HTMLElement);
  await choose('t3');
  await until(() => expect(values(end)[1]).toBe(4));
  await choose('t2');
  await until(() => expect(values(end)[1]).toBe(3));
  await click(document.querySelector('aside .bar [aria-label="Shot menu"]') as HTMLElement);
  await click(byText(labels.clearTrim, '[role=menuitem]'));
  await until(() => expect(values(end)[1]).toBe(4));
  expect(await trims(1)).toBeUndefined();
});
