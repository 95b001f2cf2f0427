import type { Gateway } from '../../src/main/core/gateway/index.ts';
import { Profiles, type ProfilesDeps } from '../../src/main/core/profiles/profiles.ts';
import { countingIds, memoryKeys, memorySettings } from './testPorts.ts';

/** The profiles module alone, with keys and settings in memory and a gateway that does nothing. */
export const openProfiles = (deps: Partial<ProfilesDeps> = {}): Profiles =>
  new Profiles({
    keys: memoryKeys(),
    settings: memorySettings(),
    ids: countingIds(),
    openGateway: ({ baseUrl }) => ({ baseUrl, retire: async () => undefined }) as unknown as Gateway,
    hide: () => undefined,
    jobs: { openJobs: () => 0, jobsAtService: () => 0 },
    ...deps,
  });
