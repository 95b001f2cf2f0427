import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerTo, arrived, openPage } from '../helpers/browser.ts';
import { testPng } from '../helpers/png.ts';
import { labels } from '../labels.ts';
import { Program } from './program.ts';

/** An open page while the studio ends and starts again, in a real browser. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
  await program.host.ask('settings.set', { welcomed: true });
});
afterAll(() => program?.stop());

const lost = () => program.page.getByText(labels.theStudioDoesNotAnswer, { exact: true });

test('the first address leaves no token or ticket in the address bar, nor where scripts of other ports could read it', async () => {
  const { page, host } = program;
  await page.getByRole('navigation', { name: labels.pages }).waitFor();
  // The page's own code must have arrived: a browser caches what an impostor sends instead.
  await page.locator('main').waitFor();
  expect(page.url()).toMatch(new RegExp(`^${host.origin}/(#/\\w+)?$`));
  const kept = String(await page.evaluate('JSON.stringify([localStorage, document.cookie])'));
  expect(kept).not.toContain(host.token);
  // The history that the Back button and scripts can see.
  const entries = String(await page.evaluate('JSON.stringify([...navigation.entries()].map(({ url }) => url))'));
  expect(entries).not.toMatch(/token|ticket/);
});

test('a program that uses the port while the studio is down learns no credential', async () => {
  const { page } = program;
  const keys = JSON.parse(String(await page.evaluate(`localStorage.getItem('dailies.keys')`))) as { page: string };
  const { port } = new URL(program.host.origin);
  const heard: string[] = [];
  const greeted: string[] = [];
  const impostor = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes) => {
      body += bytes;
    });
    request.on('end', () => {
      const { cookie: _, ...headers } = request.headers;
      heard.push(JSON.stringify([request.method, request.url, headers, body]));
      if (request.url === '/hello') greeted.push(body);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ok: true, data: { run: 'mine', proofs: ['x'], ticket: 'mine' } }));
    });
  });
  await program.host.kill('SIGKILL');
  impostor.listen(Number(port), '127.0.0.1');
  await once(impostor, 'listening');
  await expect.poll(() => greeted.length).toBeGreaterThan(1);
  expect(heard.filter((one) => one.includes('authorization'))).toEqual([]);
  expect(heard.join('\n')).not.toContain(keys.page);
  // All other requests are for files: a font, a picture, the media frame.
  expect(heard.filter((one) => !/^\["(POST","\/hello"|GET","\/(assets\/|media[./]))/.test(one)).join('\n')).toBe('');
  impostor.closeAllConnections();
  await new Promise((closed) => impostor.close(closed));
  program.host = await program.host.restart();
  await lost().waitFor({ state: 'detached' });
  await program.goTo(labels.queue);
  await page.getByRole('button', { name: labels.pauseAll }).waitFor();
});

test('the media frame makes pictures, without access to the key, the page or calls', async () => {
  const { page, host } = program;
  await page.reload();
  await page.getByRole('navigation', { name: labels.pages }).waitFor();
  const finished = page.waitForResponse((answer) => answer.url().endsWith('/rpc/media.finish'));
  const body = testPng(640, 360, 11) as Uint8Array<ArrayBuffer>;
  const uploaded = await host.request('/media?name=framed.png', { method: 'PUT', body });
  const { data: asset } = (await uploaded.json()) as { data: { id: string } };
  expect((await finished).request().frame()).toBe(page.mainFrame());
  await expect
    .poll(async () => (await host.ask('library.get', { id: asset.id })).thumbnailId)
    .toEqual(expect.any(String));
  const frame = page.frames().find((one) => one.url().endsWith('/media.html'));
  const tried = await frame?.evaluate(`(async () => {
    const tries = {
      storage: () => localStorage.getItem('dailies.keys'),
      cookie: () => document.cookie,
      page: () => parent.document.title,
      top: () => { top.location.href = 'about:blank'; return 'gone'; },
      call: async () => (await fetch('/rpc/app.info', { method: 'POST' })).status,
      media: async () => (await fetch('/media/${asset.id}')).status,
      sent: async () => (await fetch('/rpc/app.info', { method: 'POST', mode: 'no-cors', credentials: 'include' })).type,
    };
    const done = {};
    for (const [name, attempt] of Object.entries(tries)) {
      try { done[name] = await attempt(); } catch (error) { done[name] = error.name; }
    }
    return [origin, done];
  })()`);
  expect(tried).toEqual([
    'null',
    {
      storage: 'SecurityError',
      cookie: 'SecurityError',
      page: 'SecurityError',
      top: 'SecurityError',
      call: 'TypeError',
      media: 'TypeError',
      sent: expect.stringMatching(/TypeError|opaque/),
    },
  ]);
});

test('the page shows that the studio is down, reconnects by itself, reads again and can call', async () => {
  const { page } = program;
  await program.goTo(labels.queue);
  await page.getByRole('button', { name: labels.pauseAll }).waitFor();
  await program.host.kill('SIGKILL');
  await lost().waitFor();
  program.host = await program.host.restart();
  await lost().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: labels.pauseAll }).click();
  await expect.poll(async () => (await program.host.ask('queue.status')).paused).toBe(true);
  // Events of the new run reach a page loaded from the old one.
  await page.getByRole('button', { name: labels.resumeAll }).waitFor();
  await program.host.ask('queue.resume');
  await page.getByRole('button', { name: labels.pauseAll }).waitFor();
  // A reloaded page still has its key.
  await page.reload();
  await page.getByRole('navigation', { name: labels.pages }).waitFor();
});

test('a cookie that another port of this machine has read gives no access', async () => {
  const { page, host } = program;
  const cookies = await page.context().cookies(host.origin);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  expect(cookie).not.toBe('');
  for (const origin of [undefined, host.origin]) {
    const headers = { cookie, ...(origin === undefined ? {} : { origin }) };
    const answer = await fetch(`${host.origin}/rpc/profiles.list`, { method: 'POST', headers });
    expect(answer.status).toBe(401);
  }
});

test('a page that is first opened while the studio is down loads when the studio is back', async () => {
  const { page } = program;
  await program.host.kill('SIGKILL');
  await program.goTo(labels.library);
  await lost().waitFor();
  program.host = await program.host.restart();
  await lost().waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: labels.library, exact: true }).waitFor();
});

test('a page that is reloaded while it signs in still signs in', async () => {
  const { host } = program;
  const page = await openPage(program.browser, 1440, 900);
  let calls = 0;
  let answered: () => void = () => {};
  const redeemed = new Promise<void>((resolve) => {
    answered = resolve;
  });
  await page.route('**/session', async (route) => {
    calls += 1;
    if (calls > 1) return route.continue();
    await answerTo(route);
    answered();
  });
  await page.goto(host.url);
  await redeemed;
  await page.reload();
  await page.getByRole('navigation', { name: labels.pages }).waitFor();
  await page.close();
});

test('an address with the token and a place opens the place, and keeps neither token nor ticket', async () => {
  const { page, host } = program;
  await page.goto('about:blank');
  await page.goto(`${host.url}#/queue`);
  await arrived(page, 'queue');
  expect(page.url()).toBe(`${host.origin}/#/queue`);
});

test('an edit that breaks a rule of the board survives a reload, and is saved once fixed', async () => {
  const { page, host } = program;
  const { id: projectId } = await host.ask('projects.create', { name: 'Harbour' });
  await host.ask('settings.set', { projectId });
  const shot = { id: 's1', prompt: 'A quay', model: 'video-standard', config: { durationSeconds: 4 as const } };
  await host.ask('storyboard.save', { projectId, revision: 0, shots: [shot] });
  await page.evaluate(`location.hash = '#/storyboard'`);
  const prompt = page.getByLabel(labels.promptOfShot(1));
  const told = page.locator('main').getByRole('alert').getByText('Shot 1 is not saved. Prompt must have');
  const long = 'x'.repeat(100_001);
  await prompt.fill(long);
  await told.waitFor();
  await page.reload();
  await told.waitFor();
  await expect.poll(() => prompt.inputValue()).toBe(long);
  const saved = async () => (await host.ask('storyboard.get', { projectId })).shots[0]?.prompt;
  expect(await saved()).toBe('A quay');
  await prompt.fill('A quay at night');
  await told.waitFor({ state: 'detached' });
  await expect.poll(saved).toBe('A quay at night');
});
