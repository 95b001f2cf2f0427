import { once } from 'node:events';
import { request } from 'node:https';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../helpers/browser.ts';
import { type Host, startHost } from '../helpers/host.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';
import { type ReverseProxy, startReverseProxy } from '../helpers/reverseProxy.ts';

/** The studio on another machine, behind a TLS proxy and below a path. */

const BASE = '/film/dailies/';
let proxy: ReverseProxy;
let cutting: ReverseProxy;
let host: Host;
let browser: Browser;
beforeAll(async () => {
  proxy = await startReverseProxy();
  cutting = await startReverseProxy({ cuts: BASE, headers: { host: new URL(proxy.origin).host } });
  [host, browser] = await Promise.all([
    startHost({ flags: ['--public-url', `${proxy.origin}${BASE}`] }),
    launchBrowser(),
  ]);
  proxy.target = host.origin;
  cutting.target = host.origin;
});
afterAll(async () => {
  await browser?.close();
  await host?.stop();
  await proxy?.close();
  await cutting?.close();
});

/** `fetch` cannot use the test's certificate or set `Host`. */
async function ask(address: string, headers: Record<string, string> = {}, method = 'GET') {
  const sent = request(address, { method, headers, rejectUnauthorized: false });
  sent.end();
  const [answer] = await once(sent, 'response');
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  return { status: answer.statusCode as number, headers: answer.headers, text: Buffer.concat(parts).toString() };
}

test('a page behind the proxy signs in, makes calls, gets events and shows results, all below the path', async () => {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await host.ask('settings.set', { welcomed: true });
  await page.goto(host.publicUrl ?? '');
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(BASE);
  expect(page.url()).not.toContain('token');
  const cookies = await context.cookies();
  expect(cookies.map(({ path, secure, httpOnly, sameSite }) => ({ path, secure, httpOnly, sameSite }))).toEqual([
    { path: BASE, secure: true, httpOnly: true, sameSite: 'Strict' },
  ]);

  await page.keyboard.press('Alt+2');
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('A lamp on a quay');
  await page.getByRole('button', { name: /^Send/, disabled: false }).click();
  await page.locator('[data-message][aria-label="language"][aria-busy="false"]').first().waitFor();

  const events = await host.events();
  await host.ask('jobs.enqueue', { requests: [{ kind: 'imagine', prompt: 'A lamp' }] });
  await events.next('job.changed', ({ job }) => job.finishedAt !== undefined);
  await events.close();
  await page.evaluate(() => {
    (globalThis as unknown as { location: { hash: string } }).location.hash = '#/library';
  });
  const picture = page.locator('.page img').first();
  await picture.waitFor();
  // A function, not text: the page's policy allows text to be evaluated only once, too few times if the picture is late.
  await page.waitForFunction(
    (image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0,
    await picture.elementHandle(),
  );
  await page.reload();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  expect(complaints).toEqual([]);
  expect(proxy.paths.filter((path) => !path.startsWith(BASE))).toEqual([]);
  expect(proxy.paths.some((path) => path.startsWith(`${BASE}media/`))).toBe(true);
  await context.close();
});

test('the path without its last slash leads to the page, whether or not the proxy strips it', async () => {
  const { pathname } = new URL(BASE, proxy.origin);
  const bare = await ask(proxy.origin + pathname.slice(0, -1));
  expect([bare.status, bare.headers.location]).toEqual([308, BASE]);
  const withToken = await ask(`${proxy.origin}${pathname.slice(0, -1)}?token=${host.token}`);
  expect([withToken.status, withToken.headers.location]).toEqual([308, `${BASE}?token=${host.token}`]);
  const entered = await ask(`${cutting.origin}${BASE}?token=${host.token}`);
  expect(entered.status).toBe(303);
  expect(entered.headers.location).toMatch(/^\.\/#ticket=/);
});

test('forwarded headers of a request are not trusted', async () => {
  const key = { authorization: `Bearer ${host.token}` };
  const call = `${proxy.origin}${BASE}rpc/app.info`;
  expect((await ask(call, key, 'POST')).status).toBe(200);
  expect((await ask(call, { ...key, origin: proxy.origin }, 'POST')).status).toBe(200);
  const lies: Record<string, string>[] = [
    { host: 'evil.example' },
    { host: 'evil.example', 'x-forwarded-host': new URL(proxy.origin).host },
    { origin: 'https://evil.example' },
    { origin: host.origin },
    { origin: 'null' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of lies) expect((await ask(call, { ...key, ...headers }, 'POST')).status).toBe(403);
  expect((await ask(call, {}, 'POST')).status).toBe(401);
});
