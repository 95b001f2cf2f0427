export { listBackups, restoreBackup } from './backup.ts';
export { faultOfFile, faultOfFolder, isLoop, JOURNALS, kindOf, LOOP } from './fileKinds.ts';
export { type ReadDb, type Sql, type SqlParams, sql, type WriteDb } from './handles.ts';
export { databaseFile, openStore, type Store } from './openStore.ts';
