export { Backups, type BackupsDeps } from './backups.ts';
