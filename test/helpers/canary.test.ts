import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canaryKey, findCanary } from './canary.ts';
import { tempDir } from './testPorts.ts';

/** Keys of every length modulo three: a piece of a key may begin at any position in a group of base64 digits. */
const KEYS = [canaryKey(), `${canaryKey()}1`, `${canaryKey()}12`, canaryKey().slice(0, 26), canaryKey().slice(0, 13)];
const key = KEYS[0] ?? '';
const hitsIn = (bytes: string | Uint8Array) => findCanary(key, { texts: { it: bytes } }).hits;
const noise = 'Bearer nothing sk-proj-0123456789 '.repeat(50);
const planted = (bytes: Buffer | string) => Buffer.concat([Buffer.from(noise), Buffer.from(bytes), Buffer.from(noise)]);

const plantings = (key: string): [string, Buffer | string][] => [
  ['plain', key],
  ['in JSON', JSON.stringify({ error: `Incorrect API key provided: ${key}.` })],
  ['utf-16le', Buffer.from(key, 'utf16le')],
  ['utf-16be', Buffer.from(key, 'utf16le').swap16()],
  ['hex', Buffer.from(key).toString('hex')],
  ['HEX', Buffer.from(key).toString('hex').toUpperCase()],
  ['percent', Buffer.from(key).toString('hex').replace(/../g, '%$&')],
  ['PERCENT', Buffer.from(key).toString('hex').toUpperCase().replace(/../g, '%$&')],
  ['unicode escapes', [...key].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
  ['reversed', [...key].reverse().join('')],
  ['base64', Buffer.from(key).toString('base64')],
  ['base64, one byte in', Buffer.from(`:${key}:`).toString('base64')],
  ['base64, two bytes in', Buffer.from(`u:${key}:`).toString('base64')],
  ['base64url', Buffer.from(`user:${key}`).toString('base64url')],
  ['base64 of utf-16', Buffer.from(`"${key}"`, 'utf16le').toString('base64')],
  ['base64 twice', Buffer.from(Buffer.from(key).toString('base64')).toString('base64')],
];

describe('a planted key is found', () => {
  it.each(plantings(key).map(([form]) => form))('%s', (form) => {
    for (const canary of KEYS) {
      const bytes = plantings(canary).find(([name]) => name === form)?.[1] ?? '';
      expect(findCanary(canary, { texts: { it: planted(bytes) } }).hits).not.toEqual([]);
    }
  });

  it.each([
    ['its first half', `${key.slice(0, 22)}…`],
    ['its second half', `…${key.slice(-22)}`],
    ['split over two pages', `${key.slice(0, 17)}${'\0'.repeat(40)}${key.slice(17)}`],
  ])('%s, as cut off by a message or a database', (_, bytes) => {
    expect(hitsIn(planted(bytes))).not.toEqual([]);
  });

  it('with characters that JSON, addresses and both kinds of base64 encode differently', () => {
    const odd = 'sk-"a\\b/ü+??>>~~-0123456789';
    const found = (bytes: string) => findCanary(odd, { texts: { it: bytes } }).hits.length;
    expect(found(JSON.stringify({ odd }))).toBeGreaterThan(0);
    expect(found(`https://gateway.example/?key=${encodeURIComponent(odd)}`)).toBeGreaterThan(0);
    expect(found(Buffer.from(odd).toString('base64url'))).toBeGreaterThan(0);
    expect(found(Buffer.from(odd).toString('base64'))).toBeGreaterThan(0);
  });
});

describe('on disk', () => {
  it('in files of folders in folders, in names and in the targets of links', () => {
    const dir = tempDir('canary');
    mkdirSync(join(dir, 'a', 'b'), { recursive: true });
    writeFileSync(join(dir, 'a', 'b', 'deep.bin'), planted(key));
    writeFileSync(join(dir, 'clean.txt'), noise);
    mkdirSync(join(dir, key));
    symlinkSync(`/nowhere/${key}`, join(dir, 'link'));
    const { hits, files, bytes } = findCanary(key, { paths: [dir] });
    const places = new Set(hits.map(({ where }) => where));
    expect(places).toEqual(
      new Set([join(dir, 'a', 'b', 'deep.bin'), `name of ${join(dir, key)}`, `target of ${join(dir, 'link')}`]),
    );
    expect(files).toBe(2);
    expect(bytes).toBe(planted(key).length + noise.length);
  });

  it('across the blocks in which a large file is read', () => {
    const dir = tempDir('canary');
    const block = 4 * 1024 * 1024;
    writeFileSync(join(dir, 'large'), Buffer.concat([Buffer.alloc(2 * block - 8, 'x'), Buffer.from(key)]));
    const { hits, bytes } = findCanary(key, { paths: [dir] });
    expect(hits).toContainEqual({ where: join(dir, 'large'), form: 'plain', at: 2 * block - 8 });
    expect(bytes).toBe(2 * block - 8 + key.length);
  });
});

it('other keys, masked keys and bytes of every value are no hits', () => {
  const bytes = Uint8Array.from({ length: 65_536 }, (_, index) => (index * 7919) % 256);
  expect(hitsIn(bytes)).toEqual([]);
  expect(hitsIn(noise + canaryKey() + Buffer.from(canaryKey()).toString('base64'))).toEqual([]);
  expect(hitsIn(`Incorrect API key provided: ${key.slice(0, 7)}********${key.slice(-4)}.`)).toEqual([]);
});
