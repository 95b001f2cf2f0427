export {
  bareEnvironment,
  openParentPort,
  type RunningProcess,
  type StartProcess,
  startInNode,
  startProcess,
  startProcessesBy,
} from './startProcess.ts';
export { givePieces, piecesOf, threadPieces, WorkerLimitExceeded } from './threadPieces.ts';
export { answerQuestions, WorkerDied, WorkerThread } from './workerThread.ts';
export { urlOf } from './workerUrl.ts';
