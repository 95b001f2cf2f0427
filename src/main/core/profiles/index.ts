export { IgnoredKeys, tryImageHeaders } from './ignoredKeys.ts';
export { noSuchProfile } from './patch.ts';
export { Profiles, type ProfilesDeps } from './profiles.ts';
export { sandboxProfile } from './sandbox.ts';
export { detectedFormats, dialectMemory } from './statedModels.ts';
export { DelayedWrite } from './stored.ts';
