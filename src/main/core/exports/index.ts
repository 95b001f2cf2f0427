export type { ExportSink } from './exportSink.ts';
export { Exports, type NewExport } from './exports.ts';
export type { Made } from './exportTable.ts';
export { copyWithProvenance, exportFromLibrary } from './libraryExport.ts';
