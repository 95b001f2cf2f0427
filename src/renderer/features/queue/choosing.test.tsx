import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { CallInput } from '../../../shared/contract.ts';
import type { Job } from '../../../shared/job.ts';
import type { ChosenFigures } from '../../../shared/queueCalls.ts';
import { fail } from '../../../shared/result.ts';
import { useEntities, useStudio } from '../../app/index.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import {
  acting,
  aJob,
  byText,
  click,
  clickOn,
  fakeStudio,
  jobsPage,
  press,
  show,
  type,
  until,
} from '../../testing/page.tsx';
import { freshQueue, queueOf } from '../../testing/queuePage.tsx';
import { QueuePage } from './QueuePage.tsx';
import { useQueueView } from './state.ts';

const waiting = Array.from({ length: 300 }, (_, n) =>
  aJob({ id: `j${n}`, position: n, request: { kind: 'imagine', prompt: `Prompt ${n}.` } }),
);
const failed = ['x', 'y', 'z'].map((id) =>
  aJob({ id, state: 'failed', request: { kind: 'imagine', prompt: `Failed ${id}.` } }),
);
const price = { estimateNano: 3_000_000_000, lowNano: 1_000_000_000, unpriced: 0 };

const figures = (given: Partial<ChosenFigures> = {}): ChosenFigures => ({
  count: 3,
  waiting: 3,
  inNight: 0,
  cancelable: 3,
  sent: 0,
  ended: 0,
  dependents: 2,
  bothSides: false,
  play: false,
  givenBackNano: 4_000_000_000,
  waitingPrice: price,
  ...given,
});

const lane = { kind: 'video', profileId: 'p', running: 1, atOnce: 2, waiting: 3, reservedNano: 8e9, unpriced: 0 };
const status = aQueueStatus({ running: 1, waiting: 300, lanes: [{ ...lane, paused: false }] });

function answersOf(given: Partial<ChosenFigures>, jobs: Job[]): Parameters<typeof fakeStudio>[0] {
  return {
    ...queueOf(jobs),
    'jobs.chosen': () => figures(given),
    'jobs.moveMany': () => ({ moved: 3, place: 1 }),
    'jobs.cancelMany': () => ({ canceled: 3, failed: 2, left: [], leftCount: 0 }),
    'jobs.retryMany': () => ({ count: 3, jobIds: [], left: [], leftCount: 0 }),
    'jobs.edit': ({ id }) => aJob({ id }),
    'night.assign': () => ({}) as never,
    'ledger.estimate': () => ({ items: [], ...price, settled: true }),
    'queue.pause': () => ({ ...status, revision: 2, lanes: [{ ...lane, paused: true }] }),
    'queue.resume': () => ({ ...status, revision: 3 }),
  };
}

const open = (given: Partial<ChosenFigures> = {}, jobs = [...waiting, ...failed]) => fakeStudio(answersOf(given, jobs));

beforeEach(() => {
  freshQueue(status);
  useStudio.setState({ activeProfileId: 'p' });
});

const list = () => document.querySelector('.qlist') as HTMLElement;
const row = (text: string) => byText(text, '.qrow');
const chosen = () => [...document.querySelectorAll('.qrow[aria-selected="true"]')].map(({ id }) => id);
const bar = () => byText(labels.chosenJobs, 'section');
const inBar = (text: string) => byText(text, '.cascade button');

/** What has just been drawn listens to its keys once its effects have run. */
const keysAreHeard = () => press('Shift');

async function openPage(given: Partial<ChosenFigures> = {}) {
  const studio = open(given);
  await show(<QueuePage />);
  await until(() => row('Prompt 0.'));
  return studio;
}

describe('jobs of the queue are chosen', () => {
  it('one, with Ctrl one more, with Shift all between', async () => {
    await openPage();
    await click(row('Prompt 1.'));
    await click(row('Prompt 3.'), { ctrlKey: true });
    expect(chosen()).toEqual(['job-j1', 'job-j3']);
    await click(row('Prompt 5.'), { shiftKey: true });
    await until(() => expect(chosen()).toEqual(['job-j3', 'job-j4', 'job-j5']));
    await click(row('Prompt 2.'));
    expect(chosen()).toEqual(['job-j2']);
  });

  it('by keys: Shift with arrows, Ctrl with arrows and Space', async () => {
    const studio = await openPage();
    await click(row('Prompt 0.'));
    await press('ArrowDown', { shiftKey: true }, list());
    await press('ArrowDown', { shiftKey: true }, list());
    await until(() => expect(chosen()).toEqual(['job-j0', 'job-j1', 'job-j2']));
    await press('ArrowUp', { shiftKey: true }, list());
    await until(() => expect(chosen()).toEqual(['job-j0', 'job-j1']));
    await press('ArrowDown', { ctrlKey: true }, list());
    await press('ArrowDown', { ctrlKey: true }, list());
    await press(' ', {}, list());
    await until(() => expect(chosen()).toEqual(['job-j0', 'job-j1', 'job-j3']));
    await until(() => inBar(labels.first));
    await keysAreHeard();
    await press('Home', { altKey: true }, list());
    await until(() => expect(studio.callsOf('jobs.moveMany')).toEqual([{ ids: ['j0', 'j1', 'j3'], to: 'first' }]));
  });

  it('all of the list by a rule, also what was never read, and all but one', async () => {
    const studio = await openPage({ count: 303, waiting: 300 });
    await press('a', { ctrlKey: true }, list());
    await until(() => expect(bar().textContent).toContain('303 jobs chosen'));
    const filter = { states: expect.arrayContaining(['queued', 'blocked', 'failed']) };
    await until(() => expect(studio.callsOf('jobs.chosen').at(-1)).toEqual({ filter }));
    await click(row('Prompt 2.'), { ctrlKey: true });
    await until(() => expect(studio.callsOf('jobs.chosen').at(-1)).toEqual({ filter, except: ['j2'] }));
    await click(inBar(labels.last));
    await until(() => expect(studio.callsOf('jobs.moveMany').at(-1)).toEqual({ filter, except: ['j2'], to: 'last' }));
  });
});

it('the list is searched by a key', async () => {
  const studio = await openPage();
  await press('/');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Find by prompt');
  await type(document.activeElement as HTMLInputElement, 'quay');
  await until(() => expect(studio.callsOf('jobs.list')).toContainEqual(expect.objectContaining({ text: 'quay' })));
});

describe('one that is chosen', () => {
  async function one(waitsFor: () => ReturnType<typeof jobsPage> | Promise<ReturnType<typeof jobsPage>>) {
    const studio = fakeStudio({
      ...answersOf({}, waiting),
      'jobs.list': (filter) => (filter.waitsFor ? waitsFor() : jobsPage(waiting, filter)),
      'jobs.cancel': ({ id }) => aJob({ id, state: 'canceled' }),
    });
    await show(<QueuePage />);
    await until(() => row('Prompt 0.'));
    await click(row('Prompt 1.'));
    return studio;
  }

  it('is what keys act on, wherever they went, and nothing is once it is let go', async () => {
    const studio = await one(() => ({ jobs: [], total: 0 }));
    for (let press = 0; press < 2; press++) await click(row('Prompt 3.'), { ctrlKey: true });
    expect(chosen()).toEqual(['job-j1']);
    await press('Delete', {}, list());
    await until(() => expect(studio.callsOf('jobs.cancel')).toEqual([{ id: 'j1' }]));
    await click(row('Prompt 1.'), { ctrlKey: true });
    expect(document.querySelector('.cascade')).toBeNull();
    await press('Delete', {}, list());
    expect(studio.callsOf('jobs.cancel')).toHaveLength(1);
  });

  it('is asked about alone, though another is chosen before it is known what waits for it', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof jobsPage>>();
    const studio = await one(() => promise);
    await press('Delete', {}, list());
    await click(row('Prompt 2.'));
    await acting(() => resolve({ jobs: waiting.slice(5, 6), total: 1 }));
    await keysAreHeard();
    expect(document.querySelector('[role="dialog"]')).toBeNull();
    expect(studio.callsOf('jobs.cancel')).toEqual([]);
  });
});

describe('what is chosen is changed together', () => {
  async function three(given: Partial<ChosenFigures> = {}) {
    const studio = await openPage(given);
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
    const text = document.querySelector('[role="dialog"]')?.textContent;
    expect(text).toContain('2 other jobs depend on them and would fail without being sent.');
    expect(text).toContain('$4.00 is given back.');
    expect(studio.callsOf('jobs.cancelMany')).toEqual([]);
    await click(byText(labels.cancelJobs(3), '[role="dialog"] button'));
    await until(() => expect(studio.callsOf('jobs.cancelMany')).toEqual([{ ids: ['j1', 'j2', 'j3'] }]));
  });

  it('goes into the night at the price that is shown', async () => {
    const studio = await three();
    await click(inBar(labels.tonight));
    await until(() => byText(labels.planForTheNight(3), '[role="dialog"] button'));
    await until(() => expect(document.querySelector('[role="dialog"] .price')?.textContent).toBe('$1.00–3.00'));
    await press('Enter', { ctrlKey: true });
    await until(() =>
      expect(studio.callsOf('night.assign')).toEqual([{ ids: ['j1', 'j2', 'j3'], night: true, shown: price }]),
    );
  });

  it('moves earlier and later as one block', async () => {
    const studio = await three();
    await press('ArrowUp', { altKey: true }, list());
    await until(() => expect(studio.callsOf('jobs.moveMany').at(-1)).toMatchObject({ to: { before: 'j0' } }));
    await press('ArrowDown', { altKey: true }, list());
    await until(() => expect(studio.callsOf('jobs.moveMany').at(-1)).toMatchObject({ to: { before: 'j5' } }));
  });

  it('says why play money and real money cannot be priced together', async () => {
    await three({ bothSides: true });
    expect(inBar(labels.tonight).getAttribute('aria-disabled')).toBe('true');
  });
});

it('all that failed are requested again at one price, now or tonight', async () => {
  const studio = await openPage({ count: 3, waiting: 0, cancelable: 0, ended: 3, againPrice: price });
  await clickOn(labels.retryFailed(3));
  await until(() => byText(labels.requestAgain(3), '[role="dialog"] button'));
  await press('Enter', { ctrlKey: true });
  const input: CallInput<'jobs.retryMany'> = { filter: { states: ['failed'] }, shown: price };
  await until(() => expect(studio.callsOf('jobs.retryMany')).toEqual([input]));
  expect(studio.callsOf('jobs.chosen').at(-1)).toEqual({ filter: { states: ['failed'] }, againPrice: true });
});

it('only what was not requested again is counted to be, and those whose gateway is gone are told of', async () => {
  await openPage({ count: 3, waiting: 0, cancelable: 0, ended: 2, withoutProfile: 1, againPrice: price });
  await clickOn(labels.retryFailed(2));
  await until(() => byText(labels.requestAgain(1), '[role="dialog"] button'));
  expect(byText(labels.requestJobsAgain(1), '[role="dialog"]').textContent).toContain(
    '1 other is left out: the gateway it was made for is gone.',
  );
});

it('a job that was requested again says so, and leads to the one that stands for it', async () => {
  const twice = aJob({ id: 'w', state: 'failed', retriedAs: 'j7', request: { kind: 'imagine', prompt: 'Twice.' } });
  useQueueView.setState({ tab: 'failed' });
  useEntities.setState({ jobs: new Map(waiting.map((job) => [job.id, job])) });
  const studio = open({}, [...waiting, ...failed, twice]);
  await show(<QueuePage />);
  await until(() => row('Twice.'));
  expect(row('Twice.').textContent).toContain('requested again');
  await click(row('Twice.'));
  await press('r', {}, list());
  await until(() => byText(labels.requestItAgain, '[role="dialog"]'));
  expect(document.querySelector('[role="dialog"]')?.textContent).toContain('It was requested again already');
  expect(studio.callsOf('jobs.retry')).toEqual([]);
  await press('Escape');
  await click(byText('Requested again as Prompt 7', '.cascade button'));
  await until(() => expect(useQueueView.getState().selectedId).toBe('j7'));
});

it('a lane is paused where its count stands, and resumed with its price there', async () => {
  const studio = await openPage();
  expect(byText('Pause videos').textContent).toContain('Videos 1 of 2');
  await click(byText('Pause videos'));
  const named = { lane: { kind: 'video', profileId: 'p' } };
  await until(() => expect(studio.callsOf('queue.pause')).toEqual([named]));
  await until(() => expect(byText('Resume videos').textContent).toContain('paused'));
  expect(byText('Resume videos').textContent).toContain('$8.00');
  await click(byText('Resume videos'));
  await until(() => expect(studio.callsOf('queue.resume')).toEqual([named]));
});

it.each([
  [labels.resumeAll, { ...status, paused: true }],
  ['Resume videos', { ...status, lanes: [{ ...lane, paused: true }] }],
])('%s is asked again by itself where its answer was lost', async (label, paused) => {
  let lost = 1;
  const studio = fakeStudio({
    ...answersOf({}, waiting),
    'queue.resume': () => (lost-- > 0 ? fail('unreachable', 'No answer came.') : { ...status, revision: 9 }) as never,
  });
  useStudio.setState({ queue: paused, link: 'up' });
  await show(<QueuePage />);
  await until(() => row('Prompt 0.'));
  await click(byText(label));
  await until(() => expect(studio.callsOf('queue.resume').length).toBe(2));
  await until(() => byText(labels.pauseAll));
  await until(() => byText('Pause videos'));
});

it('a waiting job is edited field by field, at a price that is shown before', async () => {
  const studio = await openPage();
  await click(row('Prompt 1.'));
  await press('e', {}, list());
  await until(() => byText(labels.saveTheChange, '[role="dialog"] button'));
  expect(byText(labels.saveTheChange, '[role="dialog"] button').getAttribute('aria-disabled')).toBe('true');
  const words = document.querySelector('[role="dialog"] textarea') as HTMLTextAreaElement;
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(words, 'Another quay');
  words.dispatchEvent(new Event('input', { bubbles: true }));
  await until(() =>
    expect(byText(labels.saveTheChange, '[role="dialog"] button').getAttribute('aria-disabled')).toBeNull(),
  );
  await press('Enter', { ctrlKey: true });
  const request = { kind: 'imagine', prompt: 'Another quay' };
  await until(() => expect(studio.callsOf('jobs.edit')).toEqual([{ id: 'j1', request, revision: 1, shown: price }]));
});

describe('what is chosen is dragged together', () => {
  /** A pointer that carries what a drag has set, and the picture that goes with it. */
  function pointer() {
    const data = new Map<string, string>();
    const pictures: string[] = [];
    const dataTransfer = {
      get types() {
        return [...data.keys()];
      },
      setData: (type: string, text: string) => void data.set(type, text),
      getData: (type: string) => data.get(type) ?? '',
      setDragImage: (picture: Element) => void pictures.push(picture.textContent ?? ''),
      effectAllowed: '',
      files: [],
    };
    const send = (target: Element, type: string) =>
      acting(() => {
        const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), { dataTransfer });
        target.dispatchEvent(event);
        return event;
      });
    return { send, pictures };
  }

  async function threeChosen() {
    const studio = await openPage();
    await click(row('Prompt 3.'));
    await click(row('Prompt 5.'), { shiftKey: true });
    await until(() => expect(chosen()).toEqual(['job-j3', 'job-j4', 'job-j5']));
    return studio;
  }

  it('to the place that the bar shows, with their number beside the pointer', async () => {
    const studio = await threeChosen();
    const { send, pictures } = pointer();
    await send(row('Prompt 4.'), 'dragstart');
    expect(pictures).toEqual(['3 jobs']);
    await send(row('Prompt 1.'), 'dragover');
    expect(row('Prompt 1.').className).toContain('drop');
    expect(row('Prompt 2.').className).not.toContain('drop');
    await send(row('Prompt 1.'), 'drop');
    await until(() =>
      expect(studio.callsOf('jobs.moveMany')).toEqual([{ ids: ['j3', 'j4', 'j5'], to: { before: 'j1' } }]),
    );
    expect(row('Prompt 1.').className).not.toContain('drop');
  });

  it('behind the last one where they are dropped below all rows, and nowhere where they are dropped on themselves', async () => {
    const studio = await threeChosen();
    const { send } = pointer();
    await send(row('Prompt 4.'), 'dragstart');
    await send(row('Prompt 5.'), 'drop');
    expect(studio.callsOf('jobs.moveMany')).toEqual([]);
    await send(list(), 'drop');
    await until(() => expect(studio.callsOf('jobs.moveMany')).toEqual([{ ids: ['j3', 'j4', 'j5'], to: 'last' }]));
  });

  it('one that is not chosen goes alone', async () => {
    const studio = await threeChosen();
    const { send, pictures } = pointer();
    await send(row('Prompt 7.'), 'dragstart');
    await send(row('Prompt 0.'), 'drop');
    await until(() => expect(studio.callsOf('jobs.moveMany')).toEqual([{ ids: ['j7'], to: { before: 'j0' } }]));
    expect(pictures).toEqual([]);
  });

  it('what is no job of the queue is not taken', async () => {
    const studio = await threeChosen();
    const { send } = pointer();
    await send(row('Prompt 1.'), 'dragover');
    expect(row('Prompt 1.').className).not.toContain('drop');
    await send(row('Prompt 1.'), 'drop');
    expect(studio.callsOf('jobs.moveMany')).toEqual([]);
  });
});
