/** Addresses of pictures and clips, anywhere in an answer. */

export { clipsIn, failureIn, linksIn, pagesAmong, picturesIn, taskIdIn, withoutMiddle } from './links.ts';
export {
  type AddressContext,
  addressIn,
  cleanFirst,
  fieldsOf,
  findAnyUrls,
  holdsOneResult,
  inlineBytes,
  isPlainlyMedia,
  MAX_RESULTS,
  mayHoldResult,
  mediaBytes,
  mostReachable,
  namesAddress,
  namesCleanCopy,
  nestedObjects,
  originalOf,
  outputAt,
  pictureAddress,
  rewritten,
  unsigned,
  withoutPreviews,
} from './mediaAddress.ts';
