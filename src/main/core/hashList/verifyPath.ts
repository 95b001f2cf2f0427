import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { EvidenceFault, EvidenceVerdict, ListedFile } from '../../../shared/evidence/calls.ts';
import { MAX_EVIDENCE_BYTES } from '../../../shared/evidence/document.ts';
import { HASH_LIST_FOLDER } from '../../../shared/library/libraryFolder.ts';
import { counted, en, plural, t } from '../../../shared/text/texts.ts';
import { CHAIN_FILE, c4OfHex, c4OfText, chainXml, isForeign, readEntries, readListName } from './writeHashList.ts';

/** Verifies a job record, or an exported folder with its hash list. Needs nothing but the files. */

const MAX_LISTED = 10_000;
const MAX_FAULTS = 100;
const RECORD_FILE = 'evidence.json';
/** Of the text before the jobs. */
const MAX_HEAD_BYTES = 64 * 1024;

const JOBS = ',\n  "jobs": [\n';
const endOf = (sha256: string): string => `,\n  "sha256": "${sha256}"\n}\n`;
const END_LENGTH = endOf('0'.repeat(64)).length;

const TURN = 50;

/**
 * The text of `evidence.json`; its last field is the hash of everything before it. Jobs are written one by one, so that a long list blocks
 * nothing.
 */
export async function evidenceText({ jobs, ...head }: { jobs: readonly object[] }): Promise<string> {
  const pieces: string[] = [];
  for (const [index, job] of jobs.entries()) {
    if (index % TURN === TURN - 1) await nextTurn();
    pieces.push(`    ${JSON.stringify(job, null, 2).replaceAll('\n', '\n    ')}`);
  }
  const body = `${JSON.stringify(head, null, 2).slice(0, -'\n}'.length)}${JOBS}${pieces.join(',\n')}\n  ]`;
  return `${body}${endOf(await sha256(Buffer.from(body)))}`;
}

/** WebCrypto hashes in a thread of its own: a file may be long. */
const sha256 = async (bytes: NodeJS.ArrayBufferView<ArrayBuffer>): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');

const headSchema = z.object({
  format: z.literal('dailies-evidence'),
  holds: z.object({ jobs: z.int(), records: z.int() }),
});

function headOf(bytes: Buffer): z.infer<typeof headSchema> | undefined {
  const length = bytes.subarray(0, MAX_HEAD_BYTES).indexOf(JOBS);
  try {
    return headSchema.parse(JSON.parse(`${bytes.toString('utf8', 0, Math.max(0, length))}\n}`));
  } catch {
    return undefined;
  }
}

export async function verifyEvidence(bytes: Buffer<ArrayBuffer>): Promise<EvidenceVerdict> {
  const body = bytes.subarray(0, -END_LENGTH);
  const isAsSaved = bytes.toString('utf8', body.length) === endOf(await sha256(body));
  const head = headOf(bytes);
  const { jobs, records } = head?.holds ?? { jobs: 0, records: 0 };
  const fault = head ? t`The file was changed.` : t`This is not a job record.`;
  const whole = isAsSaved && head !== undefined;
  return {
    of: 'file',
    whole,
    message: whole
      ? `Whole: ${plural(records, 'record')} of ${plural(jobs, 'job')}, as they were saved.`
      : t`Incomplete: ${fault}`,
    jobs,
    records,
    faults: whole ? [] : [{ where: 'file', message: fault }],
  };
}

/** `place` is absolute. */
export async function verifyPath(place: string, hash: HashOfFile): Promise<Result<EvidenceVerdict>> {
  if (!path.isAbsolute(place)) return fail('invalid_input', en`path: must be an absolute path.`, { field: 'path' });
  const found = await stat(place).catch(() => undefined);
  if (!found) return fail('not_found', en`path: there is no such file or folder.`, { field: 'path' });
  if (found.isDirectory()) return verifyWholeFolder(place, hash);
  if (!found.isFile()) return fail('invalid_input', en`path: must be a file or a folder.`, { field: 'path' });
  if (found.size > MAX_EVIDENCE_BYTES) return fail('too_large', en`path: is too long.`, { field: 'path' });
  return ok(await verifyEvidence(await readFile(place)));
}

const WORDS = {
  changed: t`Changed`,
  missing: t`Missing`,
  unlisted: t`Not in the list`,
} as const;

async function verifyWholeFolder(folder: string, hash: HashOfFile): Promise<Result<EvidenceVerdict>> {
  const listed = await verifyFolder(folder, hash);
  if (!listed.ok) return listed;
  const { files, faults: ofList } = listed.data;
  const odd = files.flatMap(({ name, state }) => (state === 'whole' ? [] : [{ where: name, message: WORDS[state] }]));
  const faults = [...ofList, ...odd];
  const [first] = faults;
  const message = first
    ? `Not whole: ${first.where}. ${first.message}${faults.length > 1 ? ` ${plural(faults.length, 'thing')} in all.` : ''}`
    : t`Complete: ${counted(files.length, 'file')}, each unchanged.`;
  const hasRecord = files.some(({ name, state }) => name === RECORD_FILE && state === 'whole');
  const record = hasRecord ? await verifyPath(path.join(folder, RECORD_FILE), hash) : undefined;
  const { jobs, records } = record?.ok ? record.data : { jobs: 0, records: 0 };
  return ok({
    of: 'folder',
    whole: faults.length === 0,
    message,
    jobs,
    records,
    faults: faults.slice(0, MAX_FAULTS),
    files: files.slice(0, MAX_LISTED),
  });
}

/**
 * Verifies the files of an exported hash list. The folder is untrusted: its list is limited, and only files in it, or targets of its links,
 * are read.
 */

/** The SHA-512 of a file in hexadecimal. */
export type HashOfFile = (file: string) => Promise<string>;

interface FolderReport {
  files: ListedFile[];
  /** Errors of the list itself. */
  faults: EvidenceFault[];
}

const MAX_LIST_BYTES = 32 * 1024 * 1024;
const MAX_FILES = 100_000;
const MAX_DEPTH = 64;
const SYSTEM_FILE = '.DS_Store';

export async function verifyFolder(folder: string, hash: HashOfFile): Promise<Result<FolderReport>> {
  const lists = path.join(folder, HASH_LIST_FOLDER);
  const chain = await readBounded(path.join(lists, CHAIN_FILE));
  if (chain === undefined)
    return fail('not_found', en`path: the folder has no hash list (ascmhl) that can be read.`, { field: 'path' });
  const present = new Set(await filesIn(folder));
  if (present.size >= MAX_FILES) return fail('too_large', en`path: holds more than 100,000 files.`, { field: 'path' });
  const listName = readListName(chain);
  const listFile = `${HASH_LIST_FOLDER}/${listName}`;
  const list = present.has(listFile) ? await readBounded(path.join(lists, listName)) : undefined;
  if (list !== undefined && isForeign(chain, list))
    return fail('unsupported_media', 'path: the hash list is of another program.', { field: 'path' });
  const report: FolderReport = { files: [], faults: [] };
  if (list === undefined || chainXml(listName, c4OfText(list)) !== chain)
    report.faults.push({ where: CHAIN_FILE, message: t`The hash list was changed after it was written.` });
  for (const name of [`${HASH_LIST_FOLDER}/${CHAIN_FILE}`, listFile]) present.delete(name);
  for (const { name, bytes, c4 } of readEntries(list ?? '')) {
    const state = present.delete(name) ? await stateOf(path.join(folder, name), { bytes, c4 }, hash) : 'missing';
    report.files.push({ name, state });
  }
  for (const name of present) report.files.push({ name, state: 'unlisted' });
  return ok(report);
}

async function readBounded(file: string): Promise<string | undefined> {
  try {
    const found = await stat(file);
    // A pipe or a device has no end.
    return !found.isFile() || found.size > MAX_LIST_BYTES ? undefined : await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** By name below the folder. */
async function filesIn(folder: string, below = '', depth = 0): Promise<string[]> {
  const names: string[] = [];
  const entries = await readdir(path.join(folder, below), { withFileTypes: true });
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const name = `${below}${entry.name}`;
    const isFolder = entry.isDirectory();
    if (isFolder && depth < MAX_DEPTH) names.push(...(await filesIn(folder, `${name}/`, depth + 1)));
    else if (isFolder || entry.isSymbolicLink() || (entry.isFile() && entry.name !== SYSTEM_FILE)) names.push(name);
    if (names.length >= MAX_FILES) break;
  }
  return names;
}

async function stateOf(
  file: string,
  listed: { bytes: number; c4: string },
  hash: HashOfFile,
): Promise<ListedFile['state']> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return 'missing';
  if (found.size !== listed.bytes) return 'changed';
  try {
    return c4OfHex(await hash(file)) === listed.c4 ? 'whole' : 'changed';
  } catch {
    return 'missing';
  }
}
