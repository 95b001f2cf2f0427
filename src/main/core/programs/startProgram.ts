import { startInNode } from './nodeProgram.ts';
import type { StartProgram } from './program.ts';

let start: StartProgram = startInNode;

/** Starts a program as the host does: as another Node, unless it has said otherwise. */
export const startProgram: StartProgram = (file, options) => start(file, options);

/** Says how this host starts programs. It must come before the first of them. */
export const startProgramsBy = (way: StartProgram): void => {
  start = way;
};
