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
