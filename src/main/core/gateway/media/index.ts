/** The bytes of a result. */

export { base64Bytes } from './base64.ts';
export { fetchMedia } from './fetchMedia.ts';
