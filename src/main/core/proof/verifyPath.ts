import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { EvidenceVerdict } from '../../../shared/evidence/calls.ts';
import { MAX_EVIDENCE_CHARACTERS } from '../../../shared/evidence/document.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { counted, plural, t } from '../../../shared/texts.ts';
import { type FolderReport, verifyFolder } from '../hashList/index.ts';
import { verifyEvidence } from './verifyEvidence.ts';

/** Whether a file of evidence, or a folder that left with its hash list, is whole. Needs nothing but what is looked at. */

/** Evidence in a folder. */
const EVIDENCE_FILE = 'evidence.json';
const MAX_LISTED = 10_000;
const MAX_FAULTS = 100;

/** `place` is absolute. */
export async function verifyPath(place: string): Promise<Result<EvidenceVerdict>> {
  if (!path.isAbsolute(place)) return fail('invalid_input', t`path: must be an absolute path.`, { field: 'path' });
  const found = await stat(place).catch(() => undefined);
  if (!found) return fail('not_found', t`path: there is no such file or folder.`, { field: 'path' });
  if (found.isDirectory()) return verifyWholeFolder(place);
  if (!found.isFile()) return fail('invalid_input', t`path: must be a file or a folder.`, { field: 'path' });
  if (found.size > MAX_EVIDENCE_CHARACTERS) return fail('too_large', t`path: is too long.`, { field: 'path' });
  const bytes = await readFile(place);
  const text = bytes.toString('utf8');
  // Bytes that are no text are read as signs that stand for them.
  return ok(verifyEvidence(Buffer.from(text).equals(bytes) ? text : `${text}\0`));
}

async function verifyWholeFolder(folder: string): Promise<Result<EvidenceVerdict>> {
  const listed = await verifyFolder(folder);
  if (!listed.ok) return listed;
  const evidence = await evidenceIn(folder, listed.data);
  return ok(verdictOf(listed.data, evidence));
}

async function evidenceIn(folder: string, { files }: FolderReport): Promise<EvidenceVerdict | undefined> {
  if (!files.some(({ name, state }) => name === EVIDENCE_FILE && state !== 'missing')) return undefined;
  const verdict = await verifyPath(path.join(folder, EVIDENCE_FILE));
  return verdict.ok ? verdict.data : undefined;
}

const WORDS = {
  changed: t`Its bytes are not those that were listed.`,
  missing: t`It is listed and not there.`,
  unlisted: t`It is there and not listed.`,
  unchecked: t`It is listed with a hash that is not computed here.`,
} as const;

function verdictOf({ files, faults: ofList }: FolderReport, evidence: EvidenceVerdict | undefined): EvidenceVerdict {
  const odd = files.flatMap(({ name, state }) => (state === 'whole' ? [] : [{ where: name, message: WORDS[state] }]));
  const ofEvidence =
    evidence?.faults.map(({ where, message }) => ({ where: `${EVIDENCE_FILE}, ${where}`, message })) ?? [];
  const faults = [...ofList, ...odd, ...ofEvidence];
  const { jobs = 0, records = 0 } = evidence ?? {};
  const held = evidence ? ` and ${plural(records, 'record')} of ${plural(jobs, 'job')}` : '';
  const [first] = faults;
  const message = first
    ? `Not whole: ${first.where}. ${first.message}${faults.length > 1 ? ` ${plural(faults.length, 'thing')} in all.` : ''}`
    : t`Whole: ${counted(files.length, 'file')}${held}, each as it was written.`;
  const whole = faults.length === 0;
  return {
    of: 'folder',
    whole,
    message,
    jobs,
    records,
    faults: faults.slice(0, MAX_FAULTS),
    files: files.slice(0, MAX_LISTED),
  };
}
