export {
  bareEnvironment,
  openParentPort,
  type RunningProcess,
  type StartProcess,
  startInNode,
  startProcess,
  startProcessesBy,
} from './startProcess.ts';
export { givePieces, piecesOf, ThreadEnded, threadPieces } from './threadPieces.ts';
export { answerQuestions, ThreadGone, WorkerThread } from './workerThread.ts';
export { urlOf } from './workerUrl.ts';
