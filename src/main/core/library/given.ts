import fs from 'node:fs';
import { UPLOAD_ROLES, type UploadRole } from '../../../shared/asset.ts';

/** What users and services name: files, roles, addresses. */

/** False also for what cannot be examined: no access, circular links, invalid names. Pipes and devices are not files. */
export function isFile(file: string): boolean {
  try {
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

export const isUploadRole = (role: string): role is UploadRole => (UPLOAD_ROLES as readonly string[]).includes(role);
export const UPLOAD_ROLE_LIST = new Intl.ListFormat('en', { type: 'disjunction' }).format(
  UPLOAD_ROLES.map((role) => `'${role}'`),
);

/** Object storage addresses: clips there can be extended but not downloaded from here. */
export const isObjectStorage = (uri: string): boolean => /^(gs|s3|oss|tos|cos|r2|az|abfs):/i.test(uri);
