import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { fail } from '../../../shared/contract/result.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import type { ChosenFigures } from '../../../shared/jobs/queueCalls.ts';
import { navigate, useEntities, useStudio } from '../../app/index.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import {
  type Answers,
  acting,
  aJob,
  byText,
  click,
  clickOn,
  jobsPage,
  press,
  scroll,
  type,
  until,
} from '../../testing/page.tsx';
import { freshQueue, openQueue } from '../../testing/queuePage.tsx';
import { selectJob, useQueueView } from './state.ts';

const job = (id: string, prompt: string, more: Partial<Job> = {}) =>
  aJob({ id, request: { kind: 'imagine', prompt }, ...more });
const waiting = Array.from({ length: 300 }, (_, n) => job(`j${n}`, `Prompt ${n}.`, { position: n }));
const failed = ['x', 'y', 'z'].map((id) => job(id, `Failed ${id}.`, { state: 'failed' }));
const price = { estimateNano: 3_000_000_000, lowNano: 1_000_000_000, unpriced: 0 };

const figures: ChosenFigures = {
  ...{ count: 3, waiting: 3, inNight: 0, cancelable: 3, sent: 0, ended: 0, dependents: 2 },
  ...{ bothSides: false, play: false, givenBackNano: 4_000_000_000, waitingPrice: price },
};
const lane = { kind: 'video', profileId: 'p', running: 1, atOnce: 2, waiting: 3, reservedNano: 8e9, unpriced: 0 };
const status = aQueueStatus({ running: 1, waiting: 300, lanes: [{ ...lane, paused: false }] });

/** The page with its first job in view. */
async function open(given: Partial<ChosenFigures> = {}, more: Answers = {}, jobs = [...waiting, ...failed]) {
  const studio = await openQueue(jobs, {
    'jobs.chosen': () => ({ ...figures, ...given }),
    'jobs.moveMany': () => ({ moved: 3, place: 1 }),
    'jobs.cancel': ({ id }) => aJob({ id, state: 'canceled' }),
    'jobs.cancelMany': () => ({ canceled: 3, failed: 2, left: [], leftCount: 0 }),
    'jobs.retryMany': () => ({ count: 3, jobIds: [], left: [], leftCount: 0 }),
    'night.assign': () => ({}) as never,
    'queue.pause': () => ({ ...status, revision: 2, lanes: [{ ...lane, paused: true }] }),
    'queue.resume': () => ({ ...status, revision: 3 }),
    ...more,
  });
  if (useQueueView.getState().tab === 'all') await until(() => row('Prompt 0.'));
  return studio;
}

beforeEach(() => {
  freshQueue(status);
  useStudio.setState({ activeProfileId: 'p', link: 'up' });
});

const list = () => document.querySelector('.qlist') as HTMLElement;
const row = (text: string) => byText(text, '.qrow');
const chosen = (...ids: string[]) =>
  until(() => {
    const rows = [...document.querySelectorAll('.qrow[aria-selected="true"]')].map(({ id }) => id);
    expect(rows).toEqual(ids.map((id) => `job-${id}`));
  });
const inBar = (text: string) => byText(text, '.cascade button');
const dialog = () => document.querySelector('[role="dialog"]');
const spend = () => press('Enter', { ctrlKey: true });

/** What has just been drawn listens to its keys once its effects have run. */
const keysAreHeard = () => press('Shift');

describe('jobs of the queue are chosen', () => {
  it('by keys: Shift with arrows, Ctrl with arrows and Space', async () => {
    const studio = await open();
    await click(row('Prompt 0.'));
    for (const key of ['ArrowDown', 'ArrowDown']) await press(key, { shiftKey: true }, list());
    await chosen('j0', 'j1', 'j2');
    await press('ArrowUp', { shiftKey: true }, list());
    await chosen('j0', 'j1');
    for (const key of ['ArrowDown', 'ArrowDown']) await press(key, { ctrlKey: true }, list());
    await press(' ', {}, list());
    await chosen('j0', 'j1', 'j3');
    await until(() => inBar(labels.first));
    await keysAreHeard();
    await press('Home', { altKey: true }, list());
    await until(() => expect(studio.callsOf('jobs.moveMany')).toEqual([{ ids: ['j0', 'j1', 'j3'], to: 'first' }]));
  });

  it('all of the list by a rule, also what was never read, and all but one', async () => {
    const studio = await open({ count: 303, waiting: 300 });
    await press('a', { ctrlKey: true }, list());
    await until(() => expect(byText(labels.selectedJobs, 'section').textContent).toContain('303 jobs selected'));
    const filter = { states: expect.arrayContaining(['queued', 'blocked', 'failed']) };
    const asked = (call: 'jobs.chosen' | 'jobs.moveMany') => studio.callsOf(call).at(-1);
    await until(() => expect(asked('jobs.chosen')).toEqual({ filter }));
    await click(row('Prompt 2.'), { ctrlKey: true });
    await until(() => expect(asked('jobs.chosen')).toEqual({ filter, except: ['j2'] }));
    await click(inBar(labels.last));
    await until(() => expect(asked('jobs.moveMany')).toEqual({ filter, except: ['j2'], to: 'last' }));
  });

  it('as a range of what stands between its ends now, over the groups too', async () => {
    const many = (name: string, count: number) =>
      Array.from({ length: count }, (_, n) => aJob({ id: `${name}${n}`, state: 'failed' }));
    let ended = many('old', 300);
    const jobs = () => [...waiting.slice(0, 3), ...ended];
    const studio = await open({}, { 'jobs.list': (filter) => jobsPage(jobs(), filter) });
    const card = (id: string) => document.getElementById(`job-${id}`) ?? expect.fail(`${id} is not in view`);
    for (const top of [3_000, 6_000, 100_000]) await scroll(list(), top);
    await until(() => card('old299'));
    await click(card('old299'));
    await scroll(list(), 0);
    const come = many('new', 50);
    ended = [...come, ...ended];
    await studio.emit({ type: 'job.changed', job: come[0] as Job });
    await until(() => card('new0'));
    await click(card('j1'), { shiftKey: true });
    await until(() => expect(useQueueView.getState().choice.ids.size).toBe(352));
  });

  it('by a link, also once more', async () => {
    window.location.hash = '#/queue?job=j1';
    await open();
    const selected = (id: string) => until(() => expect(useQueueView.getState().selectedId).toBe(id));
    await selected('j1');
    await acting(() => selectJob('j2'));
    await acting(() => navigate('queue', { job: 'j1' }));
    await selected('j1');
  });
});

it('the list is searched by a key', async () => {
  const studio = await open();
  await press('/');
  await type(document.activeElement as HTMLInputElement, 'quay');
  await until(() => expect(studio.callsOf('jobs.list')).toContainEqual(expect.objectContaining({ text: 'quay' })));
});

describe('one that is chosen', () => {
  type Waits = () => ReturnType<typeof jobsPage> | Promise<ReturnType<typeof jobsPage>>;
  const one = async (waitsFor: Waits) => {
    const listed: Answers['jobs.list'] = (filter) => (filter.waitsFor ? waitsFor() : jobsPage(waiting, filter));
    const studio = await open({}, { 'jobs.list': listed });
    await click(row('Prompt 1.'));
    return () => studio.callsOf('jobs.cancel');
  };

  it('is what keys act on, wherever they went, and nothing is once it is let go', async () => {
    const canceled = await one(() => ({ jobs: [], total: 0 }));
    for (const _ of [1, 2]) await click(row('Prompt 3.'), { ctrlKey: true });
    await chosen('j1');
    await press('Delete', {}, list());
    await until(() => expect(canceled()).toEqual([{ id: 'j1' }]));
    await click(row('Prompt 1.'), { ctrlKey: true });
    expect(document.querySelector('.cascade')).toBeNull();
    await press('Delete', {}, list());
    expect(canceled()).toHaveLength(1);
  });

  it('is asked about alone, though another is chosen before it is known what waits for it', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof jobsPage>>();
    const canceled = await one(() => promise);
    await press('Delete', {}, list());
    await click(row('Prompt 2.'));
    await acting(() => resolve({ jobs: waiting.slice(5, 6), total: 1 }));
    await keysAreHeard();
    expect([dialog(), canceled()]).toEqual([null, []]);
  });
});

describe('what is chosen is changed together', () => {
  const ids = ['j1', 'j2', 'j3'];
  async function three(given: Partial<ChosenFigures> = {}) {
    const studio = await open(given);
    await click(row('Prompt 1.'));
    await click(row('Prompt 3.'), { shiftKey: true });
    await until(() => inBar(labels.cancelN(3)));
    await keysAreHeard();
    return studio;
  }

  it('is canceled after the cascade was read', async () => {
    const studio = await three();
    await press('Delete', {}, list());
    await until(() => byText(labels.cancelJobs(3), '[role="dialog"] button'));
    expect(dialog()?.textContent).toContain('2 dependent jobs will not be sent.');
    expect(dialog()?.textContent).toContain('$4.00 is no longer reserved.');
    expect(studio.callsOf('jobs.cancelMany')).toEqual([]);
    await click(byText(labels.cancelJobs(3), '[role="dialog"] button'));
    await until(() => expect(studio.callsOf('jobs.cancelMany')).toEqual([{ ids }]));
  });

  it('of both kinds of money says what will not be sent, without a sum of both', async () => {
    await three({ bothSides: true, givenBackNano: 0, dependents: 0, sent: 1 });
    await press('Delete', {}, list());
    await until(() => byText(labels.cancelJobs(3), '[role="dialog"] button'));
    expect(dialog()?.textContent).toContain('2 jobs will not be sent. Sent jobs may still be made and billed.');
  });

  it('goes into the night at the price that is shown', async () => {
    const studio = await three();
    await click(inBar(labels.scheduleTonight));
    await until(() => byText(labels.planForTheNight(3), '[role="dialog"] button'));
    await until(() => expect(dialog()?.querySelector('.price')?.textContent).toBe('up to $3.00'));
    await spend();
    await until(() => expect(studio.callsOf('night.assign')).toEqual([{ ids, night: true, shown: price }]));
  });

  it('moves earlier and later as one block', async () => {
    const studio = await three();
    for (const [key, before] of [
      ['ArrowUp', 'j0'],
      ['ArrowDown', 'j5'],
    ] as const) {
      await press(key, { altKey: true }, list());
      await until(() => expect(studio.callsOf('jobs.moveMany').at(-1)).toMatchObject({ to: { before } }));
    }
  });

  it('is not priced together where it is of play money and of real money', async () => {
    await three({ bothSides: true });
    expect(inBar(labels.scheduleTonight).getAttribute('aria-disabled')).toBe('true');
  });
});

it('all that failed are requested again at one price, but for those whose gateway is gone', async () => {
  const studio = await open({ waiting: 0, cancelable: 0, ended: 3, withoutProfile: 1, againPrice: price });
  await clickOn(labels.retryFailed(3));
  await until(() => byText(labels.requestAgain(2), '[role="dialog"] button'));
  expect(dialog()?.textContent).toContain('gateway removed: 1 job.');
  await spend();
  const filter = { states: ['failed'] };
  await until(() => expect(studio.callsOf('jobs.retryMany')).toEqual([{ filter, shown: price }]));
  expect(studio.callsOf('jobs.chosen').at(-1)).toEqual({ filter, againPrice: true });
});

it('a job that was requested again says so, and leads to the one that stands for it', async () => {
  useQueueView.setState({ tab: 'failed' });
  useEntities.setState({ jobs: new Map(waiting.map((one) => [one.id, one])) });
  const twice = job('w', 'Twice.', { state: 'failed', retriedAs: 'j7' });
  const studio = await open({}, {}, [...waiting, ...failed, twice]);
  await until(() => expect(row('Twice.').textContent).toContain('Requested again'));
  await click(row('Twice.'));
  await press('r', {}, list());
  await until(() => expect(dialog()?.textContent).toContain('Already requested again'));
  expect(studio.callsOf('jobs.retry')).toEqual([]);
  await press('Escape');
  await click(byText('Requested again: Prompt 7', '.cascade button'));
  await until(() => expect(useQueueView.getState().selectedId).toBe('j7'));
});

it('a lane is paused where its count stands, and resumed with its price there', async () => {
  const studio = await open();
  expect(byText('Pause Videos').textContent).toContain('Videos 1 of 2');
  await click(byText('Pause Videos'));
  const named = { lane: { kind: 'video', profileId: 'p' } };
  await until(() => expect(studio.callsOf('queue.pause')).toEqual([named]));
  await until(() => expect(byText('Resume Videos').textContent).toContain('$8.00'));
  await click(byText('Resume Videos'));
  await until(() => expect(studio.callsOf('queue.resume')).toEqual([named]));
});

it.each([
  [labels.resumeAll, { ...status, paused: true }],
  ['Resume Videos', { ...status, lanes: [{ ...lane, paused: true }] }],
])('%s is asked again by itself where its answer was lost', async (label, queue) => {
  let lost = 1;
  const resume = () => (lost-- > 0 ? fail('unreachable', 'No answer came.') : { ...status, revision: 9 });
  useStudio.setState({ queue });
  const studio = await open({}, { 'queue.resume': resume as never });
  await until(() => expect(byText(label).getAttribute('aria-disabled')).toBeNull());
  await click(byText(label));
  await until(() => expect(studio.callsOf('queue.resume').length).toBe(2));
  await until(() => byText(labels.pauseAll));
  await until(() => byText('Pause Videos'));
});

describe('what is chosen is dragged together', () => {
  /** Three jobs are chosen; a pointer carries what a drag has set, and the picture that goes with it. */
  async function threeChosen() {
    const studio = await open();
    await click(row('Prompt 3.'));
    await click(row('Prompt 5.'), { shiftKey: true });
    await chosen('j3', 'j4', 'j5');
    const data = new Map<string, string>();
    const pictures: string[] = [];
    const dataTransfer = {
      get types() {
        return [...data.keys()];
      },
      setData: (type: string, text: string) => void data.set(type, text),
      getData: (type: string) => data.get(type) ?? '',
      setDragImage: (picture: Element) => void pictures.push(picture.textContent ?? ''),
      ...{ effectAllowed: '', files: [] },
    };
    const send = (target: Element, type: string) =>
      acting(() => {
        const event = new Event(type, { bubbles: true, cancelable: true });
        target.dispatchEvent(Object.assign(event, { dataTransfer }));
      });
    return { send, pictures, moved: () => studio.callsOf('jobs.moveMany') };
  }
  const ids = ['j3', 'j4', 'j5'];

  it('to the place that the bar shows, with their number beside the pointer', async () => {
    const { send, pictures, moved } = await threeChosen();
    await send(row('Prompt 4.'), 'dragstart');
    expect(pictures).toEqual(['3 jobs']);
    await send(row('Prompt 1.'), 'dragover');
    expect(row('Prompt 1.').className).toContain('drop');
    await send(row('Prompt 1.'), 'drop');
    await until(() => expect(moved()).toEqual([{ ids, to: { before: 'j1' } }]));
    expect(row('Prompt 1.').className).not.toContain('drop');
  });

  it('behind the last one where they are dropped below all rows, and nowhere where they are dropped on themselves', async () => {
    const { send, moved } = await threeChosen();
    await send(row('Prompt 4.'), 'dragstart');
    await send(row('Prompt 5.'), 'drop');
    expect(moved()).toEqual([]);
    await send(list(), 'drop');
    await until(() => expect(moved()).toEqual([{ ids, to: 'last' }]));
  });

  it('one that is not chosen goes alone', async () => {
    const { send, pictures, moved } = await threeChosen();
    await send(row('Prompt 7.'), 'dragstart');
    await send(row('Prompt 0.'), 'drop');
    await until(() => expect(moved()).toEqual([{ ids: ['j7'], to: { before: 'j0' } }]));
    expect(pictures).toEqual([]);
  });

  it('what is no job of the queue is not taken', async () => {
    const { send, moved } = await threeChosen();
    await send(row('Prompt 1.'), 'dragover');
    expect(row('Prompt 1.').className).not.toContain('drop');
    await send(row('Prompt 1.'), 'drop');
    expect(moved()).toEqual([]);
  });
});
