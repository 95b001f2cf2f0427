import { afterAll, beforeAll, expect, test } from 'vitest';
import { arrived } from '../helpers/browser.ts';
import { Program } from './program.ts';

let program: Program;
beforeAll(async () => {
  program = await Program.start();
  await program.host.ask('settings.set', { welcomed: true });
});
afterAll(() => program?.stop());

test('an address with the token and a place opens the place, and keeps neither token nor ticket', async () => {
  const { page, host } = program;
  await page.goto('about:blank');
  await page.goto(`${host.url}#/queue`);
  await arrived(page, 'queue');
  expect(page.url()).toBe(`${host.origin}/#/queue`);
});
