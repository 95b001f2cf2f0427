import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from './logger.ts';

let folder: string;
const file = (name = 'dailies.log') => readFileSync(join(folder, 'logs', name), 'utf8');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dailies-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a hidden value stands in no field of any line', () => {
  const log = createLogger(folder);
  log.hide('sk-secret-value');
  log.info({ error: 'refused with sk-secret-value', nested: { deep: ['sk-secret-value'] } }, 'said sk-secret-value');
  expect(file()).toContain('[hidden]');
  expect(file()).not.toContain('sk-secret');
});

test('a full file is put aside and a new one begun', () => {
  createLogger(folder);
  writeFileSync(join(folder, 'logs', 'dailies.log'), 'x'.repeat(5_000_001));
  const log = createLogger(folder);
  log.info({}, 'the first of a new file');
  expect(file('dailies.log.1')).toHaveLength(5_000_001);
  expect(file()).toContain('the first of a new file');
});
