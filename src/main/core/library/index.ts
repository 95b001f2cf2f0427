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
export { BinKeeper } from './bin/binKeeper.ts';
export { holdersOfContent } from './bin/emptiedTable.ts';
export { foundAssets, jobsOfAssets } from './chosenAssets.ts';
export { type ClipSource, clipSources } from './clipFactsTable.ts';
export { assetsMadeFrom, assetsOfProject, BundledFiles, removeUnseenAssets } from './content/bundledFiles.ts';
export {
  contentPath,
  describeUnreadable,
  type StoredFile,
  sizeOf,
  soundInPieces,
  unsupportedMedia,
} from './content/contentStore.ts';
export { bytesOf, folderSilent, inFolder, inTime, NoAnswer, untilSilent } from './content/fileBytes.ts';
export { FileThread, hashesOfFile, hashFile, hashOfHandle } from './content/fileThread.ts';
export { flushFolder } from './content/folders.ts';
export { contentHere, ForeignFiles, type ForeignFilesDeps } from './content/foreignFiles.ts';
export { freeBytesAt, LibraryLocation } from './content/location.ts';
export type { LibraryDeps } from './content/room.ts';
export { assetCounts, spaceOf } from './content/room.ts';
export type { PreparedOutput } from './content/storeBody.ts';
export { Verifier } from './content/verifier.ts';
export { MAX_FILE_BYTES, writeStream } from './content/writeStream.ts';
export type { AskTask } from './downloads/downloadDecision.ts';
export { Library } from './library.ts';
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
export { filesSince, restorableMarks } from './restorableMarks.ts';
