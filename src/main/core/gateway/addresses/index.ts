/** Addresses of pictures and clips, anywhere in an answer. */

export { clipsIn, failureIn, linksIn, pagesAmong, picturesIn, taskIdIn, withoutMiddle } from './links.ts';
export {
  type AddressContext,
  addressIn,
  cleanFirst,
  expiryOf,
  fieldsOf,
  findAnyUrls,
  holdsOneResult,
  inlineBytes,
  isPlainlyMedia,
  MAX_RESULTS,
  mayHoldResult,
  mediaBytes,
  mimeBeside,
  mostReachable,
  namesAddress,
  namesCleanCopy,
  nestedObjects,
  originalOf,
  pictureAddress,
  rewritten,
  unsigned,
  withoutPreviews,
} from './mediaAddress.ts';
