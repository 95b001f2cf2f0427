export { openAsker } from './asked.ts';
export { givePieces, piecesOf } from './givePieces.ts';
export { startInNode } from './nodeProgram.ts';
export { bareEnvironment, type RunningProgram, type StartProgram } from './program.ts';
export { startProgram, startProgramsBy } from './startProgram.ts';
export { ThreadEnded, threadPieces } from './threadPieces.ts';
