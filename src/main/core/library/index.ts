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
export { BinKeeper } from './binKeeper.ts';
export { assetsMadeFrom, assetsOfProject, BundledFiles, removeUnseenAssets } from './bundledFiles.ts';
export { foundAssets } from './chosenAssets.ts';
export type { ClipFacts } from './clipFacts.ts';
export { type ClipSource, clipSources } from './clipFactsTable.ts';
export {
  contentPath,
  describeUnreadable,
  flushFolder,
  type StoredFile,
  sizeOf,
  soundInPieces,
  unsupportedMedia,
} from './contentStore.ts';
export { holdersOfContent } from './emptiedTable.ts';
export { atPlace, bytesOf, inTime, NoAnswer, placeSilent, untilSilent } from './fileBytes.ts';
export { ForeignFiles, type ForeignFilesDeps, heldContent } from './foreignFiles.ts';
export { hashesOfFile, hashFile, hashOfHandle } from './hashFile.ts';
export { alphaMaskInProcess, clipFactsInProcess, placeAnswers, probeInProcess, uprightInProcess } from './inspector.ts';
export { Library } from './library.ts';
export { filesSince, restorableMarks } from './manyMarks.ts';
export { withMp4Marks, withTexts, withXmpPacket } from './marking.ts';
export { lastFrameError } from './mediaTasks.ts';
export { FileThread } from './moving/fileThread.ts';
export { Mover } from './moving/mover.ts';
export { PictureSizes } from './pictureSizes.ts';
export { freeBytesAt, LibraryPlace } from './place.ts';
export { XMP_KEYWORD } from './pngText.ts';
export type { AskTask } from './renewedLink.ts';
export { assetCounts, spaceOf } from './room.ts';
export type { PreparedOutput } from './storeBody.ts';
export { Verifier } from './verifier.ts';
export { MAX_FILE_BYTES, writeStream } from './writeStream.ts';
export { MAX_JPEG_PACKET_BYTES, readXmpPacket } from './xmpPictures.ts';
