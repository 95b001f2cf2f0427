/** One request and its answer, read to its end. */

export { type Answer, isTruncated, lastDocument, readAnswer, requestIdOf } from './answer.ts';
export {
  createDocumentKeeper,
  documentsIn,
  firstDocuments,
  isDoneMarker,
  MAX_DOCUMENTS_PER_EVENT,
} from './documents.ts';
export { type Echo, echoOf, textsIn, withoutEcho } from './echo.ts';
export {
  accountOf,
  type Exchange,
  HEADER_MS,
  queryList,
  type Repeat,
  type SubmitRequest,
  sendQuery,
  submitRequest,
} from './request.ts';
export { wireBase64, wireUri } from './wireUri.ts';
