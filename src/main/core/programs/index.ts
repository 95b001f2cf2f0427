export { AskedThread, answerQuestions, ThreadGone } from './askedThread.ts';
export {
  bareEnvironment,
  openAsker,
  type RunningProgram,
  type StartProgram,
  startInNode,
  startProgram,
  startProgramsBy,
} from './startProgram.ts';
export { givePieces, piecesOf, ThreadEnded, threadPieces } from './threadPieces.ts';
export { urlOf } from './threadUrl.ts';
