import { z } from 'zod';
import type { Project } from '../board/board.ts';
import { projectName } from '../text/projectName.ts';
import { command, nothing, query } from './call.ts';
import { id } from './paging.ts';

/** Backups are copies of the database. They hold neither media files, which never change, nor the settings with gateways and prices. */

export type BackupReason = 'now' | 'daily' | 'update' | 'restore' | 'other';

export interface Backup {
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  bytes: number;
  reason: BackupReason;
  /** Kept only as the first backup of its month. */
  monthly?: true;
  /** The backup was verified when it was made; backups of migrations and foreign ones were not. */
  readBack?: true;
}

export type RestoredType = 'project' | 'shot' | 'chat' | 'message' | 'job' | 'asset' | 'plan';

/** One thing that a restore would remove or bring back. */
export interface RestoredItem {
  type: RestoredType;
  id: string;
  title: string;
}

export type ChangedType = 'project' | 'board' | 'shot' | 'verdict' | 'chat' | 'asset';

export interface RestoredChange {
  type: ChangedType;
  count: number;
}

export interface RestorePreview {
  /** The first 1,000 of each; counts are complete. A job here was never sent. */
  gone: RestoredItem[];
  back: RestoredItem[];
  goneCount: number;
  backCount: number;
  /** Things that differ and would be set back. */
  changed: RestoredChange[];
  /** Things that a restore never undoes: newer ledger entries, unconfirmed costs, newer files. */
  kept: { ledgerEntries: number; doubts: number; files: number };
  /** The projects that it can restore as a copy, oldest first. */
  projects: { id: string; name: string }[];
}

/** A backup that was copied elsewhere. */
export interface SavedBackup {
  file: string;
  bytes: number;
  /** The hash of the copy, as read back. */
  sha256: string;
}

const backupId = z.string().regex(/^[A-Za-z0-9._-]{1,200}$/, 'must be the id of a backup');
const byId = z.strictObject({ id: backupId });
const folder = z.string().min(1).max(4_096);

export const backupCalls = {
  /** Newest first. */
  'backups.list': query<{ backups: Backup[] }>()(nothing),
  /** Answers when the copy is on disk and verified. */
  'backups.make': command<Backup>()(nothing),
  /** What a restore would remove, bring back and keep. Changes nothing. */
  'backups.preview': query<RestorePreview>()(byId),
  /** Sets documents back. A backup is made first; `backup` is its id. Whatever was sent and paid for stays. */
  'backups.restore': command<{ backup: string }>()(byId),
  /**
   * Restores one project as a new one beside the present one. Its shots name the same takes: nothing is copied, sent or charged. Removed
   * shots and takes are left out.
   */
  'backups.copyProject': command<Project>()(
    z.strictObject({ id: backupId, projectId: id, name: projectName.optional() }),
  ),
  /** Copies a backup into an existing folder and verifies it there. Overwrites nothing. */
  'backups.saveCopy': command<SavedBackup>()(z.strictObject({ id: backupId, folder })),
} as const;

export const MOST_LISTED = 1_000;
