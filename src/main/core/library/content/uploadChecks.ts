import { stat } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import { UPLOAD_ROLES, type UploadRole } from '../../../../shared/library/asset.ts';
import { formatBytes } from '../../../../shared/text/bytes.ts';
import { shortened } from '../../../../shared/text/shortened.ts';
import { en } from '../../../../shared/text/texts.ts';
import { MAX_FILE_BYTES } from './writeStream.ts';

/** Files, roles and addresses that come from users and services. */

/** The length of a file that is brought in by its path. Pipes and devices are not files. */
export async function uploadSize(file: string): Promise<Result<number>> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return fail('not_found', 'path: there is no such file.', { field: 'path' });
  // Size 0 also means special files, as in /proc, which may have no end.
  if (found.size === 0) return fail('invalid_input', en`The file is empty.`);
  return found.size > MAX_FILE_BYTES
    ? fail('too_large', en`path: the file is larger than ${formatBytes(MAX_FILE_BYTES)}.`, { field: 'path' })
    : ok(found.size);
}

export const isUploadRole = (role: string): role is UploadRole => (UPLOAD_ROLES as readonly string[]).includes(role);
export const UPLOAD_ROLE_LIST = new Intl.ListFormat('en', { type: 'disjunction' }).format(
  UPLOAD_ROLES.map((role) => `'${role}'`),
);

/** Object storage addresses: clips there can be extended but not downloaded from here. */
export const isObjectStorage = (uri: string): boolean => /^(gs|s3|oss|tos|cos|r2|az|abfs):/i.test(uri);

const LONGEST = 200;
/** A longer part behind a dot is text, not a file extension. */
const LONGEST_ENDING = 10;

/** A display name: without path and control characters, and of limited length; a long one keeps the ending that says what it is. */
export function cleanName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? '';
  const clean = [...base].filter((character) => character >= ' ' && character !== '\u007f').join('');
  const whole = clean.trim();
  if (whole.length <= LONGEST) return whole || 'Untitled';
  const found = path.extname(whole);
  const ending = found.length <= LONGEST_ENDING ? found : '';
  return `${shortened(whole.slice(0, whole.length - ending.length), LONGEST - ending.length)}${ending}`;
}
