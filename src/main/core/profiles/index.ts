export { dialectMemory, spokenBy } from './dialects.ts';
export { IgnoredKeys } from './ignoredKeys.ts';
export { tryImageHeaders } from './imageHeaders.ts';
export { LaterWrite } from './laterWrite.ts';
export { Profiles, type ProfilesDeps } from './profiles.ts';
export { noSuchProfile } from './refusals.ts';
export { sandboxProfile } from './sandbox.ts';
