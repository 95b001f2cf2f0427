import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAt } from '../helpers/browser.ts';
import { axeFaults } from './axe.ts';
import { Program } from './program.ts';

/** A film leaves one library as a bundle and opens in another by keyboard, where no gateway answers: its takes play, and no sum changes. */

let from: Program;
let to: Program;
beforeAll(async () => {
  from = await Program.start();
});
afterAll(async () => {
  await from?.stop();
  await to?.stop();
});

test('a bundle is exported, looked at and opened elsewhere by keyboard', async () => {
  const sample = await from.host.ask('projects.openSample');
  await from.host.ask('settings.set', { welcomed: true, projectId: sample.id });
  await from.page.reload();
  await from.page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await openAt(from.page, from.host, '#/storyboard?view=export');
  await from.tabTo(/^Save as a bundle$/);
  await from.page.keyboard.press('Enter');
  await from.page.getByText('Exported', { exact: true }).waitFor();
  const [one] = (await from.host.ask('exports.list', {})).exports;
  const file = path.join(one?.folder ?? '', one?.files[0]?.name ?? '');
  expect(file).toMatch(/\.dailies$/);

  to = await Program.start();
  const { host, page } = to;
  await host.ask('profiles.save', { id: 'gone', name: 'Gone', baseUrl: 'http://127.0.0.1:9' });
  await host.ask('profiles.activate', { id: 'gone' });
  await host.ask('settings.set', { welcomed: true });
  await page.reload();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  const before = await host.ask('ledger.totals', { groupBy: 'project' });
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Find or run anything').waitFor();
  await page.keyboard.type('Open a bundle');
  await page.keyboard.press('Enter');
  await to.tabTo(/^Choose a bundle$/);
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
  await chooser.setFiles(file);
  await page.getByText('5 shots, 6 takes').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  expect((await host.ask('projects.list')).projects).toEqual([]);
  await to.tabTo(/^Open as a new project$/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const [project] = (await host.ask('projects.list')).projects;
  const { jobs } = await host.ask('jobs.list', { projectId: project?.id ?? '', limit: 20 });
  expect(jobs).toHaveLength(6);
  for (const { outputs } of jobs) {
    const plays = await page.evaluate(async (address) => {
      const answer = await fetch(address);
      return [answer.status, (await answer.arrayBuffer()).byteLength];
    }, `/media/${outputs[0]?.id}`);
    expect(plays).toEqual([200, outputs[0]?.bytes]);
  }
  expect(await host.ask('ledger.totals', { groupBy: 'project' })).toEqual(before);
  for (let count = 0; count < 6; count++) {
    const { id } = await host.ask('projects.create', { name: `Left ${count}` });
    await host.ask('projects.remove', { id });
  }
  await page.reload();
  await page.getByRole('button', { name: /^Project: / }).click();
  await page.getByRole('menuitem', { name: 'All 6 removed projects' }).click();
  await page.getByRole('dialog', { name: 'Removed projects' }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  expect([...from.complaints, ...to.complaints]).toEqual([]);
});
