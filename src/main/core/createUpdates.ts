import type { Backups } from './backups/index.ts';
import type { Engine } from './jobs/index.ts';
import type { Night } from './night/index.ts';
import type { Ports } from './ports.ts';
import type { Profiles } from './profiles/index.ts';
import { Updates, type UpdatesDeps } from './updates/index.ts';

interface Parts extends Pick<UpdatesDeps, 'clock' | 'log' | 'emit'> {
  ports: Ports;
  profiles: Profiles;
  engine: Engine;
  night: Night;
  backups: Backups;
}

/** Updates wait for what runs at a service or is fetched, and for a night from its arming to its end. */
export const createUpdates = ({ ports, profiles, engine, night, backups, ...common }: Parts): Updates =>
  new Updates({
    ...common,
    updater: ports.updater,
    isOn: () => profiles.getSettings().updates ?? true,
    isBusy: () => engine.status().running > 0 || night.get().current !== null,
    backUp: () => backups.make('update'),
  });
