/** The bytes of a result. */

export { bytesInAddress } from './bytesInAddress.ts';
export { fetchMedia } from './fetchMedia.ts';
