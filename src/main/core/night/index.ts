export { closedText, type Gate, gateOf, mayRun } from './gate.ts';
export { Night } from './night.ts';
export { countOutcome } from './rules.ts';
export { currentRun, endRun, joinRun, leaveRun, noteNotRun, type RunRow } from './runs.ts';
export { hourOf } from './window.ts';
