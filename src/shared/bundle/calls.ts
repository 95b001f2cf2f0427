import { z } from 'zod';
import type { Project } from '../board/board.ts';
import { command, query } from '../contract/call.ts';
import { id } from '../contract/paging.ts';
import { type Export, filmExportSchema } from '../film/filmExport.ts';

export interface BundleContents {
  title: string;
  /** The version of Dailies that wrote it. */
  version: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  shots: number;
  takes: number;
  chats: number;
  /** The number of media files, each counted once. */
  files: number;
  bytes: number;
  /** The files already in the library. */
  here: { files: number; bytes: number };
  /** Results whose files were not on the exporting machine. */
  withoutFile: number;
  /**
   * The charges for its takes there, in no sum here: real and test money in nano-dollars at the higher price, and the number of takes with
   * no price set, which are in neither.
   */
  cost: { nano: number; lowNano: number; playNano: number; unpriced: number };
}

/** A fault of a bundle: the name of an entry, and one sentence. */
export interface BundleFault {
  entry: string;
  message: string;
}

/** The upload role that distinguishes a bundle from a library file. */
export const BUNDLE_ROLE = 'bundle';

/** A bundle uploaded by `PUT` with the role `bundle`. It is lost when the program ends. */
export interface UploadedBundle {
  uploadId: string;
  name: string;
  bytes: number;
}

const path = z.string().min(1).max(4_096);
/** A file on this machine, or an upload. */
const bundleFile = z
  .strictObject({ path: path.optional(), uploadId: id.optional() })
  .refine((one) => (one.path === undefined) !== (one.uploadId === undefined), {
    path: ['path'],
    message: 'is needed, or uploadId, and not both',
  });

export const bundleCalls = {
  /** Starts an export of kind `bundle`: the whole film as one file. Unfinished takes are left out, and `why` says so. */
  'bundle.export': command<Export>()(
    z.strictObject({ projectId: id, name: filmExportSchema.shape.name, folder: filmExportSchema.shape.folder }),
  ),
  /**
   * Reads the contents of a bundle; nothing is changed. A bundle that cannot be opened is refused: the message names an entry and the rule
   * it breaks, and `data.errors` lists all faults ({@link BundleFault}).
   */
  'bundle.read': query<BundleContents>()(bundleFile),
  /** Opens it as a new project, all or nothing. Every file is compared with its hash. Nothing is sent, and no sum of money changes. */
  'bundle.open': command<Project>()(bundleFile),
  /** Removes an uploaded bundle that will not be opened. */
  'bundle.discard': command<null>()(z.strictObject({ uploadId: id })),
} as const;
export type BundleCall = keyof typeof bundleCalls;
