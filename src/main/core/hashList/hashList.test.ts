import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { bytesOfC4, c4OfHex } from './c4.ts';
import { hashListOf, verifyFolder } from './index.ts';
import { readXml } from './readXml.ts';

const c4Of = (bytes: string): string => c4OfHex(createHash('sha512').update(bytes).digest('hex'));

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
  expect(bytesOfC4(empty)?.toString('hex')).toBe(createHash('sha512').digest('hex'));
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

/** `hasher.py` of github.com/ascmitc/mhl: the list of hashes is sorted, each is hashed by its bytes, names stand before them. */
test('the hashes of folders are those that the reference program makes', () => {
  const [one, other] = [c4Of('abcd\n'), c4Of('def\n')];
  const bytes = (id: string): Buffer => bytesOfC4(id) ?? Buffer.alloc(0);
  const c4OfBytes = (all: Buffer): string => c4OfHex(createHash('sha512').update(all).digest('hex'));
  const content = c4OfBytes(Buffer.concat([one, other].sort().map(bytes)));
  const structure = c4OfBytes(
    Buffer.concat(
      [
        c4OfBytes(Buffer.concat([Buffer.from('A002C006_141024_R2EC.mov'), bytes(one)])),
        c4OfBytes(Buffer.concat([Buffer.from('A002C007_141024_R2EC.mov'), bytes(other)])),
      ]
        .sort()
        .map(bytes),
    ),
  );
  const folder = madeFolder(FILES);
  const list = fs.readFileSync(path.join(folder, 'ascmhl/0001_A002R2EC_2026-12-02_074100Z.mhl'), 'utf8');
  expect(list).toContain(`<content><c4 hashdate="2026-12-02T07:41:00+00:00">${content}</c4></content>`);
  expect(list).toContain(`<structure><c4 hashdate="2026-12-02T07:41:00+00:00">${structure}</c4></structure>`);
});

test('a list of another program is read by the hashes that are computed here', async () => {
  const folder = tempDir('mhl');
  fs.mkdirSync(path.join(folder, 'ascmhl'));
  for (const name of ['one', 'two', 'three']) fs.writeFileSync(path.join(folder, name), name);
  const hash = (how: string, text: string): string => createHash(how).update(text).digest('hex');
  const list = `<?xml version="1.0"?>
<m:hashlist version='2.0' xmlns:m="urn:ASC:MHL:v2.0"><!-- > --><m:creatorinfo><m:tool version="1">other</m:tool></m:creatorinfo>
<m:hashes><m:hash><m:path size="3">one</m:path><m:xxh64>0ea03b369a463d9d</m:xxh64><m:md5>${hash('md5', 'one').toUpperCase()}</m:md5></m:hash>
<m:hash><m:path>two</m:path><m:sha1>${hash('sha1', 'other')}</m:sha1></m:hash><m:hash><m:path>three</m:path><m:xxh3>aa</m:xxh3></m:hash>
<m:hash><m:path>../outside</m:path><m:md5>00</m:md5></m:hash></m:hashes></m:hashlist>`;
  fs.writeFileSync(path.join(folder, 'ascmhl/0001_x.mhl'), list);
  const chain = `<ascmhldirectory xmlns="urn:ASC:MHL:DIRECTORY:v2.0"><hashlist sequencenr="1"><path>0001_x.mhl</path>
   <c4>${c4Of(list)}</c4></hashlist></ascmhldirectory>`;
  fs.writeFileSync(path.join(folder, 'ascmhl/ascmhl_chain.xml'), chain);
  expect(await report(folder)).toEqual({ odd: ['two changed', 'three unchecked'], faults: ['0001_x.mhl'], files: 3 });
});

test.each([
  ['nothing', ''],
  ['an entity of its own', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
  ['an element that is not closed', '<a><b></a>'],
  ['an attribute without a value', '<a b></a>'],
  ['a second root', '<a/><b/>'],
  ['text without an element', 'hello'],
  ['elements in each other without end', '<a>'.repeat(100)],
])('%s is no list', (_, text) => {
  expect(readXml(text)).toBeUndefined();
});

test('references stand for their signs, and unknown ones for themselves', () => {
  expect(readXml('<a b="&lt;&#65;">&amp;&#x1F3AC;&none;</a>')).toMatchObject({
    attributes: { b: '<A' },
    text: '&🎬&none;',
  });
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

test('a chain without an end, or with one list many times, is refused', async () => {
  const endless = tempDir('mhl');
  fs.mkdirSync(path.join(endless, 'ascmhl'));
  fs.symlinkSync('/dev/zero', path.join(endless, 'ascmhl/ascmhl_chain.xml'));
  expect(await verifyFolder(endless)).toMatchObject({ ok: false, error: { code: 'not_found' } });

  const folder = madeFolder(FILES);
  const chain = path.join(folder, 'ascmhl/ascmhl_chain.xml');
  const [, one = ''] = /(<path>.*<\/c4>)/s.exec(fs.readFileSync(chain, 'utf8')) ?? [];
  const lists = [1, 2].map((n) => `<hashlist sequencenr="${n}">${one}</hashlist>`).join('');
  fs.writeFileSync(chain, `<ascmhldirectory>${lists}</ascmhldirectory>`);
  expect((await report(folder)).faults).toEqual(['ascmhl_chain.xml']);
});
