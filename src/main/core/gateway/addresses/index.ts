/** Addresses of pictures and clips, anywhere in an answer. */

export { clipsAmong, failureIn, linksIn, pagesAmong, taskIdIn, withoutMiddle } from './links.ts';
export {
  type AddressContext,
  addressIn,
  expiryOf,
  findAnyUrl,
  inlineBytes,
  isPlainlyMedia,
  mayHoldResult,
  mediaBytes,
  mimeBeside,
  mostReachable,
  namesAddress,
  nestedObjects,
  unsigned,
} from './mediaAddress.ts';
