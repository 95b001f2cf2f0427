export type { AssetRow } from './assetColumns.ts';
export { ftsQuery } from './assetList.ts';
export { assetById, assetRow, assetRowsOfJob, assetsOfJob } from './assetTable.ts';
export type { ClipFacts } from './clipFacts.ts';
export { contentPath } from './contentStore.ts';
export { extensionOf } from './formats.ts';
export { Library, type PreparedOutput } from './library.ts';
export { lastFrameError } from './mediaTasks.ts';
export { writeStream } from './writeStream.ts';
