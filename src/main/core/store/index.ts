export {
  type Backup,
  backupDir,
  isMadeHere,
  listBackups,
  monthlyBackups,
  removeOldBackups,
  restoreBackup,
} from './backup.ts';
export { isFreshlyRestored, noteRestored, releaseRestored, restoredFrom } from './backupMark.ts';
export { type BlockPage, type BlockSums, type PlaceInBlocks, placeInBlocks } from './blocks.ts';
export { noteChange, unwatched, watchingChanges } from './changeWatch.ts';
export { areDaysCounted, type DayFacet } from './dayCounts.ts';
export { isDiskFault, whereThereIsRoom } from './diskFault.ts';
export {
  describeFileType,
  isLinkLoop,
  JOURNAL_SUFFIXES,
  LINK_LOOP,
  problemOfFile,
  problemOfFolder,
  removeDatabase,
} from './fileType.ts';
export { deleteFlag, flagsWithPrefix, readFlag, writeFlag } from './flags.ts';
export { type ReadDb, type Sql, type SqlParams, sql, type WriteDb } from './handles.ts';
export { lastPartOf } from './lastPart.ts';
export { localDayOf } from './localDay.ts';
export { newestVersion } from './migrate.ts';
export { earlierVersion, type MigrationStep, migrateInThread } from './migrationThread.ts';
export { databaseFile, openStore, type Store, unpackedFile } from './openStore.ts';
export type { Restorable } from './past.ts';
export { endRecovery, isRecovering, mayLackRows } from './recovery.ts';
export { keepReserve } from './reserve.ts';
export { matching, type TextTable } from './textIndex.ts';
export { type FoundRow, type FoundText, hitsIn, IS_HIT, IS_MATCH, type TextSource } from './textSource.ts';
export { alone, beginProject, endProject, ofWholePast, unfinishedProject, wholeOnly } from './unfinishedProject.ts';
