export { dialectMemory, spokenBy } from './dialects.ts';
export { IgnoredKeys, tryImageHeaders } from './ignoredKeys.ts';
export { noSuchProfile } from './patch.ts';
export { Profiles, type ProfilesDeps } from './profiles.ts';
export { sandboxProfile } from './sandbox.ts';
export { LaterWrite } from './stored.ts';
