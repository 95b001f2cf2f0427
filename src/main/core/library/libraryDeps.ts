import type { CoreEvents } from '../coreEvents.ts';
import type { Gateway } from '../gateway/index.ts';
import type { Clock, Ids, Logger } from '../ports.ts';
import type { Store } from '../store/index.ts';
import type { RoomDeps } from './room.ts';

export interface LibraryDeps extends RoomDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Logger;
  gatewayFor(profileId: string): Promise<Gateway | null>;
  /** Whether the profile has no key now, or one that cannot be read. */
  lacksKey?(profileId: string): Promise<boolean>;
  downloadsAtOnce(): number;
  /** Emits `output.settled` and `mediaTask.ended`. */
  events: Pick<CoreEvents, 'emit'>;
}
