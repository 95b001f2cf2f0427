import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import type { BatchReading, BatchRow } from '../../../../shared/jobs/batch.ts';
import type { NightRun } from '../../../../shared/jobs/night.ts';
import { replaceParams, useStudio } from '../../../app/index.ts';
import { useNightOrder } from '../../../spending/index.ts';
import { planned, statusOf } from '../../../testing/aNight.ts';
import { acting, byText, click, fakeStudio, press, show, type, until } from '../../../testing/page.tsx';
import { BatchPage } from './BatchPage.tsx';
import { jobs } from './jobs.ts';

const PRICE = 50_000_000;
/** Of one job, by now. */
let price = PRICE;

const right = (line: number, prompt: string): BatchRow => ({
  line,
  request: { kind: 'imagine', prompt },
  errors: [],
  estimateNano: price,
  lowNano: price,
});

/** What the studio says of lines: every line with an `x` has a wrong length, until it is left out. */
function rowsOf(text: string, out: readonly string[]): BatchRow[] {
  return text.split('\n').map((words, index) => {
    const line = index + 1;
    const isLeftOut = out.includes(String(line)) ? { isLeftOut: true as const } : {};
    if (!words.includes('x')) return { ...right(line, words), ...isLeftOut };
    const errors = [{ field: 'seconds', message: 'must be 4, 6, 8, or 7 when extending.' }];
    return { line, errors, cells: { kind: 'video', prompt: words, seconds: '5' }, ...isLeftOut };
  });
}

const pageOf = (rows: readonly BatchRow[], from: number, limit: number) => ({
  rows: rows.slice(from, from + limit),
  ...(from + limit < rows.length && { nextCursor: String(from + limit) }),
});

function readingOf(readId: string, rows: readonly BatchRow[]): BatchReading {
  const bad = rows.filter(({ errors, isLeftOut }) => errors.length > 0 && !isLeftOut);
  const good = rows.filter(({ request, isLeftOut }) => request && !isLeftOut).length;
  return {
    readId,
    ...pageOf(rows, 0, 100),
    good,
    bad: bad.length,
    badLines: bad.map(({ line }) => line).slice(0, 100),
    badAt: bad.map(({ line }) => line - 1).slice(0, 100),
    leftOut: rows.filter(({ isLeftOut }) => isLeftOut).length,
    lines: { all: rows.length, bad: bad.length, know: 0, good },
    estimateNano: good * price,
    lowNano: good * price,
    unpriced: 0,
    sums: [
      { kind: 'imagine', lines: good, jobs: good, estimateNano: good * price, lowNano: good * price, unpriced: 0 },
    ],
    columns: [],
    know: [],
  };
}

type Queued = Result<CallOutput<'batch.enqueue'>>;

interface Opening {
  text?: string;
  enqueue?: () => Queued | Promise<Queued>;
  night?: NightRun | null;
}

/** The import of this text on its page. */
async function open({ text, enqueue = () => two, night = null }: Opening = {}) {
  const readings = new Map<string, BatchRow[]>();
  const studio = fakeStudio({
    'night.get': () => statusOf(night),
    'batch.read': ({ text: read, leaveOut = [] }) => {
      const id = `read ${read} without ${leaveOut}`;
      readings.set(id, rowsOf(read, leaveOut));
      return readingOf(id, readings.get(id) ?? []);
    },
    'batch.rows': ({ readId, cursor, limit = 100 }) => {
      const rows = readings.get(readId) ?? [];
      return { ...pageOf(rows, Number(cursor), limit), total: rows.length };
    },
    'batch.enqueue': enqueue,
  });
  if (text !== undefined) jobs.start(text);
  await show(<BatchPage />);
  return { ...studio, queued: () => studio.callsOf('batch.enqueue') };
}

const two: Queued = ok({ count: 2, jobIds: ['a', 'b'] });
const button = (text: string) => byText(text, 'button');
const isOff = (count: number) => button(labels.queueJobs(count)).getAttribute('aria-disabled') === 'true';
const canQueue = (count: number) => until(() => expect(isOff(count)).toBe(false));
const spend = (at?: EventTarget) => press('Enter', { ctrlKey: true }, at);
const draft = () => jobs.useDraft.getState().text;
const list = () => document.querySelector('.list') as HTMLElement;

beforeEach(() => {
  price = PRICE;
  useStudio.setState({ profiles: [], projects: [] });
  jobs.clear();
  replaceParams('queue', { import: 'jobs' });
});

afterEach(() => vi.useRealTimers());

it.each([null, planned])(
  'Tonight shows the lines in the plan, queues them there, and keeps them: %j',
  async (night) => {
    const text = 'One\nTwo\nThree';
    const { queued } = await open({ text, enqueue: () => ok({ count: 3, jobIds: ['a', 'b', 'c'] }), night });
    await canQueue(3);
    await until(() =>
      expect(button(labels.scheduleTonight).title).toContain(night ? 'what fits' : 'Schedule one first'),
    );
    await click(button(labels.scheduleTonight));
    expect(queued()).toEqual([]);
    expect(window.location.hash).toBe('#/queue/night?plan=change');
    const { order } = useNightOrder.getState();
    expect(order).toMatchObject({ from: '#/queue?import=jobs', lines: { readId: `read ${text} without ` } });
    await acting(() => order?.onSend());
    expect(queued()).toMatchObject([{ night: true }]);
    replaceParams('queue', { import: 'jobs' });
    await show(<BatchPage />);
    await until(() => byText(labels.jobsOfTheseRowsAre(3, 2), 'p'));
    expect(draft()).toBe(text);
    await until(() => expect(isOff(3)).toBe(true));
    await acting(() => jobs.change('One\nTwo'));
    await canQueue(2);
  },
);

it('queues nothing until all is right, and then at the price that is shown', async () => {
  const { queued } = await open();
  await type(document.querySelector('textarea') as HTMLTextAreaElement, 'One\nTwo x\nThree');
  await click(button(labels.readRows));
  await until(() => byText(labels.fixOrSkip(1), 'p'));
  expect(isOff(2)).toBe(true);
  await spend();
  expect(queued()).toEqual([]);
  expect(document.querySelector('.cellBad')?.textContent).toBe('5');
  await click(button(labels.skipRows(1)));
  await canQueue(2);
  await spend();
  const shown = { estimateNano: 2 * PRICE, lowNano: 2 * PRICE, unpriced: 0 };
  await until(() => expect(queued()).toEqual([{ readId: expect.any(String), shown }]));
  await until(() => expect(draft()).toBe(''));
});

it('a late answer clears what it queued alone, and leads to the queue only who still waits for it', async () => {
  let answer = (_: Queued): void => {};
  const { queued } = await open({ enqueue: () => new Promise((done) => (answer = done)) });
  const queueTwo = async (times: number) => {
    await acting(() => jobs.start('One\nTwo'));
    await canQueue(2);
    await click(button(labels.queueJobs(2)));
    await until(() => expect(queued()).toHaveLength(times));
  };
  await queueTwo(1);
  window.location.hash = '#/chat';
  await acting(() => answer(two));
  expect([window.location.hash, draft()]).toEqual(['#/chat', '']);
  replaceParams('queue', { import: 'jobs' });
  await show(<BatchPage />);
  await queueTwo(2);
  await acting(() => jobs.start('other'));
  await acting(() => answer(two));
  expect([window.location.hash, draft()]).toEqual(['#/queue?import=jobs', 'other']);
});

it('is the same order when it is pressed again after a lost answer, though it was read anew at another price', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let answer: Queued = fail('unreachable', 'The answer did not come.');
  const { emit, queued, keysOf } = await open({ text: 'One\nTwo', enqueue: () => answer });
  const orders = () => new Set(keysOf('batch.enqueue')).size;
  await canQueue(2);
  await spend();
  await acting(() => vi.advanceTimersByTimeAsync(30_000));
  await until(() => byText('The answer did not come.', '[role="alert"]'));
  answer = two;
  price = 2 * PRICE;
  await emit({ type: 'profiles.changed' });
  await until(() => byText('$0.20', '.sendbar .price'));
  await until(() => byText('$0.10', '.importRow .price'));
  await spend();
  await until(() => expect(draft()).toBe(''));
  expect(orders()).toBe(1);
  expect(queued().at(-1)).toMatchObject({ shown: { estimateNano: 4 * PRICE } });
  // The same text once more, after that answer, is another order.
  await acting(() => jobs.start('One\nTwo'));
  await acting(() => vi.advanceTimersByTimeAsync(2_000));
  await canQueue(2);
  await spend();
  await until(() => expect(orders()).toBe(2));
});

it('draws what is in view of thousands of lines, and F8 goes to the next error', async () => {
  const lines = Array.from({ length: 9_000 }, (_, index) => (index === 3 || index === 7_000 ? 'x' : `Line ${index}`));
  await open({ text: lines.join('\n') });
  await until(() => byText(labels.line(0), 'span'));
  expect(document.querySelectorAll('.importRow').length).toBeLessThan(80);
  await press('F8');
  await until(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('4, seconds of row 4'));
});

it('leaves by Escape, and keeps the text', async () => {
  await open({ text: 'One\nTwo' });
  await until(() => byText('Two', 'span'));
  await press('Escape');
  expect([window.location.hash, draft()]).toEqual(['#/queue', 'One\nTwo']);
});

it('writes a right line anew where it stands, by a double click or by keys, and Escape leaves it as it was', async () => {
  await open({ text: 'kind,prompt,mode\nimagine,"One, at night",\nimagine,Three,' });
  await until(() => byText(labels.editRow(2)));
  const words = () => document.querySelector('input[aria-label="prompt of row 2"]') as HTMLInputElement;
  const line = document.querySelector('[data-index="1"] .importWords');
  await acting(() => line?.dispatchEvent(new MouseEvent('dblclick', { bubbles: true })));
  expect([document.activeElement, words().value]).toEqual([words(), 'One, at night']);
  await type(words(), 'Two');
  await press('Escape', {}, words());
  expect(draft()).toContain('One, at night');
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await press(key, {}, list());
  await type(words(), 'Two {a|b}');
  await press('Enter', { isComposing: true }, words());
  expect(words()?.value).toBe('Two {a|b}');
  await press('Enter', {}, words());
  expect(draft()).toBe('kind,prompt,mode\n"imagine","Two {a|b}",""\nimagine,Three,');
  expect(document.activeElement).toBe(list());
});

it('the chord that queues the lines does nothing else in their list', async () => {
  const { queued } = await open({ text: 'kind,prompt\nimagine,One', enqueue: () => new Promise(() => {}) });
  await until(() => byText(labels.editRow(2)));
  for (const key of ['ArrowDown', 'ArrowDown']) await press(key, {}, list());
  await spend(list());
  expect(queued()).toHaveLength(1);
  expect(document.querySelector('.list input')).toBeNull();
});
