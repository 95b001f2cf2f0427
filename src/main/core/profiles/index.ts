export { dialectMemory } from './dialects.ts';
export { Profiles, sandboxProfile } from './profiles.ts';
