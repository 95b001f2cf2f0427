export { dialectMemory } from './dialects.ts';
export { tryImageHeaders } from './imageHeaders.ts';
export { Profiles } from './profiles.ts';
export { sandboxProfile } from './sandbox.ts';
