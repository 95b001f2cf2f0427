import type { Page } from 'playwright';

/** What a page's tasks and frames took while it was used, in ms. Tasks are those of 50 ms or longer. */
export interface Watched {
  tasks: number[];
  frames: number[];
}

export async function watched(page: Page, use: () => Promise<unknown>): Promise<Watched> {
  await page.evaluate(watch);
  await use();
  return (await page.evaluate('globalThis.watched()')) as Watched;
}

/** Runs in the page: notes its long tasks, and how far apart its frames are. */
function watch(): void {
  const page = globalThis as unknown as {
    requestAnimationFrame(next: (at: number) => void): number;
    watched?: () => Watched;
  };
  const tasks: number[] = [];
  const frames: number[] = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ entryTypes: ['longtask'] as never });
  let last = performance.now();
  let isOn = true;
  const frame = (at: number): void => {
    frames.push(at - last);
    last = at;
    if (isOn) page.requestAnimationFrame(frame);
  };
  page.requestAnimationFrame(frame);
  page.watched = () => {
    isOn = false;
    observer.disconnect();
    return { tasks, frames };
  };
}
