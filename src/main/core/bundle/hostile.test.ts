import { createHash } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testPng } from '../../../../test/helpers/png.ts';
import { type RawEntry, rawZip } from '../../../../test/helpers/rawZip.ts';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { openStudio, type TestStudio } from '../../../../test/helpers/testStudio.ts';

/** Untrusted bundles: each fault is one sentence with the name of an entry, nothing is written, and nothing is opened partially. */

let studio: TestStudio;
let folder: string;
beforeAll(async () => {
  studio = await openStudio();
  folder = tempDir('bundles');
});
afterAll(() => studio.close());

const PNG = testPng(24, 16);
const SHA = createHash('sha256').update(PNG).digest('hex');
const MEDIA = `media/${SHA}.png`;
const json = (value: unknown) => `${JSON.stringify(value)}\n`;

const ASSET = {
  ...{ id: 'as_1', role: 'output', name: 'Quay', createdAt: 5, mime: 'image/png', jobId: 'job_1', outputIndex: 0 },
};
const JOB = {
  ...{ id: 'job_1', state: 'succeeded', request: { kind: 'imagine', prompt: 'A quay' }, createdAt: 5 },
  elsewhere: { gateway: 'Theirs', costNano: 800_000_000, costLowNano: 800_000_000 },
};
const MANIFEST = {
  ...{ dailies: 'bundle', form: 1, version: '9.9.9', title: 'Quay', createdAt: 5 },
  ...{ shots: 1, jobs: 1, assets: 1, chats: 0, bytes: PNG.length },
};
const SHOT = { id: 's1', prompt: 'A quay', source: 'first', image: { jobId: 'job_1' } };

/** The entries of a whole bundle, by name. */
const whole = (): Record<string, RawEntry> =>
  Object.fromEntries(
    (
      [
        { name: 'dailies.json', data: json(MANIFEST), packed: true },
        { name: 'film.json', data: json({}), packed: true },
        { name: 'shots.jsonl', data: json(SHOT), packed: true },
        { name: 'jobs.jsonl', data: json(JOB), packed: true },
        { name: 'assets.jsonl', data: json({ ...ASSET, sha256: SHA, bytes: PNG.length }), packed: true },
        { name: MEDIA, data: PNG },
      ] satisfies RawEntry[]
    ).map((entry) => [entry.name, entry]),
  );
const withEntry = (name: string, change: Partial<RawEntry>): RawEntry[] => {
  const entries = whole();
  entries[name] = { ...(entries[name] ?? { name, data: '' }), ...change };
  return Object.values(entries);
};
const added = (...more: RawEntry[]): RawEntry[] => [...Object.values(whole()), ...more];

/** Each is as long as allowed. */
const longChats = (): RawEntry[] =>
  Array.from({ length: 5 }, (_, at) => ({ name: `chats/000${at + 1}.json`, data: Buffer.alloc(14_000_000, 32) }));

let number = 0;
function write(bytes: Buffer): string {
  number += 1;
  const path = join(folder, `${number}.dailies`);
  writeFileSync(path, bytes);
  return path;
}

async function refusalOf(entries: readonly RawEntry[], options?: { count: number }): Promise<string> {
  const answer = await studio.call('bundle.open', { path: write(rawZip(entries, options)) });
  expect(await leftOver()).toEqual({ projects: [], temp: [] });
  if (answer.ok) throw new Error('it was opened');
  expect(answer.error.code).toBe('invalid_input');
  return answer.error.message;
}

async function leftOver() {
  const temp = join(studio.dataDir, 'bundles');
  return { projects: (await studio.ask('projects.list')).projects, temp: existsSync(temp) ? readdirSync(temp) : [] };
}

const NAMES: [string, RawEntry['name'], string][] = [
  ['an absolute path', '/etc/passwd', 'absolute path'],
  ['a way out', 'media/../../evil', 'leads out of its folder'],
  ['a backslash', 'media\\evil', 'backslash'],
  ['a drive letter', 'C:evil', 'drive letter'],
  ['no UTF-8', Buffer.from([0x6d, 0xff, 0xfe]), 'no UTF-8'],
  ['a control character', 'me\u0007dia', 'control character'],
  ['no name', '', 'no name'],
  ['another name', 'notes.txt', 'no entry that a bundle has'],
];

describe('refused with one sentence', () => {
  test.each(NAMES)('%s', async (_, name, rule) => {
    expect(await refusalOf(added({ name, data: 'x' }))).toContain(rule);
  });

  const manifest = (more: object) => withEntry('dailies.json', { data: json({ ...MANIFEST, ...more }) });
  const film = (data: string | Buffer, packed = false) => withEntry('film.json', { data, packed });
  const other = Buffer.from(PNG).fill(1, PNG.length - 1);
  const ENTRIES: [string, () => RawEntry[], string][] = [
    ['a link', () => withEntry(MEDIA, { mode: 0o120777 }), 'is a link'],
    ['a pipe', () => withEntry(MEDIA, { mode: 0o010644 }), 'special file'],
    ['a folder', () => withEntry(MEDIA, { mode: 0o040755 }), 'is a folder'],
    ['a name twice', () => added({ name: MEDIA, data: PNG }), 'stands there twice'],
    ['another case', () => added({ name: 'Film.json', data: '{}' }), 'only by case'],
    ['another form of letters', () => added({ name: 'ﬁlm.json', data: '{}' }), 'form of its letters'],
    ['an encrypted entry', () => withEntry(MEDIA, { flags: 0x801 }), 'is encrypted'],
    ['strong encryption', () => withEntry(MEDIA, { flags: 0x841 }), 'encrypted'],
    ['another way of packing', () => withEntry(MEDIA, { says: { method: 12 } }), 'packed in a way'],
    ['packed media', () => withEntry(MEDIA, { packed: true }), 'stored as they are'],
    ['a wrong checksum', () => withEntry('film.json', { says: { crc: 1 } }), 'CRC-32'],
    ['a wrong checksum of media', () => withEntry(MEDIA, { says: { crc: 1 } }), 'CRC-32'],
    ['sizes that differ', () => withEntry(MEDIA, { says: { bytes: 9 } }), 'two sizes are not the same'],
    ['more than it says', () => withEntry('film.json', { says: { bytes: 1 } }), 'more bytes than the list'],
    ['less than it says', () => withEntry('film.json', { says: { bytes: 99 } }), 'fewer bytes than the list'],
    ['a header of another name', () => withEntry(MEDIA, { says: { localName: 'x'.repeat(MEDIA.length) } }), 'else'],
    ['bytes of another entry', () => withEntry('film.json', { says: { offset: 0 } }), 'also those of another entry'],
    ['no header', () => withEntry(MEDIA, { says: { offset: 3 } }), 'another entry'],
    ['media of another hash', () => withEntry(MEDIA, { data: other }), 'its hash names'],
    ['a missing entry', () => withEntry('jobs.jsonl', { name: 'chats/0001.json' }), 'jobs.jsonl: is missing'],
    ['a bomb by its word', () => film(Buffer.alloc(3_000_000), true), 'times as large'],
    ['documents that are long together', () => added(...longChats()), 'Unpacked its documents would have'],
    ['no JSON', () => film('{'), 'is no JSON'],
    ['no text', () => film(Buffer.from([0xff])), 'no UTF-8'],
    ['deep JSON', () => film('['.repeat(50_000) + ']'.repeat(50_000)), 'levels deep'],
    ['an unknown field', () => film(json({ secret: 1 })), 'no such field'],
    ['a newer form', () => manifest({ form: 2, more: 1 }), 'newer Dailies'],
    ['another form', () => manifest({ dailies: 'chat' }), "must be 'bundle'"],
    ['wrong counts', () => manifest({ jobs: 7 }), 'says 7, and there are 1'],
    ['a job that is not there', () => withEntry('shots.jsonl', { data: json({ ...SHOT, takes: ['job_9'] }) }), 'a job'],
    ['a job that is not ended', () => withEntry('jobs.jsonl', { data: json({ ...JOB, state: 'queued' }) }), 'must be'],
    ['an asset without its media', () => Object.values(whole()).slice(0, -1), 'its media is not in the bundle'],
    ['media of no asset', () => withEntry('assets.jsonl', { data: json(ASSET) }), 'named by no asset'],
  ];
  test.each(ENTRIES)('%s', async (_, entries, rule) => {
    expect(await refusalOf(entries())).toContain(rule);
  });

  test('media that is no media', async () => {
    const text = Buffer.from('this is no picture');
    const sha256 = createHash('sha256').update(text).digest('hex');
    const entries = withEntry(MEDIA, { name: `media/${sha256}.png`, data: text }).map((entry) =>
      entry.name === 'assets.jsonl' ? { ...entry, data: json({ ...ASSET, sha256, bytes: text.length }) } : entry,
    );
    expect(await refusalOf(entries)).toMatch(/^media\/.*not a picture, video or sound/);
  });

  test('more entries than a bundle has', async () => {
    expect(await refusalOf(Object.values(whole()), { count: 60_000 })).toContain('at most 30,000');
  });

  test('all faults are told by entry, and reading changes nothing', async () => {
    const path = write(rawZip(added({ name: '/a', data: '' }, { name: 'b\\c', data: '' })));
    const answer = await studio.call('bundle.read', { path });
    if (answer.ok) throw new Error('it was read');
    expect(answer.error.data?.errors).toMatchObject([{ entry: '/a' }, { entry: 'b\\c' }]);
  });

  test.each(['', 'not a zip at all', 'PK\u0005\u0006'])('%j is no bundle', async (text) => {
    const answer = await studio.call('bundle.read', { path: write(Buffer.from(text)) });
    expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  });
});

test('a clip that cannot be read here is taken as it came, by its hash', async () => {
  const other = await openStudio();
  const clip = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom0000isommp42'), Buffer.alloc(5_000, 'x')]);
  const sha256 = createHash('sha256').update(clip).digest('hex');
  const line = { ...ASSET, mime: 'video/mp4', sha256, bytes: clip.length };
  const entries = withEntry(MEDIA, { name: `media/${sha256}.mp4`, data: clip }).map((entry) =>
    entry.name === 'assets.jsonl' ? { ...entry, data: json(line) } : entry,
  );
  await other.ask('bundle.open', { path: write(rawZip(entries)) });
  const { assets } = await other.ask('library.list', {});
  expect(assets).toMatchObject([{ state: 'local', mime: 'video/mp4', sha256, width: 0 }]);
  expect(other.studio.media.open(assets[0]?.id ?? '')).toMatchObject({ ok: true, data: { bytes: clip.length } });
  await other.close();
});

test('bytes that were changed or cut off open nothing, or the whole film', async () => {
  const other = await openStudio();
  const good = rawZip(Object.values(whole()));
  const { length } = good;
  let opened = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(length - 1), fc.integer({ min: 1, max: 255 })), { maxLength: 3 }),
      fc.option(fc.nat(length), { nil: length }),
      async (flips, cut) => {
        const bytes = Buffer.from(good);
        for (const [at, by] of flips) bytes[at] = (bytes[at] ?? 0) ^ by;
        const answer = await other.call('bundle.open', { path: write(bytes.subarray(0, cut)) });
        if (!answer.ok) expect(['invalid_input', 'unsupported_media']).toContain(answer.error.code);
        else {
          opened += 1;
          const { jobs } = await other.ask('jobs.list', { projectId: answer.data.id, limit: 10 });
          const { shots } = await other.ask('storyboard.get', { projectId: answer.data.id });
          expect([jobs.length, jobs[0]?.outputs[0]?.sha256, shots.length]).toEqual([1, SHA, 1]);
        }
        expect((await other.ask('projects.list')).projects).toHaveLength(opened);
        expect(
          readdirSync(other.dataDir).includes('bundles') ? readdirSync(join(other.dataDir, 'bundles')) : [],
        ).toEqual([]);
      },
    ),
    { numRuns: 150, examples: [[[], length]] },
  );
  expect(opened).toBeGreaterThan(0);
  expect((await other.ask('ledger.entries')).entries).toEqual([]);
  await other.close();
});
