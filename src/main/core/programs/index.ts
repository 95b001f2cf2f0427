export { openAsker } from './asked.ts';
export { bareEnvironment, type RunningProgram, type StartProgram } from './program.ts';
export { startProgram, startProgramsBy } from './startProgram.ts';
