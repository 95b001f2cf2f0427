/** Addresses of pictures and clips, anywhere in an answer. */

export { clipsAmong, failureIn, linksIn, pagesAmong, taskIdIn, withoutMiddle } from './links.ts';
export {
  type AddressContext,
  addressIn,
  expiryOf,
  inlineBytes,
  isPlainlyMedia,
  mayHoldResult,
  mediaBytes,
  mimeBeside,
  mostReachable,
  namesAddress,
  unsigned,
} from './mediaAddress.ts';
export { findAnyUrl, nestedObjects } from './nested.ts';
