/** One request and its answer, read to its end. */

export { type Answer, isTruncated, lastDocument, readAnswer, requestIdOf } from './answer.ts';
export {
  createDocumentKeeper,
  type DocumentKeeper,
  documentsIn,
  firstDocuments,
  isDoneMarker,
  MAX_DOCUMENTS_PER_EVENT,
} from './documents.ts';
export { type Echo, echoOf, withoutEcho } from './echo.ts';
export { type Exchange, HEADER_MS, sendQuery, submitRequest } from './request.ts';
