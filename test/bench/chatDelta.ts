import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchBrowser, openAt } from '../helpers/browser.ts';
import { startHost } from '../helpers/host.ts';
import { type Figure, quantile } from './figures.ts';

/** Time from writing a chunk of an answer to the service's socket until the page's document contains it. */

const PIECES = 200;
const EVERY_MS = 25;

export async function benchChatDelta(): Promise<Figure[]> {
  const service = createServer((request, response) => {
    request.resume();
    if (request.url?.endsWith('/chat/completions')) return void stream(response);
    response.writeHead(404).end();
  });
  await new Promise<void>((ready) => service.listen(0, '127.0.0.1', () => ready()));
  const host = await startHost();
  const browser = await launchBrowser();
  const page = await browser.newPage();
  try {
    await host.ask('settings.set', { welcomed: true });
    const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const profile = await host.ask('profiles.save', { id: 'bench', name: 'Bench', baseUrl });
    await host.ask('profiles.setKey', { id: profile.id, apiKey: 'sk-bench' });
    await host.ask('profiles.activate', { id: profile.id });
    const { conversationId } = await host.ask('chat.create', {});
    await openAt(page, host, `#/chat?conversation=${conversationId}`);
    await page.getByRole('textbox').first().waitFor();
    await page.evaluate(watchStamps);
    await host.ask('chat.send', { conversationId, text: 'go' });
    await page.getByText('the end').first().waitFor();
    const delays = await page.evaluate(() => (globalThis as unknown as { delays: number[] }).delays);
    return [
      { name: `chat delta, socket → document (median of ${delays.length})`, value: quantile(delays, 0.5), unit: 'ms' },
      { name: 'chat delta, socket → document (p95)', value: quantile(delays, 0.95), unit: 'ms' },
    ];
  } finally {
    await browser.close();
    await host.stop();
    service.close();
    service.closeAllConnections();
  }
}

/** Each chunk contains the time at which it was written. */
function stream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
    const text = count > PIECES ? 'the end' : `t${Date.now()}t `;
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`);
    if (count <= PIECES) return;
    clearInterval(timer);
    response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
  }, EVERY_MS);
}

/** Runs in the page: records each timestamp's age when it first appears in the document. */
function watchStamps(): void {
  const seen = new Set<string>();
  const delays: number[] = [];
  (globalThis as unknown as { delays: number[] }).delays = delays;
  const doc = (globalThis as unknown as { document: { body: { textContent: string | null } } }).document;
  const Observer = (
    globalThis as unknown as {
      MutationObserver: new (run: () => void) => { observe(node: unknown, options: object): void };
    }
  ).MutationObserver;
  new Observer(() => {
    for (const [stamp, time] of (doc.body.textContent ?? '').matchAll(/t(\d{13})t/g)) {
      if (seen.has(stamp)) continue;
      seen.add(stamp);
      delays.push(Date.now() - Number(time));
    }
  }).observe(doc.body, { childList: true, subtree: true, characterData: true });
}
