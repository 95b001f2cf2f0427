import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { c4OfHex, evidenceText, hashListOf, verifyEvidence } from './index.ts';
import { verifyFolder as verifyFolderBy } from './verifyPath.ts';

const c4Of = (bytes: string): string => c4OfHex(createHash('sha512').update(bytes).digest('hex'));

const sha512Of = async (file: string) => createHash('sha512').update(fs.readFileSync(file)).digest('hex');
const verifyFolder = (folder: string) => verifyFolderBy(folder, sha512Of);

function madeFolder(files: Readonly<Record<string, string>>): string {
  const folder = tempDir('mhl');
  const listed = Object.entries(files).map(([name, text]) => ({
    name,
    bytes: Buffer.byteLength(text),
    c4: c4Of(text),
  }));
  const list = hashListOf({ name: 'A002R2EC', version: '9.9.9', at: Date.UTC(2026, 11, 2, 7, 41), files: listed });
  for (const [name, text] of [...Object.entries(files), ...list.map(({ name, text }) => [name, text] as const)]) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

const FILES = {
  'Sidecar.txt': 'BLOREM ipsum dolor sit amet, consetetur sadipscing elitr.\n',
  'Clips/A002C006_141024_R2EC.mov': 'abcd\n',
  'Clips/A002C007_141024_R2EC.mov': 'def\n',
  'odd & <name>.txt': 'x',
};

const report = async (folder: string) => {
  const found = await verifyFolder(folder);
  if (!found.ok) throw new Error(found.error.message);
  const odd = found.data.files.filter(({ state }) => state !== 'whole').map(({ name, state }) => `${name} ${state}`);
  return { odd, faults: found.data.faults.map(({ where }) => where), files: found.data.files.length };
};

/** The C4 id of nothing, as the SMPTE test vectors have it (github.com/Avalanche-io/c4, `id_test.go`). */
test('a C4 id is the SHA-512 in base 58', () => {
  const empty = 'c459dsjfscH38cYeXXYogktxf4Cd9ibshE3BHUo6a58hBXmRQdZrAkZzsWcbWtDg5oQstpDuni4Hirj75GEmTc1sFT';
  expect(c4Of('')).toBe(empty);
});

test('a folder is whole as it was listed, and each file is told of that is not', async () => {
  const folder = madeFolder(FILES);
  expect(await report(folder)).toEqual({ odd: [], faults: [], files: 4 });
  fs.writeFileSync(path.join(folder, 'Sidecar.txt'), FILES['Sidecar.txt'].replace('B', 'C'));
  fs.rmSync(path.join(folder, 'Clips/A002C006_141024_R2EC.mov'));
  fs.writeFileSync(path.join(folder, 'Clips/more.txt'), 'more');
  fs.writeFileSync(path.join(folder, '.DS_Store'), 'of the system');
  expect((await report(folder)).odd.sort()).toEqual([
    'Clips/A002C006_141024_R2EC.mov missing',
    'Clips/more.txt unlisted',
    'Sidecar.txt changed',
  ]);
});

test('one changed byte of a file, of the list or of the chain is found, wherever it is', async () => {
  const folder = madeFolder(FILES);
  const names = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [path.join(entry.parentPath, entry.name)] : []));
  expect(names).toHaveLength(6);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), fc.nat(), fc.integer({ min: 0, max: 7 }), async (file, at, bit) => {
      const bytes = fs.readFileSync(file);
      const changed = Buffer.from(bytes);
      changed[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << bit);
      fs.writeFileSync(file, changed);
      const found = await verifyFolder(folder);
      fs.writeFileSync(file, bytes);
      const isWhole =
        found.ok && found.data.faults.length === 0 && found.data.files.every(({ state }) => state === 'whole');
      expect(isWhole).toBe(false);
    }),
    { numRuns: 150 },
  );
});

test('a file that is added beside the list, or in a folder of its name, is not listed', async () => {
  const folder = madeFolder(FILES);
  for (const name of ['ascmhl/more.mhl', 'Clips/ascmhl/clip.mov', 'Clips/.DS_Store/clip.mov']) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), 'more');
  }
  expect((await report(folder)).odd.sort()).toEqual([
    'Clips/.DS_Store/clip.mov unlisted',
    'Clips/ascmhl/clip.mov unlisted',
    'ascmhl/more.mhl unlisted',
  ]);
});

test('a chain without an end, or of a list that is not in the folder, is refused', async () => {
  const endless = tempDir('mhl');
  fs.mkdirSync(path.join(endless, 'ascmhl'));
  fs.symlinkSync('/dev/zero', path.join(endless, 'ascmhl/ascmhl_chain.xml'));
  expect(await verifyFolder(endless)).toMatchObject({ ok: false, error: { code: 'not_found' } });

  const folder = madeFolder(FILES);
  const inner = path.join(folder, 'Clips');
  fs.mkdirSync(path.join(inner, 'ascmhl'));
  const chain = fs.readFileSync(path.join(folder, 'ascmhl/ascmhl_chain.xml'), 'utf8');
  fs.writeFileSync(path.join(inner, 'ascmhl/ascmhl_chain.xml'), chain.replace('<path>', '<path>../../ascmhl/'));
  expect(await report(inner)).toEqual({
    odd: ['A002C006_141024_R2EC.mov unlisted', 'A002C007_141024_R2EC.mov unlisted'],
    faults: ['ascmhl_chain.xml'],
    files: 2,
  });
});

const GOLDEN_LIST = `<?xml version="1.0" encoding="UTF-8"?>
<hashlist version="2.0" xmlns="urn:ASC:MHL:v2.0">
  <creatorinfo>
    <creationdate>2026-12-02T07:41:00+00:00</creationdate>
    <hostname>localhost</hostname>
    <tool version="9.9.9">Dailies</tool>
  </creatorinfo>
  <processinfo>
    <process>transfer</process>
    <ignore>
      <pattern>.DS_Store</pattern>
      <pattern>ascmhl</pattern>
      <pattern>ascmhl/</pattern>
    </ignore>
  </processinfo>
  <hashes>
    <hash>
      <path size="5">Clips/A &#38; B.mov</path>
      <c4 action="original" hashdate="2026-12-02T07:41:00+00:00">${c4Of('abcd\n')}</c4>
    </hash>
  </hashes>
</hashlist>
`;
const GOLDEN_CHAIN = `<?xml version="1.0" encoding="UTF-8"?>
<ascmhldirectory xmlns="urn:ASC:MHL:DIRECTORY:v2.0">
  <hashlist sequencenr="1">
    <path>0001_A002R2EC_2026-12-02_074100Z.mhl</path>
    <c4>${c4Of(GOLDEN_LIST)}</c4>
  </hashlist>
</ascmhldirectory>
`;

test('the list and the chain are written as every other version reads them', () => {
  const files = [{ name: 'Clips/A & B.mov', bytes: 5, c4: c4Of('abcd\n') }];
  expect(hashListOf({ name: 'A002R2EC', version: '9.9.9', at: Date.UTC(2026, 11, 2, 7, 41), files })).toEqual([
    { name: 'ascmhl/0001_A002R2EC_2026-12-02_074100Z.mhl', text: GOLDEN_LIST },
    { name: 'ascmhl/ascmhl_chain.xml', text: GOLDEN_CHAIN },
  ]);
});

const CHAIN = 'ascmhl/ascmhl_chain.xml';
const LIST = 'ascmhl/0001_A002R2EC_2026-12-02_074100Z.mhl';

/** Writes the list anew, and its hash in the chain. */
function relist(folder: string, change: (list: string) => string): void {
  const [list, chain] = [LIST, CHAIN].map((name) => fs.readFileSync(path.join(folder, name), 'utf8')) as [
    string,
    string,
  ];
  fs.writeFileSync(path.join(folder, LIST), change(list));
  fs.writeFileSync(path.join(folder, CHAIN), chain.replace(c4Of(list), c4Of(change(list))));
}

test('a list of another program, or one that another program went on with, is refused as such', async () => {
  const foreign = {
    ok: false,
    error: { code: 'unsupported_media', message: 'path: the hash list is of another program.' },
  };
  const theirs = madeFolder(FILES);
  relist(theirs, (list) => list.replace('>Dailies</tool>', '>mhl-tool</tool>'));
  expect(await verifyFolder(theirs)).toMatchObject(foreign);
  const continued = madeFolder(FILES);
  const chain = fs.readFileSync(path.join(continued, CHAIN), 'utf8');
  const second = '  <hashlist sequencenr="2">\n    <path>0002.mhl</path>\n  </hashlist>\n</ascmhldirectory>';
  fs.writeFileSync(path.join(continued, CHAIN), chain.replace('</ascmhldirectory>', second));
  expect(await verifyFolder(continued)).toMatchObject(foreign);
});

test('a name is read with its signs written by their names', async () => {
  const named = { 'odd & <name>\'s ".txt': 'x' };
  const folder = madeFolder(named);
  relist(folder, (list) =>
    list.replace('&#38; &#60;name&#62;', '&amp; &lt;name&gt;').replace("'s &#34;", '&apos;s &quot;'),
  );
  expect(fs.readFileSync(path.join(folder, LIST), 'utf8')).toContain('odd &amp; &lt;name&gt;&apos;s &quot;.txt');
  expect(await report(folder)).toEqual({ odd: [], faults: [], files: 1 });
});

const HEAD = { format: 'dailies-evidence', gateway: { name: 'Wörks' }, holds: { jobs: 2, records: 7 } };
const verify = (text: string) => verifyEvidence(Buffer.from(text));

test('a job record is whole as it was saved, and not once one byte of it is changed, added or gone', async () => {
  const text = await evidenceText({ ...HEAD, jobs: [{ words: 'A quay at night, “quietly” 🎬' }, {}] });
  expect(JSON.parse(text)).toMatchObject({ ...HEAD, jobs: [{}, {}] });
  expect(await verify(text)).toMatchObject({ whole: true, faults: [], jobs: 2, records: 7 });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at] = (bytes[at] ?? 0) ^ 1;
    expect([at, (await verifyEvidence(changed)).whole]).toEqual([at, false]);
  }
  for (const other of [text.slice(0, -1), `${text} `, text.slice(1)]) expect((await verify(other)).whole).toBe(false);
});

test.each([
  ['nothing', ''],
  ['no JSON', 'hello'],
  ['another JSON', '{"format":"else"}'],
  ['a depth that no reader survives', `{"format":"dailies-evidence","jobs":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
])('%s is no job record, and is told as such', async (_, text) => {
  const message = 'Incomplete: This is not a job record.';
  expect(await verify(text)).toMatchObject({ whole: false, message, jobs: 0, records: 0 });
});
