import { z } from 'zod';
import { command, query } from '../contract/call.ts';
import { id } from '../contract/paging.ts';
import { wholeFiles } from '../text/plainText.ts';
import type { Asset } from './asset.ts';
import { MAX_SIDECAR, sha256Schema } from './sidecar.ts';

/** Files that come in with what their sidecars say: a folder by a path, or one by one from a page that has the bytes. */

export interface ImportError {
  /** Below the folder; `/` separates folders. */
  file: string;
  /** One sentence. */
  message: string;
}

export interface FolderImport {
  /** Files that are new here, and those that were here already. */
  imported: number;
  known: number;
  /** What was not taken, and why. */
  errors: ImportError[];
}

/** What would become of one file. */
export interface CheckedFile {
  file: string;
  state: 'new' | 'known' | 'error';
  /** Of an error: one sentence. */
  message?: string;
  /** Of a known one: what it is here. Of a new one: what is here and has lost these bytes, and will have them again. */
  asset?: { id: string; name: string };
  /** A known one that has no words yet: its sidecar can describe it. */
  undescribed?: true;
  /** As its sidecar says it. */
  prompt?: string;
}

const sidecarText = z.string().max(MAX_SIDECAR * 2);
wholeFiles.add(sidecarText, {});
const fileName = z.string().min(1).max(4_096);

const importCheckSchema = z.strictObject({
  files: z
    .array(
      z.strictObject({
        file: fileName,
        /** Of its bytes, as the caller read them. */
        sha256: sha256Schema,
        sidecar: sidecarText.optional(),
      }),
    )
    .min(1)
    .max(100),
});

export const importCalls = {
  /** Reads and checks all files of a folder, then brings in those without a fault; again, it changes nothing. */
  'library.importFolder': command<FolderImport>()(
    z.strictObject({
      path: z.string().min(1).max(4_096),
    }),
  ),
  /** What would become of files and their sidecars; nothing is changed. */
  'library.checkImport': query<{ files: CheckedFile[] }>()(importCheckSchema),
  /** Adds the words of a sidecar to a file that was uploaded: its bytes have to be those that the sidecar names. */
  'library.describe': command<Asset>()(z.strictObject({ id, sidecar: sidecarText })),
} as const;
