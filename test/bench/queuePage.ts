import type { Page } from 'playwright';
import { launchBrowser, openAt, openPage } from '../helpers/browser.ts';
import { type Host, startHost } from '../helpers/host.ts';
import { type Figure, quantile } from './figures.ts';
import { watched } from './pageWatch.ts';

/** The Queue page with 5,000 waiting jobs of a night, beside the same page with 50: its tasks and frames while it is used. */

const MANY = 5_000;
const FEW = 50;

export async function benchQueuePage(): Promise<Figure[]> {
  const few = await usedWith(FEW);
  const many = await usedWith(MANY);
  return many.flatMap(({ what, longestTask, longestFrame, usualFrame }, index) => [
    { name: `${what}: longest task of the page`, value: longestTask, unit: 'ms' },
    { name: `  with ${FEW} jobs`, value: few[index]?.longestTask ?? Number.NaN, unit: 'ms' },
    { name: '  95 of 100 frames come within', value: usualFrame, unit: 'ms' },
    { name: `  with ${FEW} jobs`, value: few[index]?.usualFrame ?? Number.NaN, unit: 'ms' },
    { name: '  longest time without a frame', value: longestFrame, unit: 'ms' },
    { name: `  with ${FEW} jobs`, value: few[index]?.longestFrame ?? Number.NaN, unit: 'ms' },
  ]);
}

interface Used {
  what: string;
  /** 0 where none was 50 ms or longer. */
  longestTask: number;
  longestFrame: number;
  usualFrame: number;
}

const plan = (dollars: number) => ({
  start: '00:00',
  end: '23:59',
  date: '2037-01-01',
  capNano: dollars * 1_000_000_000,
});

async function usedWith(count: number): Promise<Used[]> {
  const host = await startHost({ quiet: true });
  const browser = await launchBrowser();
  try {
    await host.ask('settings.set', { welcomed: true });
    await host.ask('night.plan', plan(100_000));
    const lines = Array.from({ length: count }, (_, n) => `video,Harbour ${n} at night,video-standard,8`);
    const text = ['kind,prompt,model,seconds', ...lines].join('\n');
    const { readId } = await host.ask('batch.read', { text, format: 'csv' });
    await host.ask('batch.enqueue', { readId, night: true });
    const page = await openPage(browser, 1440, 900);
    await openAt(page, host, '#/queue');
    await page.getByText('Harbour 0 at night').waitFor();
    return [
      await used(page, 'scrolling', () => scroll(page)),
      await used(page, 'arrow keys', () => arrows(page)),
      await used(page, 'arrow keys while the cap changes all', () =>
        Promise.all([arrows(page), changeAll(host, page)]),
      ),
    ];
  } finally {
    await browser.close();
    await host.stop();
  }
}

async function scroll(page: Page): Promise<void> {
  await page.mouse.move(400, 500);
  for (let step = 0; step < 60; step++) await page.mouse.wheel(0, step < 30 ? 900 : -700);
}

async function arrows(page: Page): Promise<void> {
  await page.getByRole('listbox', { name: 'Jobs' }).focus();
  for (let step = 0; step < 60; step++) await page.keyboard.press(step < 30 ? 'ArrowDown' : 'ArrowUp');
}

/** First none but a few fit under the cap of the night, then all. */
async function changeAll(host: Host, page: Page): Promise<void> {
  await host.ask('night.plan', plan(10));
  await page.waitForTimeout(3_000);
  await host.ask('night.plan', plan(100_000));
  await page.waitForTimeout(3_000);
}

async function used(page: Page, what: string, use: () => Promise<unknown>): Promise<Used> {
  const { tasks, frames } = await watched(page, use);
  return {
    what,
    longestTask: Math.max(0, ...tasks),
    longestFrame: Math.max(0, ...frames),
    usualFrame: quantile(frames, 0.95),
  };
}
