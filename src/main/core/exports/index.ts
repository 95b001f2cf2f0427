export type { ExportSink } from './exportSink.ts';
export { Exports, type ExportToStart } from './exports.ts';
export type { HowMade } from './exportTable.ts';
export { copyWithProvenance, exportFromLibrary } from './libraryExport.ts';
