export type { FaultRule } from './faults.ts';
export { type Sandbox, startSandbox } from './sandbox.ts';
