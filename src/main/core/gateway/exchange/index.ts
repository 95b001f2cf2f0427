/** One request and its answer, read to its end. */

export {
  type Answer,
  createDocumentKeeper,
  documentsIn,
  firstDocuments,
  isDoneMarker,
  isTruncated,
  lastDocument,
  MAX_DOCUMENTS_PER_EVENT,
  readAnswer,
  requestIdOf,
} from './answer.ts';
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
  wireBase64,
  wireUri,
} from './request.ts';
