import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Export } from '../../src/shared/filmExport.ts';
import { framesOf, makeFilmFolder } from '../helpers/filmStudio.ts';
import { type Host, startHost } from '../helpers/host.ts';
import { labels } from '../labels.ts';
import { axeFaults } from './axe.ts';
import { Program } from './program.ts';

/** What leaves one data folder comes into another one with its words, by keys alone, and once. */

let first: Host;
let second: Program;
beforeAll(async () => {
  const clips = await Promise.all([24, 30].map((frames) => framesOf({ frames, rate: { num: 24, den: 1 } })));
  const shots = clips.map((clip, index) => ({
    clip,
    prompt: index === 0 ? 'A quay at dawn' : 'A ferry in the fog',
    verdict: 'keep' as const,
    money: { charged: 3_200_000_000, low: 400_000_000, doubt: 0 },
  }));
  first = await startHost({ dataDir: makeFilmFolder(shots) });
  second = await Program.start();
  await second.host.ask('settings.set', { welcomed: true });
  await second.page.reload();
});
afterAll(async () => {
  await second?.stop();
  await first?.stop();
});

async function leaving(): Promise<Export> {
  const events = await first.events();
  const { id } = await first.ask('library.export', { ids: ['a1', 'a2'], name: 'Two takes' });
  try {
    const known = await first.ask('exports.get', { id });
    if (known.state === 'done') return known;
    return (await events.next('export.changed', (event) => event.export.id === id && event.export.state === 'done'))
      .export;
  } finally {
    await events.close();
  }
}

/** Gives a folder as the system's dialog does, and brings in what is new by keys. */
async function bringInFolder(folder: string): Promise<string> {
  const { page } = second;
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    (async () => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('Bring in an export');
      await page.getByRole('option', { name: 'Bring in an export' }).waitFor();
      await page.keyboard.press('Enter');
    })(),
  ]);
  await chooser.setFiles(folder);
  await page.getByRole('dialog', { name: labels.bringInFiles(2) }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  return page.getByRole('dialog').innerText();
}

test('a selection of one folder comes into another one, and is found there by its words', async () => {
  const { page, host } = second;
  const { folder } = await leaving();
  await second.goTo(labels.library);
  await page.getByRole('button', { name: 'Bring in an export' }).waitFor();
  await bringInFolder(folder);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('A ferry in the fog').waitFor();
  await dialog.getByRole('button', { name: labels.bringIn(2), disabled: false }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByText('2 in, 0 were here already.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  await page.keyboard.type('ferry fog');
  await page.getByRole('option', { name: /a2/ }).first().click();
  await page.getByRole('complementary', { name: labels.details }).getByText('A ferry in the fog').first().waitFor();
  const { sum } = await host.ask('ledger.totals', { groupBy: 'model' });
  expect(sum).toMatchObject({ settledNano: 0, reservedNano: 0, uncertainNano: 0 });

  await bringInFolder(folder);
  await dialog.getByText(labels.thereIsNothingNewTo).or(dialog.getByText('Is a1')).first().waitFor();
  await page.keyboard.press('Escape');
  expect(await host.ask('library.importFolder', { path: folder })).toEqual({ imported: 0, known: 2, errors: [] });
  expect((await host.ask('library.list', { roles: ['source'] })).total).toBe(2);
  expect(second.complaints).toEqual([]);
});
