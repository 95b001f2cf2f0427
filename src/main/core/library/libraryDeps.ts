import type { StudioEvent } from '../../../shared/events.ts';
import type { CoreEvents } from '../coreEvents.ts';
import type { Gateway } from '../gateway/index.ts';
import type { Clock, Ids, Logger } from '../ports.ts';
import type { Store } from '../store/index.ts';

export interface LibraryDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Logger;
  dataDir: string;
  emit(event: StudioEvent): void;
  gatewayFor(profileId: string): Promise<Gateway | null>;
  downloadsAtOnce(): number;
  /** Free bytes on the data folder's disk; read from the file system if not given. */
  freeBytes?(): number;
  /** Emits `output.settled` and `mediaTask.ended`. */
  events: Pick<CoreEvents, 'emit'>;
}
