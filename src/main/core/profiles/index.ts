export { dialectMemory } from './dialects.ts';
export { Profiles } from './profiles.ts';
export { sandboxProfile } from './sandbox.ts';
