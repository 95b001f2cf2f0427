import { mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crashFacts, pruneCrashReports, surplusReports } from './crashReports.ts';

test('the newest ten are kept, at most 100 MB of them', () => {
  const reports = Array.from({ length: 12 }, (_, at) => ({ path: `${at}`, at: -at, bytes: 1 }));
  expect(surplusReports(reports).map(({ path }) => path)).toEqual(['10', '11']);
  const large = [1, 60e6, 60e6, 1].map((bytes, at) => ({ path: `${at}`, at, bytes }));
  expect(surplusReports(large).map(({ path }) => path)).toEqual(['2', '3']);
});

test('surplus ones are removed with their description, other files stay', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crashes-'));
  mkdirSync(join(folder, 'completed'));
  for (let at = 0; at < 12; at += 1) {
    for (const end of ['dmp', 'meta']) {
      const path = join(folder, 'completed', `${at}.${end}`);
      writeFileSync(path, 'x');
      utimesSync(path, at + 1, at + 1);
    }
  }
  writeFileSync(join(folder, 'settings.dat'), 'x');
  await pruneCrashReports(folder);
  const left = readdirSync(join(folder, 'completed'));
  expect(left).toHaveLength(20);
  expect(left.filter((name) => name.startsWith('0.') || name.startsWith('1.'))).toEqual([]);
  expect(readdirSync(folder)).toContain('settings.dat');
  expect(await crashFacts(folder)).toMatch(/^crash reports: 10, 10 B, the last of 1970-01-01T00:00:12.000Z, in /);
  expect(await crashFacts(join(folder, 'none'))).toBe('crash reports: none');
});
