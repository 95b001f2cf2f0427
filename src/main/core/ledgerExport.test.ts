import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryKeys } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import type { Export } from '../../shared/film/filmExport.ts';
import { nanoFromDollars } from '../../shared/money/money.ts';
import { csvRows } from '../../shared/tables/csv.ts';

/** The exported ledger has every entry, and its sums equal the page's to the nano-dollar. */

const openStudio = studiosOfThisFile();

const chat = (model: string, words: string) => ({
  kind: 'chat' as const,
  model,
  messages: [{ role: 'user' as const, content: words }],
});

async function filled() {
  const ports = {
    freeBytes: () => 1e12,
    keys: memoryKeys({ real: 'sk-0123456789abcdef', other: 'sk-abcdef0123456789' }),
  };
  const studio = await openStudio({ ports });
  const { ask } = studio;
  await ask('profiles.save', { id: 'real', name: '=Real, "the" gateway', baseUrl: 'http://127.0.0.1:9' });
  await ask('profiles.save', { id: 'other', name: 'Other', baseUrl: 'http://127.0.0.1:9' });
  await ask('queue.pause');
  const { id: projectId } = await ask('projects.create', { name: '@Harbour' });
  await ask('profiles.activate', { id: 'real' });
  const { jobs } = await ask('jobs.enqueue', {
    requests: [chat('language', 'a'), chat('+SUM(A1)', 'bb'), chat('language', 'ccc')],
    projectId,
  });
  await ask('jobs.cancel', { id: jobs[2]?.id ?? '' });
  await ask('profiles.activate', { id: 'other' });
  await ask('jobs.enqueue', { requests: [chat('language', 'dddd')] });
  await ask('profiles.activate', { id: 'sandbox' });
  await ask('jobs.enqueue', { requests: [chat('language', 'play')] });
  await ask('profiles.activate', { id: 'real' });
  const fileOf = async (input: Parameters<typeof ask<'ledger.export'>>[1]) => {
    const started = await ask('ledger.export', input);
    const done = await ended(started);
    expect(done).toMatchObject({ state: 'done', kind: 'ledger' });
    return readFileSync(join(done.folder, done.files[0]?.name ?? ''), 'utf8');
  };
  const ended = async ({ id }: Export): Promise<Export> => {
    for (;;) {
      const one = await ask('exports.get', { id });
      if (one.state !== 'running') return one;
      await new Promise((done) => setImmediate(done));
    }
  };
  return { ...studio, fileOf };
}

const FIGURES = ['settled_usd', 'settled_at_least_usd', 'reserved_usd', 'in_doubt_usd'] as const;
const SUMS = ['settledNano', 'settledLowNano', 'reservedNano', 'uncertainNano'] as const;

function readCsv(text: string): Record<string, string>[] {
  const [head, ...rows] = [...csvRows(text, ',')];
  return rows.map(({ cells }) => Object.fromEntries(cells.map((cell, at) => [head?.cells[at] ?? '', cell])));
}

const nanoOf = (dollars = ''): number =>
  dollars.startsWith('-') ? 0 - nanoFromDollars(dollars.slice(1)) : nanoFromDollars(dollars);

test.each([{}, { profileIds: ['real'] }, { play: true }, { play: false, profileIds: ['other'] }])(
  'the sums of a file for %j are those of the page, to the nano-dollar',
  async (which) => {
    const { ask, fileOf } = await filled();
    const { sum } = await ask('ledger.totals', { ...which, groupBy: 'gateway' });
    const rows = readCsv(await fileOf({ ...which, format: 'csv' }));
    expect(rows.length).toBeGreaterThan(0);
    for (const [at, field] of FIGURES.entries()) {
      for (const row of rows) expect(row[field]).toMatch(/^-?\d+\.\d{9}$/);
      expect(rows.reduce((total, row) => total + nanoOf(row[field]), 0)).toBe(sum[SUMS[at] ?? 'settledNano']);
    }
    const json = JSON.parse(await fileOf({ ...which, format: 'json' })) as { entries: Record<string, number>[] };
    expect(json.entries).toHaveLength(rows.length);
    for (const name of SUMS)
      expect(json.entries.reduce((total, entry) => total + (entry[name] ?? 0), 0)).toBe(sum[name]);
  },
);

test('texts are quoted, and what looks like a formula is none', async () => {
  const { fileOf } = await filled();
  const text = await fileOf({ format: 'csv', profileIds: ['real'] });
  expect(text.startsWith('\ufeffat,counted_at,day,')).toBe(true);
  expect(text).toContain(`"'=Real, ""the"" gateway"`);
  expect(text).toContain(`"'+SUM(A1)"`);
  expect(text).toContain(`"'@Harbour"`);
  expect(
    text
      .split('\r\n')
      .slice(1, -1)
      .every((line) => !/(^|,)[=+@]/.test(line)),
  ).toBe(true);
});

test('a period without entries is a file with its head alone, and a bad form one sentence', async () => {
  const { fileOf, call } = await filled();
  expect((await fileOf({ format: 'csv', to: 1 })).trim().split('\r\n')).toHaveLength(1);
  expect(JSON.parse(await fileOf({ format: 'json', to: 1 }))).toMatchObject({ unit: 'nano-dollar', entries: [] });
  expect(await call('ledger.export', { format: 'xlsx' as never })).toMatchObject({
    error: { message: "format: must be 'csv' or 'json'" },
  });
});

test('sums by gateway are those of each gateway alone', async () => {
  const { ask } = await filled();
  const { rows, sum } = await ask('ledger.totals', { groupBy: 'gateway' });
  expect(rows.map(({ key, jobs }) => [key, jobs])).toEqual([
    ['other', 1],
    ['real', 3],
  ]);
  for (const { key, reservedNano } of rows) {
    const own = await ask('ledger.totals', { groupBy: 'day', profileIds: [key] });
    expect(own.sum.reservedNano).toBe(reservedNano);
  }
  expect(rows.reduce((total, { reservedNano }) => total + reservedNano, 0)).toBe(sum.reservedNano);
  expect(await ask('ledger.review', {})).toMatchObject({ doubts: [], corrections: [], doubtCount: 0, play: false });
});
