export {
  type Backup,
  backupDir,
  isMadeHere,
  listBackups,
  monthlyBackups,
  removeOldBackups,
  restoreBackup,
} from './backup/backup.ts';
export type { Restorable } from './backup/past.ts';
export { endRecovery, isRecovering, mayLackRows } from './backup/recovery.ts';
export { noteChange, unwatched, watchingChanges } from './changeWatch.ts';
export {
  describeFileType,
  isDiskFault,
  isLinkLoop,
  JOURNAL_SUFFIXES,
  LINK_LOOP,
  problemOfFile,
  problemOfFolder,
  removeDatabase,
  whereThereIsRoom,
} from './fileType.ts';
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
export { lastPartOf, type ReadDb, type Sql, type SqlParams, sql, type WriteDb } from './handles.ts';
export { newestVersion } from './migrations/migrate.ts';
export { earlierVersion, type MigrationStep, migrateInThread } from './migrations/migrationThread.ts';
export { databaseFile, openStore, type Store, unpackedFile } from './openStore.ts';
export {
  allOf,
  type Conditions,
  countRows,
  is,
  isIn,
  keysOfPage,
  type List,
  oneOf,
  type Page,
  type PageRange,
  pageOf,
  readAwayIf,
  readPage,
  rowsOfPage,
  rowsUpTo,
  walksMany,
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
export { keepReserve } from './reserve.ts';
export {
  alone,
  ofWholePast,
  takeOutUnfinished,
  unfinishedProject,
  wholeOnly,
  writeUnseen,
} from './unfinishedProject.ts';
