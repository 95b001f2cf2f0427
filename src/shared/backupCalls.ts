import { command, nothing, query } from './call.ts';

/** Backups: copies of everything but the media files, which are named by their checksum and never overwritten. */

/** What a backup was made for: by the user, by itself once a day, before an update, before a restore; or by other means. */
export type BackupReason = 'now' | 'daily' | 'update' | 'restore' | 'other';

export interface Backup {
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  bytes: number;
  reason: BackupReason;
}

export const backupCalls = {
  /** Newest first. */
  'backups.list': query<{ backups: Backup[] }>()(nothing),
  /** Answers when the copy is on disk and was read back. */
  'backups.make': command<Backup>()(nothing),
} as const;
