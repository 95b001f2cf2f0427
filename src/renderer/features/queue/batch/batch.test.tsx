import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import type { BatchReading, BatchRow } from '../../../../shared/batch.ts';
import type { CallOutput } from '../../../../shared/contract.ts';
import type { NightStatus } from '../../../../shared/night.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { replaceParams, useStudio } from '../../../app/index.ts';
import { useNightOrder } from '../../../spending/index.ts';
import { planned, statusOf } from '../../../testing/aNight.ts';
import { acting, byText, click, fakeStudio, press, show, type, until } from '../../../testing/page.tsx';
import { BatchPage } from './BatchPage.tsx';
import { clearBatch, mendBatch, startBatch, useBatchDraft } from './useBatchDraft.ts';

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

function readingOf(readId: string, rows: readonly BatchRow[]): BatchReading {
  const bad = rows.filter(({ errors, isLeftOut }) => errors.length > 0 && !isLeftOut);
  const good = rows.filter(({ request, isLeftOut }) => request && !isLeftOut).length;
  return {
    readId,
    rows: rows.slice(0, 100),
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

function studio(
  enqueue = (): Queued | Promise<Queued> => ok({ count: 2, jobIds: ['a', 'b'] }),
  night: () => NightStatus = () => statusOf(null),
  low?: number,
  rowsThere: Promise<void> = Promise.resolve(),
) {
  const readings = new Map<string, BatchRow[]>();
  return fakeStudio({
    'night.get': night,
    'batch.read': ({ text, leaveOut = [] }) => {
      const id = `read ${text} without ${leaveOut}`;
      readings.set(id, rowsOf(text, leaveOut));
      const reading = readingOf(id, readings.get(id) ?? []);
      return { ...reading, lowNano: low === undefined ? reading.lowNano : reading.good * low };
    },
    'batch.rows': async ({ readId, offset = 0, limit = 100, only }) => {
      if (only === 'bad') await rowsThere;
      const all = readings.get(readId) ?? [];
      const rows = only === 'bad' ? all.filter(({ errors, isLeftOut }) => errors.length > 0 && !isLeftOut) : all;
      return { rows: rows.slice(offset, offset + limit), total: rows.length };
    },
    'batch.enqueue': enqueue,
  });
}

beforeEach(() => {
  price = PRICE;
  useStudio.setState({ profiles: [], projects: [] });
  clearBatch();
  replaceParams('queue', { import: 'jobs' });
});

afterEach(() => vi.useRealTimers());

const button = (text: string) => byText(text, 'button');

it.each([null, planned])(
  'Tonight shows the lines in the plan, queues them there, and keeps them: %j',
  async (current) => {
    const fake = studio(
      () => ok({ count: 3, jobIds: ['a', 'b', 'c'] }),
      () => statusOf(current),
    );
    startBatch('One\nTwo\nThree');
    await show(<BatchPage />);
    await until(() => expect(button(labels.queueJobs(3)).getAttribute('aria-disabled')).not.toBe('true'));
    await until(() => expect(button(labels.tonight).title).toContain(current ? 'what fits' : labels.noNightIsPlanned));
    await click(button(labels.tonight));
    expect(fake.callsOf('batch.enqueue')).toEqual([]);
    expect(window.location.hash).toBe('#/queue/night?plan=change');
    const { order } = useNightOrder.getState();
    expect(order).toMatchObject({ from: '#/queue?import=jobs', lines: { readId: 'read One\nTwo\nThree without ' } });
    await acting(() => order?.onSend());
    expect(fake.callsOf('batch.enqueue')).toMatchObject([{ night: true }]);
    replaceParams('queue', { import: 'jobs' });
    await show(<BatchPage />);
    await until(() => byText(labels.jobsOfTheseLinesAre(3, 2), 'p'));
    expect(useBatchDraft.getState().text).toBe('One\nTwo\nThree');
    await until(() => expect(button(labels.queueJobs(3)).getAttribute('aria-disabled')).toBe('true'));
    await acting(() => mendBatch('One\nTwo'));
    await until(() => expect(button(labels.queueJobs(2)).getAttribute('aria-disabled')).not.toBe('true'));
  },
);

it('queues nothing until all is right, and then at the price that is shown', async () => {
  const fake = studio();
  await show(<BatchPage />);
  await type(document.querySelector('textarea') as HTMLTextAreaElement, 'One\nTwo x\nThree');
  await click(button(labels.readTheLines));
  await until(() => byText('Mend line 2, or leave it out. Until all is right, none is queued.', 'p'));
  expect(button(labels.queueJobs(2)).getAttribute('aria-disabled')).toBe('true');
  await press('Enter', { ctrlKey: true });
  expect(fake.callsOf('batch.enqueue')).toEqual([]);
  expect(document.querySelector('.cell-bad')?.textContent).toBe('5 s');
  await click(button('Leave the one out'));
  await until(() => expect(button(labels.queueJobs(2)).getAttribute('aria-disabled')).not.toBe('true'));
  await press('Enter', { ctrlKey: true });
  await until(() => expect(fake.callsOf('batch.enqueue')).toHaveLength(1));
  expect(fake.callsOf('batch.enqueue')).toEqual([
    { readId: expect.any(String), shown: { estimateNano: 2 * PRICE, lowNano: 2 * PRICE, unpriced: 0 } },
  ]);
  await until(() => expect(useBatchDraft.getState().text).toBe(''));
});

it('a late answer clears what it queued alone, and leads to the queue only who still waits for it', async () => {
  let answer = (_: Queued): void => {};
  const fake = studio(() => new Promise((done) => (answer = done)));
  const queueTwo = async (times: number) => {
    await acting(() => startBatch('One\nTwo'));
    await until(() => expect(button(labels.queueJobs(2)).getAttribute('aria-disabled')).not.toBe('true'));
    await click(button(labels.queueJobs(2)));
    await until(() => expect(fake.callsOf('batch.enqueue')).toHaveLength(times));
  };
  const queued = () => acting(() => answer(ok({ count: 2, jobIds: ['a', 'b'] })));
  await show(<BatchPage />);
  await queueTwo(1);
  window.location.hash = '#/chat';
  await queued();
  expect(window.location.hash).toBe('#/chat');
  expect(useBatchDraft.getState().text).toBe('');
  replaceParams('queue', { import: 'jobs' });
  await show(<BatchPage />);
  await queueTwo(2);
  await acting(() => startBatch('other'));
  await queued();
  expect(useBatchDraft.getState().text).toBe('other');
  expect(window.location.hash).toBe('#/queue?import=jobs');
});

it('leaves the wrong lines of a text out of that text alone', async () => {
  const { promise: rowsThere, resolve: answer } = Promise.withResolvers<void>();
  const fake = studio(undefined, undefined, undefined, rowsThere);
  startBatch(Array.from({ length: 120 }, () => 'x').join('\n'));
  await show(<BatchPage />);
  await until(() => button(labels.leaveTheOut(120)));
  await click(button(labels.leaveTheOut(120)));
  await until(() => expect(fake.callsOf('batch.rows')).toContainEqual(expect.objectContaining({ only: 'bad' })));
  await acting(() => startBatch('One\nTwo'));
  await acting(() => answer());
  await until(() => expect(button(labels.queueJobs(2)).getAttribute('aria-disabled')).not.toBe('true'));
  expect(useBatchDraft.getState().leaveOut.size).toBe(0);
});

it('is the same order when it is pressed again after a lost answer, though it was read anew at another price', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let isLost = true;
  const fake = studio(() => (isLost ? fail('unreachable', 'The answer did not come.') : ok({ count: 2, jobIds: [] })));
  startBatch('One\nTwo');
  await show(<BatchPage />);
  await until(() => expect(button(labels.queueJobs(2)).getAttribute('aria-disabled')).not.toBe('true'));
  await press('Enter', { ctrlKey: true });
  await acting(() => vi.advanceTimersByTimeAsync(30_000));
  await until(() => byText('The answer did not come.', '[role="alert"]'));
  isLost = false;
  price = 2 * PRICE;
  await fake.emit({ type: 'profiles.changed' });
  await until(() => byText('$0.20', '.sendbar .price'));
  await until(() => byText('$0.10', '.batch-item .price'));
  await press('Enter', { ctrlKey: true });
  await until(() => expect(useBatchDraft.getState().text).toBe(''));
  expect(new Set(fake.keysOf('batch.enqueue')).size).toBe(1);
  expect(fake.callsOf('batch.enqueue').at(-1)).toMatchObject({ shown: { estimateNano: 4 * PRICE } });
  // The same text once more, after that answer, is another order.
  await acting(() => startBatch('One\nTwo'));
  await acting(() => vi.advanceTimersByTimeAsync(2_000));
  await until(() => expect(button(labels.queueJobs(2)).getAttribute('aria-disabled')).not.toBe('true'));
  await press('Enter', { ctrlKey: true });
  await until(() => expect(new Set(fake.keysOf('batch.enqueue')).size).toBe(2));
});

it('draws what is in view of thousands of lines, and F8 goes to the next one to mend', async () => {
  studio();
  const lines = Array.from({ length: 9_000 }, (_, index) => (index === 3 || index === 7_000 ? 'x' : `Line ${index}`));
  startBatch(lines.join('\n'));
  await show(<BatchPage />);
  await until(() => byText(labels.line(0), 'span'));
  expect(document.querySelectorAll('.batch-item').length).toBeLessThan(80);
  await press('F8');
  await until(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('4, seconds of line 4'));
});

it('leaves by Escape, and keeps the text', async () => {
  studio();
  startBatch('One\nTwo');
  await show(<BatchPage />);
  await until(() => byText('Two', 'span'));
  await press('Escape');
  expect(window.location.hash).toBe('#/queue');
  expect(useBatchDraft.getState().text).toBe('One\nTwo');
});

it('writes a right line anew where it stands, by a double click or by keys, and Escape leaves it as it was', async () => {
  studio();
  startBatch('kind,prompt,mode\nimagine,"One, at night",\nimagine,Three,');
  await show(<BatchPage />);
  await until(() => byText(labels.editLine(2)));
  const words = () => document.querySelector('input[aria-label="prompt of line 2"]') as HTMLInputElement;
  await acting(() =>
    document
      .querySelector('[data-index="1"] .batch-words')
      ?.dispatchEvent(new MouseEvent('dblclick', { bubbles: true })),
  );
  expect(document.activeElement).toBe(words());
  expect(words().value).toBe('One, at night');
  await type(words(), 'Two');
  await press('Escape', {}, words());
  expect(useBatchDraft.getState().text).toContain('One, at night');
  const list = document.querySelector('.batch-list') as HTMLElement;
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await press(key, {}, list);
  await type(words(), 'Two {a|b}');
  await press('Enter', { isComposing: true }, words());
  expect(words()?.value).toBe('Two {a|b}');
  await press('Enter', {}, words());
  expect(useBatchDraft.getState().text).toBe('kind,prompt,mode\n"imagine","Two {a|b}",""\nimagine,Three,');
  expect(document.activeElement).toBe(list);
});

it('the chord that queues the lines does nothing else in their list', async () => {
  const fake = studio(() => new Promise(() => {}));
  startBatch('kind,prompt\nimagine,One');
  await show(<BatchPage />);
  await until(() => byText(labels.editLine(2)));
  const list = document.querySelector('.batch-list') as HTMLElement;
  for (const key of ['ArrowDown', 'ArrowDown']) await press(key, {}, list);
  await press('Enter', { ctrlKey: true }, list);
  expect(fake.callsOf('batch.enqueue')).toHaveLength(1);
  expect(document.querySelector('.batch-list input')).toBeNull();
});
