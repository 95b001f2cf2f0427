export type { RestoreParticipant } from './backup/attachedBackup.ts';
export {
  type Backup,
  backupDir,
  isMadeHere,
  listBackups,
  monthlyBackups,
  removeOldBackups,
  restoreBackup,
} from './backup/backup.ts';
export { endRecovery, isRecovering, mayLackRows } from './backup/recovery.ts';
export { noteChange, watchingChanges, withoutChangeTracking } from './changeWatch.ts';
export { lastPartOf, type ReadDb, type Sql, type SqlParams, sql, type WriteDb } from './connection.ts';
export { keepReserve } from './diskReserve.ts';
export {
  describeFileType,
  ignoringDiskFull,
  isDiskFault,
  isLinkLoop,
  JOURNAL_SUFFIXES,
  LINK_LOOP,
  problemOfFile,
  problemOfFolder,
  removeDatabase,
} from './fileProblems.ts';
export {
  deleteFlag,
  flagsWithPrefix,
  isFreshlyRestored,
  noteRestored,
  readFlag,
  readJsonFlag,
  releaseRestored,
  restoredFrom,
  writeFlag,
} from './flags.ts';
export { newestVersion } from './migrations/migrate.ts';
export { earlierVersion, type MigrationStep, migrateInThread } from './migrations/migrationThread.ts';
export { databaseFile, openStore, type Store, unpackedFile } from './openStore.ts';
export {
  allOf,
  type Conditions,
  countRows,
  isIn,
  keysOfPage,
  type List,
  oneOf,
  type Page,
  type PageRange,
  pageOf,
  readInThreadIf,
  readPage,
  rowsOfPage,
  rowsUpTo,
  walksMany,
  whereIf,
} from './reading/listing.ts';
export {
  type FoundRow,
  type FoundText,
  hitsIn,
  IS_HIT,
  IS_MATCH,
  matching,
  type TextSource,
  type TextTable,
} from './reading/textIndex.ts';
export {
  notUnfinishedInBackup,
  removeUnfinishedProject,
  unfinishedProject,
  withoutUnfinishedProject,
  withProjectLock,
  writeHiddenProject,
} from './unfinishedProject.ts';
