/** Addresses of pictures and clips, wherever they stand in an answer. */

export { clipsAmong, failureIn, linksIn, pagesAmong, taskIdIn, tellingPart } from './links.ts';
export {
  type AddressContext,
  addressIn,
  easiest,
  expiryOf,
  inlineBytes,
  isPlainlyMedia,
  mayHoldResult,
  mediaBytes,
  mimeBeside,
  namesAddress,
  unsigned,
} from './mediaAddress.ts';
export { deeperObjects, oddlyPlaced } from './nested.ts';
