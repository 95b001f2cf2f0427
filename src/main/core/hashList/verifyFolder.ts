import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { HASH_LIST_FOLDER } from '../../../shared/hashListFolder.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { t } from '../../../shared/texts.ts';
import { c4OfHex } from './c4.ts';
import { childOf, childrenOf, readXml, type XmlElement } from './readXml.ts';
import { CHAIN_FILE, c4OfText, chainXml, type Generation, TOOL } from './writeHashList.ts';

/**
 * Reads the hash list of a folder (ASC MHL, of any program) and says of each file whether it is whole. The list is anybody's: its files are
 * bounded, it names nothing outside of its folder, and links are followed to files alone.
 */

export type FileState = 'whole' | 'changed' | 'missing' | 'unlisted' | 'unchecked';

export interface FolderReport {
  files: { name: string; state: FileState }[];
  /** What is wrong with the list itself. */
  faults: { where: string; message: string }[];
}

const MAX_CHAIN_BYTES = 4 * 1024 * 1024;
const MAX_LIST_BYTES = 128 * 1024 * 1024;
const MAX_FILES = 100_000;
const MAX_DEPTH = 64;
const SYSTEM_FILE = '.DS_Store';

/** Hashes that are computed here, the first one that a list has; the others of ASC MHL are no cryptographic ones. */
const FORMATS = { c4: 'sha512', sha1: 'sha1', md5: 'md5' } as const;
type Format = keyof typeof FORMATS;

interface Listed {
  name: string;
  bytes?: number;
  hash?: { format: Format; value: string };
}

export async function verifyFolder(folder: string): Promise<Result<FolderReport>> {
  const chain = await readBounded(path.join(folder, HASH_LIST_FOLDER, CHAIN_FILE), MAX_CHAIN_BYTES);
  if (chain === undefined)
    return fail('not_found', t`path: the folder has no hash list (ascmhl) that can be read.`, { field: 'path' });
  const report: FolderReport = { files: [], faults: [] };
  const { listed, isOurs } = await readLists(folder, chain, report);
  const found = await filesIn({ folder, hasInner: !isOurs });
  if (found.length >= MAX_FILES) return fail('too_large', t`path: holds more than 100,000 files.`, { field: 'path' });
  const present = new Set(found);
  for (const file of listed.values()) {
    const state = present.has(file.name) ? await stateOf(folder, file) : 'missing';
    report.files.push({ name: file.name, state });
  }
  for (const name of found) if (!listed.has(name)) report.files.push({ name, state: 'unlisted' });
  return ok(report);
}

async function readBounded(file: string, most: number): Promise<Buffer | undefined> {
  try {
    const found = await stat(file);
    // A pipe or a device has no end.
    return !found.isFile() || found.size > most ? undefined : await readFile(file);
  } catch {
    return undefined;
  }
}

/** All that the lists of the chain name; of a file that stands in several, what stood in the first. */
async function readLists(
  folder: string,
  chain: Buffer,
  report: FolderReport,
): Promise<{ listed: Map<string, Listed>; isOurs: boolean }> {
  const listed = new Map<string, Listed>();
  const generations = generationsOf(readXml(chain.toString('utf8')));
  if (!generations) report.faults.push({ where: CHAIN_FILE, message: t`The chain of the hash list cannot be read.` });
  let isOurs = generations !== undefined;
  let left = MAX_LIST_BYTES;
  for (const generation of generations ?? []) {
    const { root, bytes } = await readList(folder, generation, { report, most: left });
    left -= bytes;
    if (!root) continue;
    isOurs &&= childOf(childOf(root, 'creatorinfo'), 'tool')?.text === TOOL;
    for (const entry of entriesOf(root, generation, report)) if (!listed.has(entry.name)) listed.set(entry.name, entry);
  }
  // A chain has no hash of its own: ours has one form, and any other byte is seen by that.
  if (isOurs && chainXml(generations ?? []) !== chain.toString('utf8'))
    report.faults.push({ where: CHAIN_FILE, message: t`The chain of the hash list is not as it was written.` });
  await findUnnamed(folder, { names: new Set((generations ?? []).map(({ path: name }) => name)), isOurs, report });
  return { listed, isOurs };
}

/** What lies beside the lists and none of them names; lists of other programs may keep more there. */
async function findUnnamed(
  folder: string,
  { names, isOurs, report }: { names: ReadonlySet<string>; isOurs: boolean; report: FolderReport },
): Promise<void> {
  if (!isOurs) return;
  const beside = await readdir(path.join(folder, HASH_LIST_FOLDER));
  for (const name of beside)
    if (name !== CHAIN_FILE && name !== SYSTEM_FILE && !names.has(name))
      report.files.push({ name: `${HASH_LIST_FOLDER}/${name}`, state: 'unlisted' });
}

async function readList(
  folder: string,
  { path: name, c4 }: Generation,
  { report, most }: { report: FolderReport; most: number },
): Promise<{ root: XmlElement | undefined; bytes: number }> {
  const bytes = await readBounded(path.join(folder, HASH_LIST_FOLDER, name), most);
  if (!bytes || c4OfText(bytes) !== c4)
    report.faults.push({ where: name, message: t`The hash list is not the one that its chain names.` });
  const root = bytes && readXml(bytes.toString('utf8'));
  if (bytes && !root) report.faults.push({ where: name, message: t`The hash list cannot be read.` });
  return { root, bytes: bytes?.length ?? 0 };
}

function generationsOf(root: XmlElement | undefined): Generation[] | undefined {
  if (root?.name !== 'ascmhldirectory') return undefined;
  const generations = childrenOf(root, 'hashlist').map((one) => ({
    sequence: Number(one.attributes.sequencenr),
    path: childOf(one, 'path')?.text ?? '',
    c4: childOf(one, 'c4')?.text.trim() ?? '',
  }));
  const isWhole =
    generations.length > 0 &&
    new Set(generations.map(({ path: name }) => name)).size === generations.length &&
    generations.every(({ sequence, path: name }, at) => sequence === at + 1 && isPlainName(name));
  return isWhole ? generations : undefined;
}

const isPlainName = (name: string): boolean => name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name);

function entriesOf(root: XmlElement, { path: list }: Generation, report: FolderReport): Listed[] {
  let outside = 0;
  const entries = childrenOf(childOf(root, 'hashes'), 'hash').flatMap((entry) => {
    const named = childOf(entry, 'path');
    const name = named?.text ?? '';
    if (!name.split('/').every(isPlainName)) {
      outside += 1;
      return [];
    }
    const format = (Object.keys(FORMATS) as Format[]).find((one) => childOf(entry, one));
    const size = Number(named?.attributes.size);
    const value = format && childOf(entry, format)?.text.trim();
    return [
      {
        name,
        ...(named?.attributes.size && Number.isSafeInteger(size) ? { bytes: size } : {}),
        ...(format && value ? { hash: { format, value } } : {}),
      },
    ];
  });
  if (outside > 0)
    report.faults.push({ where: list, message: t`It names files outside of the folder; they are not read.` });
  return entries;
}

/** Below the folder, without the hash list and what no list holds; `hasInner`: folders in it may have lists of their own. */
async function filesIn(
  { folder, hasInner }: { folder: string; hasInner: boolean },
  below = '',
  depth = 0,
): Promise<string[]> {
  const names: string[] = [];
  const entries = await readdir(path.join(folder, below), { withFileTypes: true });
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (isLeftOut(entry, below === '' || hasInner)) continue;
    const isFolder = entry.isDirectory();
    if (isFolder && depth < MAX_DEPTH) names.push(...(await filesIn({ folder, hasInner }, name, depth + 1)));
    else if (isFolder || entry.isFile() || entry.isSymbolicLink()) names.push(name);
    if (names.length >= MAX_FILES) break;
  }
  return names;
}

const isLeftOut = (entry: fs.Dirent, mayHoldList: boolean): boolean =>
  entry.isDirectory() ? entry.name === HASH_LIST_FOLDER && mayHoldList : entry.isFile() && entry.name === SYSTEM_FILE;

async function stateOf(folder: string, { name, bytes, hash }: Listed): Promise<FileState> {
  const file = path.join(folder, ...name.split('/'));
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return 'missing';
  if (bytes !== undefined && found.size !== bytes) return 'changed';
  if (!hash) return 'unchecked';
  const hex = await hashOf(file, FORMATS[hash.format]).catch(() => undefined);
  if (hex === undefined) return 'missing';
  return (hash.format === 'c4' ? c4OfHex(hex) === hash.value : hex === hash.value.toLowerCase()) ? 'whole' : 'changed';
}

async function hashOf(file: string, algorithm: string): Promise<string> {
  const hash = createHash(algorithm);
  for await (const chunk of fs.createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
