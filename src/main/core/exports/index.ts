export type { ExportSink } from './exportSink.ts';
export { Exports, type Made } from './exports.ts';
export { exportFromLibrary } from './libraryExport.ts';
export { markedCopy } from './markedCopy.ts';
