export { Backups } from './backups.ts';
