import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright';
import { build, preview } from 'vite';
import { launchBrowser, openAt, openPage } from '../helpers/browser.ts';
import { type Host, startHost } from '../helpers/host.ts';
import { type Figure, quantile } from './figures.ts';

/**
 * The Chat page while an answer grows to 50,000 characters, and when a chat of 500 messages is opened, beside plain react-markdown that draws
 * the same. An update is one piece of an answer; what the page's scripts take for it is Chromium's own count (`ScriptDuration`).
 */

const SHORT = 5_000;
const LONG = 50_000;
/** Characters of a piece, and how many are measured before each length. */
const PIECE = 50;
const MEASURED = 80;
/** An update is over by then. */
const REST_MS = 60;
const MESSAGES = 500;
const OPENINGS = 5;

export async function benchChatPage(): Promise<Figure[]> {
  const browser = await launchBrowser();
  try {
    const [ours, plain] = [await oursOf(browser), await plainOf(browser)];
    return [
      { name: `scripts for an update at ${LONG} characters (p95)`, value: quantile(ours.long, 0.95), unit: 'ms' },
      { name: '  plain react-markdown', value: quantile(plain.long, 0.95), unit: 'ms' },
      { name: `  beside one at ${SHORT} characters (medians)`, value: growthOf(ours), unit: '×' },
      { name: '  plain react-markdown', value: growthOf(plain), unit: '×' },
      { name: `a chat of ${MESSAGES} messages shows its last one within (median)`, value: ours.opened, unit: 'ms' },
      { name: '  all of them are there within', value: ours.whole, unit: 'ms' },
      { name: '  plain react-markdown, all of them', value: plain.opened, unit: 'ms' },
    ];
  } finally {
    await browser.close();
  }
}

interface Updates {
  /** Milliseconds of script for each update. */
  short: number[];
  long: number[];
}

const growthOf = ({ short, long }: Updates): number => quantile(long, 0.5) / quantile(short, 0.5);

async function oursOf(browser: Browser): Promise<Updates & { opened: number; whole: number }> {
  const service = answering();
  await new Promise<void>((ready) => service.server.listen(0, '127.0.0.1', ready));
  const host = await startHost();
  const page = await openPage(browser, 1440, 900);
  try {
    await host.ask('settings.set', { welcomed: true });
    const baseUrl = `http://127.0.0.1:${(service.server.address() as AddressInfo).port}`;
    await host.ask('profiles.save', { id: 'bench', name: 'Bench', baseUrl });
    await host.ask('profiles.setKey', { id: 'bench', apiKey: 'sk-bench' });
    await host.ask('profiles.activate', { id: 'bench' });
    const { conversationId } = await host.ask('chat.create', {});
    await openAt(page, host, `#/chat?conversation=${conversationId}`);
    await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
    await host.ask('chat.send', { conversationId, text: 'go' });
    await service.asked;
    const updates = await updatesOf(page, async (piece) => service.write(piece));
    service.end();
    return { ...updates, ...(await openedOf(page, host)) };
  } finally {
    await page.close();
    await host.stop();
    service.server.close();
    service.server.closeAllConnections();
  }
}

/** A service whose one answer is written from here. */
function answering() {
  let response: ServerResponse | undefined;
  let begun = (): void => {};
  const asked = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    if (!incoming.url?.endsWith('/chat/completions')) return void outgoing.writeHead(404).end();
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    response = outgoing;
    begun();
  });
  const write = (content: string): void =>
    void response?.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
  const end = (): void =>
    void response?.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
  return { server, asked, write, end };
}

async function updatesOf(page: Page, add: (piece: string) => Promise<unknown>): Promise<Updates> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const text = answerOf(LONG);
  let at = 0;
  const upTo = async (end: number, piece: number): Promise<number[]> => {
    const taken: number[] = [];
    while (at < end) {
      const before = await scriptMs(session);
      await add(text.slice(at, Math.min(end, at + piece)));
      at = Math.min(end, at + piece);
      await page.waitForTimeout(REST_MS);
      taken.push((await scriptMs(session)) - before);
    }
    return taken;
  };
  await upTo(SHORT - MEASURED * PIECE, 500);
  const short = await upTo(SHORT, PIECE);
  await upTo(LONG - MEASURED * PIECE, 1_000);
  return { short, long: await upTo(LONG, PIECE) };
}

async function scriptMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN) * 1_000;
}

/** Prose, lists, code and tables, as models write them. */
function answerOf(length: number): string {
  let text = '';
  for (let part = 1; text.length < length; part++) {
    text += `## Part ${part}\n\nThe **ferry** leaves the quay at night, with *few* lamps lit; see \`shot ${part}\`. `;
    text += 'Rain falls on the deck and the harbour slides away to the right, a long swell under a low sky. '.repeat(3);
    text += '\n\n- wide, still, 24 mm\n- a slow push in to the lamp\n- her face, *held breath*\n\n';
    if (part % 3 === 0) text += '```ts\nconst shot = { seconds: 4, seed: 77 };\nmake(shot);\n```\n\n';
    if (part % 4 === 0) text += '| shot | lens | seconds |\n| --- | --- | --- |\n| 1 | 24 | 4 |\n| 2 | 50 | 6 |\n\n';
  }
  return text.slice(0, length);
}

const words = (at: number): string =>
  at === MESSAGES - 1 ? 'The last one.' : `Message ${at}: ${answerOf(600 + ((at * 131) % 600))}`;

/** A chat that is brought in, opened from another page again and again; the median of each. */
async function openedOf(page: Page, host: Host): Promise<{ opened: number; whole: number }> {
  const messages = Array.from({ length: MESSAGES }, (_, at) => ({
    id: `m${at}`,
    ...(at === 0 ? {} : { after: `m${at - 1}` }),
    branch: 'b',
    role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
    text: words(at),
    createdAt: at,
  }));
  const chat = { dailies: 'chat', form: 1, title: 'Long', createdAt: 0, active: 'b', messages };
  const json = JSON.stringify({ ...chat, branches: [{ id: 'b', createdAt: 0 }] });
  const { conversationId } = await host.ask('chat.import', { json });
  const times: { opened: number; whole: number }[] = [];
  for (let opening = 0; opening < OPENINGS; opening++) {
    await page.evaluate("location.hash = '#/spend'");
    await page.getByRole('heading', { name: 'Spend', exact: true }).waitFor();
    await page.waitForTimeout(500);
    times.push(await page.evaluate(openChat, { hash: `#/chat?conversation=${conversationId}`, count: MESSAGES }));
  }
  return { opened: medianOf(times, 'opened'), whole: medianOf(times, 'whole') };
}

const medianOf = <Name extends string>(times: readonly Record<Name, number>[], name: Name): number =>
  quantile(
    times.map((time) => time[name]),
    0.5,
  );

/** Runs in the page. */
async function openChat({ hash, count }: { hash: string; count: number }): Promise<{ opened: number; whole: number }> {
  const page = globalThis as unknown as {
    location: { hash: string };
    document: { querySelectorAll(selector: string): { length: number; [at: number]: { textContent: string | null } } };
    requestAnimationFrame(next: () => void): void;
  };
  const frame = () => new Promise<void>((next) => page.requestAnimationFrame(next));
  const shown = () => page.document.querySelectorAll('[data-message]');
  const start = performance.now();
  const since = () => performance.now() - start;
  page.location.hash = hash;
  const isOpen = () => shown()[shown().length - 1]?.textContent?.includes('The last one.');
  while (!isOpen()) await frame();
  await frame();
  const opened = since();
  while (shown().length < count) await frame();
  await frame();
  return { opened, whole: since() };
}

async function plainOf(browser: Browser): Promise<Updates & { opened: number }> {
  const outDir = mkdtempSync(join(tmpdir(), 'dailies-bench-'));
  const root = join(import.meta.dirname, '..', 'pages', 'markdown');
  await build({ configFile: false, root, base: './', logLevel: 'error', build: { outDir, emptyOutDir: true } });
  const served = { port: 0, host: '127.0.0.1' };
  const server = await preview({ configFile: false, root, logLevel: 'error', build: { outDir }, preview: served });
  const page = await openPage(browser, 1440, 900);
  try {
    await page.goto(server.resolvedUrls?.local[0] ?? '');
    await page.waitForFunction('window.handles');
    const add = (piece: string) => page.evaluate(`handles.add(${JSON.stringify(piece)})`);
    const updates = await updatesOf(page, add);
    const messages = JSON.stringify(Array.from({ length: MESSAGES }, (_, at) => words(at)));
    const times: number[] = [];
    for (let opening = 0; opening < OPENINGS; opening++) {
      await page.evaluate('handles.clear()');
      times.push(Number(await page.evaluate(`handles.show(${messages})`)));
    }
    return { ...updates, opened: quantile(times, 0.5) };
  } finally {
    await page.close();
    await server.close();
    rmSync(outDir, { recursive: true, force: true });
  }
}
