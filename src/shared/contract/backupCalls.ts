import { z } from 'zod';
import type { Project } from '../board/board.ts';
import { projectName } from '../text/projectName.ts';
import { command, nothing, query } from './call.ts';
import { id } from './paging.ts';

/**
 * Backups: copies of the database. Media files, which are named by their checksum and never overwritten, are in none, nor are the settings with
 * gateways and prices.
 */

/** What a backup was made for: by the user, by itself once a day, before an update, before a restore; or by other means. */
export type BackupReason = 'now' | 'daily' | 'update' | 'restore' | 'other';

export interface Backup {
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  bytes: number;
  reason: BackupReason;
  /** It stays only as the first one of its month. */
  monthly?: true;
  /** It was read back when it was made, which that of a migration and one from elsewhere were not. */
  readBack?: true;
}

export type RestoredType = 'project' | 'shot' | 'chat' | 'message' | 'job' | 'asset' | 'plan';

/** One thing that a restore would take away, or bring back. */
export interface RestoredItem {
  type: RestoredType;
  id: string;
  title: string;
}

/** What is there on both sides and differs: the name of a project, its board beside the shots, a shot, a verdict, a chat, a file's star or tags. */
export type ChangedType = 'project' | 'board' | 'shot' | 'verdict' | 'chat' | 'asset';

export interface RestoredChange {
  type: ChangedType;
  count: number;
}

export interface RestorePreview {
  /** The first 1,000 of each; the counts are of all. A job is an order that was never sent. */
  gone: RestoredItem[];
  back: RestoredItem[];
  goneCount: number;
  backCount: number;
  /** What stays and would be as it was then; what is equal is left out. */
  changed: RestoredChange[];
  /** What no restore undoes: newer entries of the ledger, open cases of doubt, files that are newer. */
  kept: { ledgerEntries: number; doubts: number; files: number };
  /** Those that it had and that were not removed then, oldest first: each can be restored as a copy. */
  projects: { id: string; name: string }[];
}

/** A backup that was saved elsewhere. */
export interface SavedBackup {
  /** Its path. */
  file: string;
  bytes: number;
  /** Of the bytes that were read back there. */
  sha256: string;
}

const backupId = z.string().regex(/^[A-Za-z0-9._-]{1,200}$/, 'must be the id of a backup');
const byId = z.strictObject({ id: backupId });
const folder = z.string().min(1).max(4_096);

export const backupCalls = {
  /** Newest first. */
  'backups.list': query<{ backups: Backup[] }>()(nothing),
  /** Answers when the copy is on disk and was read back. */
  'backups.make': command<Backup>()(nothing),
  /** What a restore would take away, bring back and keep. Nothing is changed. */
  'backups.preview': query<RestorePreview>()(byId),
  /** Documents as they were; a backup of now is made first, and `backup` is its id. What was sent and paid for stays. */
  'backups.restore': command<{ backup: string }>()(byId),
  /**
   * One project as it was then, as a new project beside the one of now, which stays as it is. Its shots name the same takes: nothing is
   * copied, sent or charged again. Removed shots and removed takes are left out.
   */
  'backups.copyProject': command<Project>()(
    z.strictObject({ id: backupId, projectId: id, name: projectName.optional() }),
  ),
  /** Copies a backup into a folder that exists, and reads it back there. Nothing that is there is written over. */
  'backups.saveCopy': command<SavedBackup>()(z.strictObject({ id: backupId, folder })),
} as const;

/** Of each list of a preview. */
export const MOST_LISTED = 1_000;
