export {
  type Backup,
  backupDir,
  isMadeHere,
  listBackups,
  monthlyBackups,
  removeOldBackups,
  restoreBackup,
} from './backup.ts';
export { type BlockPage, type BlockSums, type PlaceInBlocks, placeInBlocks } from './blocks.ts';
export { noteChange, unwatched, watchingChanges } from './changeWatch.ts';
export { areDaysCounted, type DayFacet } from './dayCounts.ts';
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
  releaseRestored,
  restoredFrom,
  writeFlag,
} from './flags.ts';
export { type ReadDb, type Sql, type SqlParams, sql, type WriteDb } from './handles.ts';
export { lastPartOf } from './lastPart.ts';
export { localDayOf } from './localDay.ts';
export { newestVersion } from './migrate.ts';
export { earlierVersion, type MigrationStep, migrateInThread } from './migrationThread.ts';
export { databaseFile, openStore, type Store, unpackedFile } from './openStore.ts';
export type { Restorable } from './past.ts';
export { endRecovery, isRecovering, mayLackRows } from './recovery.ts';
export { keepReserve } from './reserve.ts';
export {
  type FoundRow,
  type FoundText,
  hitsIn,
  IS_HIT,
  IS_MATCH,
  matching,
  type TextSource,
  type TextTable,
} from './textIndex.ts';
export { alone, beginProject, endProject, ofWholePast, unfinishedProject, wholeOnly } from './unfinishedProject.ts';
