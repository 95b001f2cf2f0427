import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import { axeFaults } from './axe.ts';
import { countMouse, keys, mouseEvents } from './hands.ts';
import { Program } from './program.ts';

/** The sandbox's own bill, read and settled by keyboard alone. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
});
afterAll(async () => {
  await program?.stop();
});

interface SandboxBill {
  totalNano: number;
  entries: { at: string; id: string; model: string; nano: number }[];
}

const dollars = (nano: number): string => `${Math.floor(nano / 1e9)}.${String(nano % 1e9).padStart(9, '0')}`;

async function billOf({ host }: Program): Promise<SandboxBill> {
  const { profiles } = await host.ask('profiles.list', {});
  const answer = await fetch(`${profiles.find(({ id }) => id === 'sandbox')?.baseUrl}/__sandbox/bill`);
  return (await answer.json()) as SandboxBill;
}

test('a bill of the sandbox is read, and one line only there, one only here and one that differs are settled', async () => {
  const { host, page } = program;
  const pictures: StudioRequest[] = ['one', 'two', 'three'].map((prompt) => ({ kind: 'imagine', prompt }));
  const chat: StudioRequest = { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'Say hello.' }] };
  await host.ask('jobs.enqueue', { requests: [...pictures, chat] });
  await expect
    .poll(async () => (await host.ask('jobs.list', { states: ['succeeded'], limit: 10 })).total)
    .toBe(pictures.length + 1);
  const bill = await billOf(program);
  const [first, second, ...others] = bill.entries.filter(({ model }) => model.startsWith('image'));
  const talk = bill.entries.filter(({ model }) => !model.startsWith('image'));
  if (!first || !second) throw new Error('the sandbox billed no pictures');
  const foreign = { at: first.at, id: 'elsewhere', model: 'other', nano: 123_456_789 };
  const lines = [{ ...second, nano: second.nano + 1 }, ...others, ...talk, foreign];
  const rows = lines.map(({ at, id, model, nano }) => [at, id, model, dollars(nano)].join(','));
  const total = lines.reduce((sum, { nano }) => sum + nano, 0);
  const hands = keys(page);
  await host.ask('settings.set', { welcomed: true });
  await page.reload();
  await countMouse(page);
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await page.keyboard.press('Alt+6');
  await hands.press(page.getByRole('button', { name: 'Statement' }));
  await hands.write(
    page.getByRole('textbox', { name: 'The bill' }),
    ['started_at,operation,model,amount_usd', ...rows].join('\n'),
  );
  await hands.press(page.getByRole('button', { name: 'Read the bill' }));

  const side = page.getByRole('complementary', { name: 'How it was read' });
  await side.getByText('of 3 open').waitFor();
  await page.keyboard.press('Control+Enter');
  await side.getByText('of 2 open').waitFor();
  await hands.press(page.getByRole('button', { name: /^Other ways for other, line/ }));
  await hands.press(page.getByRole('menuitem', { name: 'Enter $0.12' }));
  await side.getByText('of 1 open').waitFor();
  const entry = page.getByRole('region', { name: 'Only in the ledger' });
  const wait = entry.getByRole('button', { name: /^(Keep|Wait)/ });
  await wait.waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await hands.press(entry.getByRole('button', { name: /^Other ways/ }));
  await hands.press(page.getByRole('menuitem', { name: /^Take off/ }));
  await page.getByText('The bill and the ledger agree in every line.').waitFor();

  const { sum } = await host.ask('ledger.totals', { groupBy: 'model' });
  expect(sum).toMatchObject({ settledNano: total, uncertainNano: 0 });
  expect(await axeFaults(page)).toEqual([]);
  expect(await mouseEvents(page)).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Price of what you kept' }).waitFor();
  expect(program.complaints).toEqual([]);
});
