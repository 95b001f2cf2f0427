import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from './logger.ts';

let folder: string;
const file = (name = 'dailies.log') => readFileSync(join(folder, 'logs', name), 'utf8');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dailies-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a hidden value appears in no field of any line', () => {
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

test.each(['dailies.log', ''])(
  'a file that was removed meanwhile (logs/%s) is begun anew when it would be full',
  (removed) => {
    createLogger(folder);
    writeFileSync(join(folder, 'logs', 'dailies.log'), 'x'.repeat(5_000_001));
    const log = createLogger(folder);
    rmSync(join(folder, 'logs', removed), { recursive: true });
    log.info({}, 'the first of a new file');
    log.info({}, 'the second');
    expect(file()).toMatch(/the first of a new file.*\n.*the second/);
  },
);

test('a log that cannot be opened anew disturbs nobody, and goes on once it can be', () => {
  createLogger(folder);
  writeFileSync(join(folder, 'logs', 'dailies.log'), 'x'.repeat(5_000_001));
  const log = createLogger(folder);
  rmSync(join(folder, 'logs'), { recursive: true });
  writeFileSync(join(folder, 'logs'), 'in its place');
  log.info({}, 'lost');
  rmSync(join(folder, 'logs'));
  log.info({}, 'kept');
  expect(file()).toContain('kept');
});

test.each([
  ['a named pipe', 'dailies.log', (path: string) => void execFileSync('mkfifo', [path])],
  ['a folder', 'dailies.log', (path: string) => void mkdirSync(path)],
])('%s as %s is refused at once, with one sentence', (kind, name, put) => {
  mkdirSync(join(folder, 'logs'));
  put(join(folder, 'logs', name));
  expect(() => createLogger(folder)).toThrow(`${join(folder, 'logs', name)} is ${kind}, not a file; the log cannot`);
});

test('a file or a named pipe in place of its folder is refused with one sentence', () => {
  execFileSync('mkfifo', [join(folder, 'logs')]);
  expect(() => createLogger(folder)).toThrow(`${join(folder, 'logs')} is a named pipe, not a folder`);
});

test('what would turn a line around stands in it as an escape, in the file and in the terminal', () => {
  const told: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((line) => told.push(String(line)) > 0);
  const message = 'No\u202e such\u200b thing.\n';
  createLogger(folder).warn({ message }, 'a download will be tried again');
  write.mockRestore();
  for (const line of [file(), ...told]) {
    expect(line).toContain(String.raw`No\u202e such\u200b thing.\n`);
    expect(line).toMatch(/^[\x20-\x7e]*\n$/);
    expect(JSON.parse(line)).toMatchObject({ message });
  }
  expect(told).toHaveLength(1);
});
