import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { databaseFile } from '../../src/main/core/store/index.ts';
import { type RecordedCall, recordCalls } from '../fixtures/folderRecord.ts';
import { FOLDERS, openKeptFolder } from '../fixtures/keptFolder.ts';
import { settle } from '../helpers/testPorts.ts';
import type { TestStudio } from '../helpers/testStudio.ts';
import { textIndexFaults } from '../helpers/textIndex.ts';

/** Data folders of earlier versions open in this one and give the same answers. */

const zone = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'UTC';
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});
const opened: TestStudio[] = [];
afterEach(async () => {
  for (const studio of opened.splice(0)) await studio.close();
});

const versions = readdirSync(FOLDERS);
const recordedOf = (version: string) =>
  JSON.parse(readFileSync(join(FOLDERS, version, 'recorded.json'), 'utf8')) as RecordedCall[];
const nameOf = ({ call, input }: RecordedCall) => `${call} ${JSON.stringify(input)}`;

test('at least one folder is kept', () => {
  expect(versions.length).toBeGreaterThan(0);
});

describe.each(versions)('the folder of %s', (version) => {
  test('has the same answers as when it was made', async () => {
    const studio = await openKeptFolder(version);
    opened.push(studio);
    await settle();
    const now = new Map((await recordCalls(studio)).map((recorded) => [nameOf(recorded), recorded.answer]));
    for (const recorded of recordedOf(version)) {
      const name = nameOf(recorded);
      // Later versions may add fields, never change them.
      expect({ name, answer: now.get(name) }).toMatchObject({ name, answer: recorded.answer });
    }
  });

  test('is searched by the words of all that is in it', async () => {
    const studio = await openKeptFolder(version);
    opened.push(studio);
    expect(textIndexFaults(databaseFile(studio.dataDir))).toEqual([]);
    expect((await studio.ask('library.list', { text: 'a', limit: 1 })).total).toBeGreaterThan(0);
  });

  test('has every file complete', async () => {
    const studio = await openKeptFolder(version);
    opened.push(studio);
    const { assets } = await studio.ask('library.list', { limit: 500 });
    const local = assets.filter(({ state }) => state === 'local');
    expect(local.length).toBeGreaterThan(0);
    for (const { id, sha256, bytes } of local) {
      const file = studio.studio.media.open(id);
      if (!file.ok) throw new Error(file.error.message);
      const content = readFileSync(file.data.path);
      expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256]);
    }
  });

  test('has jobs in every state and money in every figure', () => {
    const answers = recordedOf(version);
    const answerTo = (call: string) => answers.filter((recorded) => recorded.call === call).map(({ answer }) => answer);
    const [{ jobs } = { jobs: [] }] = answerTo('jobs.list') as { jobs: { state: string; reason?: string }[] }[];
    expect(new Set(jobs.map(({ state, reason }) => (state === 'blocked' ? `${state} ${reason}` : state)))).toEqual(
      new Set([
        'succeeded',
        'failed',
        'canceled',
        // Was being sent, and lost.
        'uncertain',
        'running',
        'fetching',
        'blocked budget',
        'blocked dependency',
        // Without its key.
        'blocked key',
        'blocked price',
        'blocked window',
      ]),
    );
    const entries = (answerTo('ledger.entries') as { entries: { type: string }[] }[]).flatMap((page) => page.entries);
    expect(new Set(entries.map(({ type }) => type))).toEqual(
      new Set(['reserve', 'release', 'charge', 'doubt', 'resolve', 'correction', 'bill']),
    );
  });

  test('is small and contains nothing about the machine that it was made on', () => {
    const files = readdirSync(join(FOLDERS, version), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const bytes = readFileSync(join(parentPath, name));
        return {
          name,
          size: bytes.length,
          text: (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1'),
        };
      });
    expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(300_000);
    for (const { name, text } of files)
      expect([name, /\/(?:home|root|tmp|var|work|Users)\/|[A-Z]:\\|sk-[0-9a-z]{8}/.exec(text)?.[0]]).toEqual([
        name,
        undefined,
      ]);
  });
});
