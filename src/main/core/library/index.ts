export type { AssetRow } from './assetColumns.ts';
export { AssetMarks } from './assetMarks.ts';
export {
  assetById,
  assetRow,
  assetRowsOfJob,
  assetsOfJobs,
  firstLinkEnds,
  framesOf,
  isDownloadPending,
  jobsBeingFetched,
} from './assetTable.ts';
export { AutoEmptyBin } from './bin/autoEmpty.ts';
export { holdersOfContent } from './bin/binTable.ts';
export { foundAssets, jobsOfAssets } from './chosenAssets.ts';
export { type ClipSource, clipSources } from './clipFactsTable.ts';
export { assetsMadeFrom, assetsOfProject, BundledFiles, removeHiddenAssets } from './content/bundledFiles.ts';
export {
  contentPath,
  describeUnreadable,
  type StoredFile,
  sizeOf,
  soundInPieces,
  unsupportedMedia,
} from './content/contentStore.ts';
export type { LibraryDeps } from './content/diskSpace.ts';
export { assetCounts, spaceOf } from './content/diskSpace.ts';
export { FileThread, hashesOfFile, hashFile, hashOfHandle } from './content/fileThread.ts';
export { contentHere, ForeignFiles, type ForeignFilesDeps } from './content/foreignFiles.ts';
export { freeBytesAt, LibraryLocation } from './content/location.ts';
export type { PreparedOutput } from './content/storeBody.ts';
export {
  bytesOf,
  FileTimeout,
  folderSilent,
  refusedOnTimeout,
  withFolderTimeout,
  withTimeout,
} from './content/timedReads.ts';
export { Verifier } from './content/verifier.ts';
export { MAX_FILE_BYTES, writeStream } from './content/writeStream.ts';
export type { AskTask } from './downloads/downloadDecision.ts';
export { Library } from './library.ts';
export { filesSince, marksFromBackup } from './marksFromBackup.ts';
export type { ClipFacts } from './media/clipFacts.ts';
export { withMp4Metadata, withTexts, withXmpPacket } from './media/copyMetadata.ts';
export {
  alphaMaskInProcess,
  clipFactsInProcess,
  folderAnswers,
  probeInProcess,
  uprightInProcess,
} from './media/inspector.ts';
export { XMP_KEYWORD } from './media/pngText.ts';
export { MAX_JPEG_PACKET_BYTES, readXmpPacket } from './media/xmpPictures.ts';
export { lastFrameError } from './mediaTasks.ts';
export { Mover } from './moving/mover.ts';
export { PictureSizes } from './pictureSizes.ts';
