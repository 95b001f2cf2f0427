import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordingLog, tempDir } from '../../../../test/helpers/testPorts.ts';
import { newSecret } from './access.ts';
import { candidateEndpoints, type Endpoint, lastEndpoint, saveEndpoint } from './endpoint.ts';

const endpoint: Endpoint = { port: 4_321, token: newSecret(), originKey: newSecret() };
const FILE = 'browser-host.json';

test("what is kept is read again by its owner only, also where the old file was everybody's", () => {
  const folder = tempDir('endpoint');
  writeFileSync(join(folder, FILE), '{}');
  chmodSync(join(folder, FILE), 0o644);
  saveEndpoint(folder, endpoint, recordingLog());
  expect(lastEndpoint(folder, recordingLog())).toEqual(endpoint);
  expect(statSync(join(folder, FILE)).mode & 0o777).toBe(0o600);
});

test.each(['', '{', 'null', JSON.stringify({ ...endpoint, token: 'short' }), JSON.stringify({ ...endpoint, port: 0 })])(
  'a file that holds %j is no endpoint: the next start has a new one',
  (text) => {
    const folder = tempDir('endpoint');
    writeFileSync(join(folder, FILE), text);
    const log = recordingLog();
    expect(lastEndpoint(folder, log)).toBeUndefined();
    expect(log.lines).toHaveLength(1);
  },
);

test('a named pipe or a folder in place of the file is refused at once, with a sentence', () => {
  const folder = tempDir('endpoint');
  execFileSync('mkfifo', [join(folder, FILE)]);
  expect(() => lastEndpoint(folder, recordingLog())).toThrow(`${join(folder, FILE)} is a named pipe, not a file`);
  const other = tempDir('endpoint');
  mkdirSync(join(other, FILE));
  expect(() => lastEndpoint(other, recordingLog())).toThrow('is a folder, not a file');
});

test('where it cannot be kept the program goes on', () => {
  const log = recordingLog();
  saveEndpoint(join(tempDir('endpoint'), 'missing'), endpoint, log);
  expect(log.lines).toHaveLength(1);
});

test('the port and token of the last run are tried first; at another port the pages need new keys, the token stays', () => {
  expect(candidateEndpoints(0, endpoint)[0]).toEqual(endpoint);
  expect(candidateEndpoints(endpoint.port, endpoint)).toEqual([endpoint]);
  const elsewhere = candidateEndpoints(0, endpoint).at(-1);
  const [asked] = candidateEndpoints(5_000, endpoint);
  for (const other of [elsewhere, asked]) {
    expect(other?.token).toBe(endpoint.token);
    expect(other?.originKey).not.toBe(endpoint.originKey);
  }
  expect([elsewhere?.port, asked?.port]).toEqual([0, 5_000]);
  expect(candidateEndpoints(0, endpoint).slice(1)).not.toContainEqual(
    expect.objectContaining({ originKey: endpoint.originKey }),
  );
  expect(candidateEndpoints(0, undefined).at(-1)).toMatchObject({ port: 0 });
});

test('a renewed token keeps the port, and nothing that was handed out before opens anything', () => {
  for (const [renewed] of [candidateEndpoints(0, endpoint, true), candidateEndpoints(endpoint.port, endpoint, true)]) {
    expect(renewed?.port).toBe(endpoint.port);
    expect(renewed?.token).not.toBe(endpoint.token);
    expect(renewed?.originKey).not.toBe(endpoint.originKey);
  }
  const [, elsewhere] = candidateEndpoints(0, endpoint, true);
  expect(elsewhere?.token).not.toBe(endpoint.token);
});

test('nothing but numbers and secrets is in the file', () => {
  const folder = tempDir('endpoint');
  saveEndpoint(folder, endpoint, recordingLog());
  expect(JSON.parse(readFileSync(join(folder, FILE), 'utf8'))).toEqual(endpoint);
});
