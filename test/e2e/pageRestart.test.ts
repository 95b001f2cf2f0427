import { afterAll, beforeAll, expect, test } from 'vitest';
import { Program } from './program.ts';

/** A page that is left open while the studio ends and starts again, in a real browser. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
  await program.host.ask('settings.set', { welcomed: true });
});
afterAll(() => program?.stop());

const lost = () => program.page.getByText('The studio does not answer', { exact: true });

test('the first address leaves neither token nor ticket in the address bar, nor in what scripts of other ports could read', async () => {
  const { page, host } = program;
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  expect(page.url()).toMatch(new RegExp(`^${host.origin}/(#/\\w+)?$`));
  const kept = String(await page.evaluate('JSON.stringify([localStorage, document.cookie])'));
  expect(kept).not.toContain(host.token);
});

test('the page says that the studio is away, finds it again by itself, reads again and can call', async () => {
  const { page } = program;
  await program.goTo('Queue');
  await page.getByRole('button', { name: 'Pause all' }).waitFor();
  await program.host.kill('SIGKILL');
  await lost().waitFor();
  program.host = await program.host.restart();
  await lost().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Pause all' }).click();
  await expect.poll(async () => (await program.host.ask('queue.status')).paused).toBe(true);
  // Told by an event of the new run, to a page that was loaded from the old one.
  await page.getByRole('button', { name: 'Resume all' }).waitFor();
  await program.host.ask('queue.resume');
  await page.getByRole('button', { name: 'Pause all' }).waitFor();
  // Pages that are opened anew have kept their key.
  await page.reload();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
});

test('a cookie that another port of this machine has read off opens nothing', async () => {
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
