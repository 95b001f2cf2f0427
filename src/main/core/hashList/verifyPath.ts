import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { EvidenceVerdict } from '../../../shared/evidence/calls.ts';
import { MAX_EVIDENCE_BYTES } from '../../../shared/evidence/document.ts';
import { counted, plural, t } from '../../../shared/text/texts.ts';
import { type HashOfFile, verifyFolder } from './verifyFolder.ts';

/** Whether a job record, or an exported folder with its hash list, is as it was saved. Needs nothing but what is looked at. */

const MAX_LISTED = 10_000;
const MAX_FAULTS = 100;
const RECORD_FILE = 'evidence.json';
/** Of what stands before the jobs. */
const MAX_HEAD_BYTES = 64 * 1024;

const JOBS = ',\n  "jobs": [\n';
const endOf = (sha256: string): string => `,\n  "sha256": "${sha256}"\n}\n`;
const END_LENGTH = endOf('0'.repeat(64)).length;

const TURN = 50;

/**
 * The text of `evidence.json`: its last field is the hash of all that stands before it. Jobs are written one by one, so that nothing waits
 * for a long list.
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

/** In a thread of its own: a file may be long. */
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
  const fault = head ? t`Its bytes are not those that were saved.` : t`This is not a job record of Dailies.`;
  const whole = isAsSaved && head !== undefined;
  return {
    of: 'file',
    whole,
    message: whole
      ? `Whole: ${plural(records, 'record')} of ${plural(jobs, 'job')}, as they were saved.`
      : t`Not whole: ${fault}`,
    jobs,
    records,
    faults: whole ? [] : [{ where: 'file', message: fault }],
  };
}

/** `place` is absolute. */
export async function verifyPath(place: string, hash: HashOfFile): Promise<Result<EvidenceVerdict>> {
  if (!path.isAbsolute(place)) return fail('invalid_input', t`path: must be an absolute path.`, { field: 'path' });
  const found = await stat(place).catch(() => undefined);
  if (!found) return fail('not_found', t`path: there is no such file or folder.`, { field: 'path' });
  if (found.isDirectory()) return verifyWholeFolder(place, hash);
  if (!found.isFile()) return fail('invalid_input', t`path: must be a file or a folder.`, { field: 'path' });
  if (found.size > MAX_EVIDENCE_BYTES) return fail('too_large', t`path: is too long.`, { field: 'path' });
  return ok(await verifyEvidence(await readFile(place)));
}

const WORDS = {
  changed: t`Its bytes are not those that were listed.`,
  missing: t`It is listed and not there.`,
  unlisted: t`It is there and not listed.`,
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
    : t`Whole: ${counted(files.length, 'file')}, each as it was written.`;
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
