export { isAllowedInNight, type NightGate, nightClosedText, nightGateOf } from './gate.ts';
export { Night } from './night.ts';
export { currentNightRun, endNightRun, joinNight, leaveNight, type NightRunRow, recordNotRun } from './nightRuns.ts';
export { recordOutcomeInNight } from './rules.ts';
export { hourOf } from './window.ts';
