import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFaults } from './axe.ts';
import { Program } from './program.ts';

/** The library by keyboard alone: what was made is filtered, sorted, chosen, judged, tagged, binned and exported. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
});
afterAll(async () => {
  await program?.stop();
});

const press = async (...keys: string[]) => {
  for (const key of keys) await program.page.keyboard.press(key);
};

const bar = () => program.page.getByRole('region', { name: 'Chosen' });

/** Runs in the page. */
function countPointers(): void {
  const page = globalThis as unknown as {
    pointers: number;
    addEventListener(type: string, heard: () => void, capture: boolean): void;
  };
  page.pointers = 0;
  page.addEventListener('pointerdown', () => (page.pointers += 1), true);
}

test('what was made is found, put in order, chosen, judged, tagged, binned, taken back and exported without a pointer', async () => {
  const { host, page } = program;
  const prompts = ['lamp one', 'lamp two', 'harbour', 'lamp three', 'lamp four'];
  await host.ask('jobs.enqueue', { requests: prompts.map((prompt) => ({ kind: 'imagine', prompt })) });
  const made = async () => (await host.ask('library.list', { roles: ['output'], states: ['local'] })).total;
  await expect.poll(made).toBe(5);
  await host.ask('settings.set', { welcomed: true });
  await page.reload();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await page.evaluate(countPointers);
  await press('Alt+5');
  await page.getByRole('option').nth(4).waitFor();

  await press('/');
  await page.keyboard.type('lamp');
  await page.getByText('4 found').waitFor();
  await program.tabTo(/^Grid$/);
  await press('ArrowRight');
  await page.getByRole('grid', { name: 'Pictures and clips' }).waitFor();

  await program.tabTo(/^Name$/);
  await press('Enter');
  await page
    .getByRole('columnheader', { name: 'Name', exact: true })
    .and(page.locator('[aria-sort="ascending"]'))
    .waitFor();
  await expect
    .poll(() => page.locator('.lib-table tbody tr td:nth-child(3)').allTextContents())
    .toEqual([...['lamp four', 'lamp one', 'lamp three', 'lamp two']]);

  await press('Shift+Tab', 'Shift+Tab');
  await press('Home', 'Shift+ArrowDown', 'Shift+ArrowDown');
  await bar().getByText('3 chosen').waitFor();
  await page.getByRole('complementary', { name: 'Details' }).getByText('3 pictures').waitFor();

  await press('y');
  const kept = async () => {
    const { assets } = await host.ask('library.list', { verdict: 'keep' });
    return assets.map(({ name }) => name).sort();
  };
  await expect.poll(kept).toEqual(['lamp four', 'lamp one', 'lamp three']);

  await press('t');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Add a tag' }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.type('plate');
  await press('Enter');
  const tagged = async () => (await host.ask('library.list', { tags: ['plate'] })).total;
  await expect.poll(tagged).toBe(3);
  await press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await press('Delete');
  const binned = async () => (await host.ask('library.list', { binned: true, roles: ['output'] })).total;
  await expect.poll(binned).toBe(3);
  await page
    .getByRole('complementary', { name: 'Filters' })
    .getByText(/^Bin, /)
    .waitFor();
  await press('Control+z');
  await expect.poll(binned).toBe(0);

  await expect.poll(() => page.locator('.lib-table tbody tr').count()).toBe(4);
  await program.tabTo(/^Pictures and clips$/);
  await press('Home', 'Shift+ArrowDown', 'Shift+ArrowDown');
  await bar().getByText('3 chosen').waitFor();
  await press('e');
  await page.getByText('6 files exported').waitFor();
  const { exports } = await host.ask('exports.list', {});
  expect(exports[0]?.files).toHaveLength(6);
  for (const { name } of exports[0]?.files ?? [])
    expect(existsSync(path.join(exports[0]?.folder ?? '', name)), name).toBe(true);

  await press('Escape');
  await bar().waitFor({ state: 'detached' });
  expect(await page.evaluate(() => (globalThis as unknown as { pointers: number }).pointers)).toBe(0);
  expect(program.complaints).toEqual([]);
});
