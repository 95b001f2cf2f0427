import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright';
import { launchBrowser, openAt, openPage } from '../helpers/browser.ts';
import { type Host, startHost } from '../helpers/host.ts';
import { type Figure, quantile } from './figures.ts';
import { LONG, SHORT, type Updates, updatesOf } from './growingAnswer.ts';
import { endOf, MESSAGES, OPENINGS, type Opening, openingOf, wordsOf } from './openingChat.ts';
import { withPlainMarkdown } from './plainMarkdown.ts';
import { ScriptTime, type Spent } from './scriptTime.ts';
import { within } from './within.ts';

/**
 * The Chat page while an answer grows to 50,000 characters, and when a chat of 500 messages is opened, compared with plain react-markdown.
 * An update is one piece of an answer; measured is the page's thread.
 */

const WAIT_MS = 60_000;
/** After this time nothing moves in a page. */
const SETTLED_MS = 1_000;

interface Measured {
  updates: Updates;
  openings: Opening[];
}

export async function benchChatPage(): Promise<Figure[]> {
  const browser = await launchBrowser();
  try {
    const ours = await oursOf(browser);
    const drawn = ours.openings[0]?.drawn ?? MESSAGES;
    const plain = await withPlainMarkdown(browser, async (page) => ({
      updates: await plainUpdates(page),
      openings: await plainOpenings(page, MESSAGES),
      few: await plainOpenings(page, drawn),
    }));
    return [...updateFigures(ours.updates, plain.updates), ...openingFigures(ours.openings, plain.openings, plain.few)];
  } finally {
    await browser.close();
  }
}

const quantileOf = (spent: readonly Spent[], what: keyof Spent, q: number): number =>
  quantile(
    spent.map((one) => one[what]),
    q,
  );

function updateFigures(ours: Updates, plain: Updates): Figure[] {
  const lengths = [
    { length: SHORT, mine: ours.short, theirs: plain.short },
    { length: LONG, mine: ours.long, theirs: plain.long },
  ];
  const figures = lengths.flatMap(({ length, mine, theirs }) => [
    { name: `scripts of an update at ${length} characters (p50)`, value: quantileOf(mine, 'script', 0.5), unit: 'ms' },
    { name: '  p95', value: quantileOf(mine, 'script', 0.95), unit: 'ms' },
    { name: '  p95, layout and paint included', value: quantileOf(mine, 'task', 0.95), unit: 'ms' },
    { name: '  plain react-markdown (p50)', value: quantileOf(theirs, 'script', 0.5), unit: 'ms' },
    { name: '  plain react-markdown (p95)', value: quantileOf(theirs, 'script', 0.95), unit: 'ms' },
  ]);
  const growth = ({ short, long }: Updates, q: number) =>
    quantileOf(long, 'script', q) / quantileOf(short, 'script', q);
  return [
    ...figures,
    { name: `growth from ${SHORT} to ${LONG} characters (p50)`, value: growth(ours, 0.5), unit: '×' },
    { name: '  p95', value: growth(ours, 0.95), unit: '×' },
    { name: '  plain react-markdown (p50)', value: growth(plain, 0.5), unit: '×' },
    {
      name: `plain react-markdown's scripts at ${LONG} beside ours (p95)`,
      value: quantileOf(plain.long, 'script', 0.95) / quantileOf(ours.long, 'script', 0.95),
      unit: '×',
    },
  ];
}

function openingFigures(ours: Opening[], plain: Opening[], few: Opening[]): Figure[] {
  const of = (openings: Opening[], what: keyof Opening, q = 0.5) =>
    quantile(
      openings.map((opening) => opening[what]),
      q,
    );
  const drawn = of(ours, 'drawn');
  return [
    { name: `a chat of ${MESSAGES} messages is readable within (p50)`, value: of(ours, 'readable'), unit: 'ms' },
    { name: `  slowest of ${OPENINGS}`, value: of(ours, 'readable', 1), unit: 'ms' },
    { name: `  the ${drawn} that are drawn by themselves are there within`, value: of(ours, 'whole'), unit: 'ms' },
    { name: '  scripts for it', value: of(ours, 'script'), unit: 'ms' },
    { name: '  plain react-markdown, all of them', value: of(plain, 'readable'), unit: 'ms' },
    { name: '    scripts for it', value: of(plain, 'script'), unit: 'ms' },
    { name: `  plain react-markdown, ${drawn} of them`, value: of(few, 'readable'), unit: 'ms' },
    { name: '    scripts for it', value: of(few, 'script'), unit: 'ms' },
    {
      name: `plain react-markdown, all of them, beside ours`,
      value: of(plain, 'readable') / of(ours, 'readable'),
      unit: '×',
    },
  ];
}

async function oursOf(browser: Browser): Promise<Measured> {
  const service = answering();
  await new Promise<void>((ready) => service.server.listen(0, '127.0.0.1', ready));
  const host = await startHost();
  const page = await openPage(browser, 1440, 900);
  page.setDefaultTimeout(WAIT_MS);
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
    await within(WAIT_MS, 'the service had not been asked for an answer', service.asked);
    const updates = await updatesOf(page, 'article[aria-busy="true"]', async (piece) => service.write(piece));
    service.end();
    return { updates, openings: await ourOpenings(page, host) };
  } finally {
    await page.close();
    await within(WAIT_MS, 'the host had not ended', host.stop());
    service.server.close();
    service.server.closeAllConnections();
  }
}

/** A gateway whose only answer is written by the bench. */
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

/** Opens imported chats by a click in the list, each for the first time. */
async function ourOpenings(page: Page, host: Host): Promise<Opening[]> {
  for (let chat = 1; chat <= OPENINGS; chat++) await host.ask('chat.import', { json: fileOf(chat) });
  const time = await ScriptTime.of(page);
  const openings: Opening[] = [];
  for (let chat = 1; chat <= OPENINGS; chat++) {
    const row = page.getByRole('button', { name: titleOf(chat) }).first();
    await row.waitFor({ timeout: 30_000 });
    // The list must have settled, so that the click meets the row.
    await page.waitForTimeout(500);
    const box = await row.boundingBox();
    if (!box) throw new Error(`bench: “${titleOf(chat)}” is not in the list of chats.`);
    const press = () => page.mouse.click(box.x + 20, box.y + box.height / 2);
    openings.push(await openingOf(page, time, endOf(chat), press));
  }
  return openings;
}

const titleOf = (chat: number): string => `Long chat ${chat}`;

function fileOf(chat: number): string {
  const messages = wordsOf(chat).map((text, at) => ({
    id: `m${at}`,
    ...(at === 0 ? {} : { after: `m${at - 1}` }),
    branch: 'b',
    role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
    text,
    createdAt: at,
  }));
  const head = { dailies: 'chat', form: 1, title: titleOf(chat), createdAt: 0, active: 'b' };
  return JSON.stringify({ ...head, messages, branches: [{ id: 'b', createdAt: 0 }] });
}

const plainUpdates = (page: Page): Promise<Updates> =>
  updatesOf(page, '#root', async (piece) => void (await page.evaluate(`handles.add(${JSON.stringify(piece)})`)));

async function plainOpenings(page: Page, count: number): Promise<Opening[]> {
  const time = await ScriptTime.of(page);
  const openings: Opening[] = [];
  for (let chat = 1; chat <= OPENINGS; chat++) {
    const messages = wordsOf(chat).slice(-count);
    await page.evaluate(`handles.prepare(${JSON.stringify(messages)})`);
    await page.waitForTimeout(SETTLED_MS);
    const box = await page.getByRole('button', { name: 'Open' }).boundingBox();
    if (!box) throw new Error('bench: the page of react-markdown has no button.');
    openings.push(await openingOf(page, time, endOf(chat), () => page.mouse.click(box.x + 5, box.y + 5)));
  }
  return openings;
}
