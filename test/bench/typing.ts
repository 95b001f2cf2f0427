import type { Locator, Page } from 'playwright';
import { launchBrowser, openAt, openPage } from '../helpers/browser.ts';
import { type Host, startHost } from '../helpers/host.ts';
import { testPng } from '../helpers/png.ts';
import type { Figure } from './figures.ts';
import { ScriptTime, type Spent } from './scriptTime.ts';

/** The main thread's time for 41 keys, compared with a plain text area in the same browser. */

const KEYS = 'The ferry leaves the quay in the fog now.';
const KEY_MS = 60;
/** A page without requests for this long is idle; the thumbnails of new files are made by then. */
const REST_MS = 3_000;
const MOST_MS = 600_000;
const FEW_SHOTS = 5;
const MANY_SHOTS = 205;
const MESSAGES = 300;
const ASSETS = 2_000;
const JOBS = 2_000;

interface Typed extends Spent {
  where: string;
}

export async function benchTyping(): Promise<Figure[]> {
  const host = await startHost({ quiet: true });
  const browser = await launchBrowser();
  try {
    await host.ask('settings.set', { welcomed: true });
    const page = await openPage(browser, 1440, 900);
    page.setDefaultTimeout(60_000);
    const typed = [
      await onBoard(host, page, FEW_SHOTS),
      await onBoard(host, page, MANY_SHOTS),
      await inChat(host, page),
      await inLibrary(host, page),
      await inQueue(host, page),
    ];
    await page.goto('about:blank');
    await page.setContent('<textarea aria-label="Plain"></textarea>');
    const plain = await typedIn(page, 'a plain text area', 'Plain');
    return typed.flatMap(({ where, script, task }) => [
      { name: `${KEYS.length} keys ${where}: scripts`, value: script, unit: 'ms' },
      { name: '  with layout and paint', value: task, unit: 'ms' },
      { name: '  beside a plain text area', value: task / plain.task, unit: '×' },
    ]);
  } finally {
    await browser.close();
    await host.stop();
  }
}

async function onBoard(host: Host, page: Page, count: number): Promise<Typed> {
  const { id: projectId } = await host.ask('projects.create', { name: `Film of ${count}` });
  const shots = Array.from({ length: count }, (_, n) => ({
    id: `s${n}`,
    prompt: `Quay ${n}`,
    model: 'video-standard',
    config: { durationSeconds: 4 as const },
  }));
  await host.ask('storyboard.save', { projectId, revision: 0, shots });
  await host.ask('settings.set', { projectId });
  await openAt(page, host, '#/storyboard');
  return typedIn(page, `on a board of ${count} shots`, 'Prompt of shot 1');
}

async function inChat(host: Host, page: Page): Promise<Typed> {
  const messages = Array.from({ length: MESSAGES }, (_, n) => ({
    id: `m${n}`,
    ...(n > 0 && { after: `m${n - 1}` }),
    branch: 'b',
    role: n % 2 === 0 ? 'user' : 'assistant',
    text: `A line about harbour ${n}, with **bold** words.`,
    createdAt: n,
  }));
  const head = { dailies: 'chat', form: 1, title: 'Long', createdAt: 0, active: 'b' };
  const json = JSON.stringify({ ...head, messages, branches: [{ id: 'b', createdAt: 0 }] });
  const { conversationId } = await host.ask('chat.import', { json });
  await openAt(page, host, `#/chat?conversation=${conversationId}`);
  return typedIn(page, `in a chat of ${MESSAGES} messages`, 'Message');
}

async function inLibrary(host: Host, page: Page): Promise<Typed> {
  for (let n = 0; n < ASSETS; n++) {
    const body = testPng(16 + (n % 50), 9 + Math.floor(n / 50));
    await host.request(`/media?name=quay${n}.png&role=source`, { method: 'PUT', body });
  }
  await openAt(page, host, '#/library');
  return typedIn(page, `in the search of ${ASSETS} assets`, /^Search/);
}

async function inQueue(host: Host, page: Page): Promise<Typed> {
  await host.ask('night.plan', { start: '00:00', end: '23:59', date: '2037-01-01', capNano: 1e14 });
  const lines = Array.from({ length: JOBS }, (_, n) => `video,Harbour ${n} at night,video-standard,8`);
  const text = ['kind,prompt,model,seconds', ...lines].join('\n');
  const { readId } = await host.ask('batch.read', { text, format: 'csv' });
  await host.ask('batch.enqueue', { readId, night: true });
  await openAt(page, host, '#/queue');
  const list = page.getByRole('listbox', { name: 'Jobs' });
  const down = async () => {
    for (let key = 0; key < KEYS.length; key++) await page.keyboard.press('ArrowDown', { delay: KEY_MS });
  };
  return { where: `through a queue of ${JOBS} jobs`, ...(await spent(page, list, down)) };
}

async function typedIn(page: Page, where: string, name: string | RegExp): Promise<Typed> {
  const field = page.getByLabel(name).and(page.locator('input, textarea')).first();
  return { where, ...(await spent(page, field, () => page.keyboard.type(KEYS, { delay: KEY_MS }))) };
}

async function spent(page: Page, place: Locator, use: () => Promise<void>): Promise<Spent> {
  await place.waitFor();
  await atRest(page);
  const time = await ScriptTime.of(page);
  await place.focus();
  return time.during(use);
}

async function atRest(page: Page): Promise<void> {
  let last = Date.now();
  page.on('request', () => {
    last = Date.now();
  });
  const until = Date.now() + MOST_MS;
  while (Date.now() - last < REST_MS) {
    if (Date.now() > until) throw new Error('The page did not come to rest.');
    await page.waitForTimeout(100);
  }
}
