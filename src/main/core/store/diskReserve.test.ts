import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { silentLog, tempDir } from '../../../../test/helpers/testPorts.ts';
import { keepReserve, releaseDiskReserve } from './diskReserve.ts';

afterEach(() => vi.restoreAllMocks());

const roomy = () => 1e9;

function scene() {
  const dataDir = tempDir('reserve');
  const file = path.join(dataDir, 'dailies.reserve');
  const keep = (freeBytes: () => number = roomy) => keepReserve(dataDir, { freeBytes, log: silentLog });
  return { dataDir, file, keep, giveUp: () => releaseDiskReserve(dataDir, silentLog) };
}

const fault = (code: string) => Object.assign(new Error(`${code}: not now`), { code });

test('the reserve is kept where there is room, and given up once', () => {
  const { file, keep, giveUp } = scene();
  keep();
  expect(fs.statSync(file).size).toBe(256 * 1024);
  expect([giveUp(), giveUp(), fs.existsSync(file)]).toEqual([true, false, false]);
});

test('the reserve leaves what little room there is to others, and is asked for again', () => {
  const { file, keep } = scene();
  expect(() => keep(() => 500_000)).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
  expect(fs.existsSync(file)).toBe(false);
});

test.each(['EPERM', 'EBUSY', 'ENOSPC', 'EDQUOT'])('a reserve that cannot be written is done without: %s', (code) => {
  const { file, keep } = scene();
  vi.spyOn(fs, 'writeFileSync').mockImplementation(() => {
    fs.closeSync(fs.openSync(file, 'w'));
    throw fault(code);
  });
  keep();
  expect(fs.existsSync(file)).toBe(false);
});

test('nor is there one where the free bytes cannot be known', () => {
  const { file, keep } = scene();
  keep(() => {
    throw fault('ENOSYS');
  });
  expect(fs.existsSync(file)).toBe(false);
});

test('what has its name and is no file is left alone, and gives no room', () => {
  const { file, keep, giveUp } = scene();
  fs.mkdirSync(file);
  keep();
  expect([giveUp(), fs.existsSync(file)]).toEqual([false, true]);
});

test('a reserve that is held gives no room', () => {
  const { keep, giveUp } = scene();
  keep();
  vi.spyOn(fs, 'rmSync').mockImplementation(() => {
    throw fault('EBUSY');
  });
  expect(giveUp()).toBe(false);
});
