import { z } from 'zod';
import { command, query } from '../contract/call.ts';
import { id } from '../contract/paging.ts';
import { wholeFiles } from '../text/nulCharacters.ts';
import type { Asset } from './asset.ts';
import { MAX_SIDECAR, sha256Schema } from './sidecar.ts';

/** Imports with sidecars: a folder by path, or single files from a page that has the bytes. */

export interface ImportError {
  /** Relative to the folder; `/` separates folders. */
  file: string;
  /** One sentence. */
  message: string;
}

export interface FolderImport {
  /** New files, and files that were already here. */
  imported: number;
  known: number;
  /** Files that were not imported, with the reason. */
  errors: ImportError[];
}

/** How one file would be imported. */
export interface CheckedFile {
  file: string;
  state: 'new' | 'known' | 'error';
  /** The error in one sentence. */
  message?: string;
  /** The asset of a known file; for a new one, the asset that has lost these bytes and gets them back. */
  asset?: { id: string; name: string };
  /** A known one without a description: its sidecar can add one. */
  undescribed?: true;
  /** From the sidecar. */
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
        /** The hash of the bytes, as the caller read them. */
        sha256: sha256Schema,
        sidecar: sidecarText.optional(),
      }),
    )
    .min(1)
    .max(100),
});

export const importCalls = {
  /** Checks all files of a folder, then imports those without errors; repeating it changes nothing. */
  'library.importFolder': command<FolderImport>()(
    z.strictObject({
      path: z.string().min(1).max(4_096),
    }),
  ),
  /** How files and sidecars would be imported; changes nothing. */
  'library.checkImport': query<{ files: CheckedFile[] }>()(importCheckSchema),
  /** Adds a sidecar's description to an uploaded file with the bytes that the sidecar names. */
  'library.describe': command<Asset>()(z.strictObject({ id, sidecar: sidecarText })),
} as const;
