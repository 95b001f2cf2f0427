export type { AddedJob } from './dryRun.ts';
export { claimInNight, type NightGate, nightClosedText, nightGateOf } from './gate.ts';
export { Night } from './night.ts';
export { nightCalls } from './nightCalls.ts';
export type { MemberDependency, NightJobs } from './nightJobs.ts';
export {
  currentNightRun,
  endNightRun,
  joinNight,
  leaveNight,
  leftOutText,
  type NightRunRow,
  nightRunById,
  PRICE_ROSE,
  recordNotRun,
  recordOutcomeInNight,
} from './nightRuns.ts';
export { hourOf } from './runHours.ts';
