/** Addresses of pictures and clips, wherever they stand in an answer. */

export { clipsAmong, failureIn, linksIn, pagesAmong, taskIdIn, tellingPart } from './links.ts';
export {
  addressIn,
  easiest,
  expiryOf,
  inlineBytes,
  isPlainlyMedia,
  mayHoldResult,
  mediaBytes,
  mimeBeside,
  namesAddress,
  type Reading,
  unsigned,
} from './mediaAddress.ts';
export { deeperObjects, oddlyPlaced } from './nested.ts';
