/** The bytes of a result. */

export { fetchMedia } from './fetchMedia.ts';
export { bytesInAddress } from './mediaBody.ts';
