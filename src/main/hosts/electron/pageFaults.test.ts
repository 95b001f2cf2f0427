import { afterEach, expect, test, vi } from 'vitest';

const { asked } = vi.hoisted(() => ({ asked: [] as unknown[][] }));
let press = (_: number): void => undefined;
vi.mock('electron', () => ({
  dialog: {
    showMessageBox(...given: unknown[]) {
      asked.push(given);
      return new Promise((resolve) => (press = (response) => resolve({ response })));
    },
  },
}));
const { askAfterCrashes, askWhileHanging } = await import('./pageFaults.ts');

const window = { id: 1 } as never;
const system = (platform: NodeJS.Platform) => vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);

afterEach(() => {
  asked.length = 0;
  vi.restoreAllMocks();
});

test('a page that answers again by itself is not loaded again, and is asked about no more', async () => {
  const over = new AbortController();
  const load = vi.fn();
  const answered = askWhileHanging(window, load, over.signal);
  await askWhileHanging(window, load, over.signal);
  expect(asked).toMatchObject([[{ signal: over.signal }]]);
  over.abort();
  press(1);
  await answered;
  expect(load).not.toHaveBeenCalled();
  const next = askWhileHanging(window, load, new AbortController().signal);
  press(1);
  await next;
  expect(load).toHaveBeenCalledOnce();
});

test.each([
  ['darwin', 2],
  ['win32', 1],
  ['linux', 1],
] as const)('what is asked of a page stops nothing else: on %s', async (platform, given) => {
  system(platform);
  const hanging = askWhileHanging(window, () => undefined, new AbortController().signal);
  press(0);
  await hanging;
  const crashed = askAfterCrashes(
    window,
    () => undefined,
    () => undefined,
  );
  press(0);
  await crashed;
  expect(asked.map(({ length }) => length)).toEqual([given, given]);
});
