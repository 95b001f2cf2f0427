import type { StudioEvent } from '../../../shared/contract/events.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import type { MediaFacts, PictureSize } from '../../../shared/library/mediaRef.ts';
import type { CoreEvents } from '../coreEvents.ts';
import type { OpenedClient, RemoteOutput } from '../gateway/index.ts';
import type { LedgerWriter } from '../ledger/index.ts';
import type { LibraryLocation, PreparedOutput } from '../library/index.ts';
import type { Clock, Ids, Logger, Notifier } from '../ports.ts';
import type { ReadDb, Store, WriteDb } from '../store/index.ts';

/** What the engine needs from the other modules. */
export interface EngineDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  random(): number;
  log: Logger;
  notifier: Notifier;
  dataDir: string;
  ledger: LedgerWriter;
  emit(event: StudioEvent): void;
  events: CoreEvents;
  /** Free bytes on the disk of the library. */
  freeBytes(): number;
  profiles: {
    get(id: string): Profile | undefined;
    active(): Profile;
    openClient(id: string): Promise<OpenedClient>;
  };
  projects: {
    /** A project that is not removed. */
    has(db: ReadDb, id: string): boolean;
  };
  library: {
    storeInlineOutputs(outputs: RemoteOutput[]): Promise<PreparedOutput[]>;
    recordOutputs(
      db: WriteDb,
      job: { id: string; profileId: string; projectId?: string; model?: string; name: string },
      outputs: PreparedOutput[],
      first?: number,
    ): void;
    mediaFacts(assetId: string, options: { asMask: boolean; base?: PictureSize }): Promise<MediaFacts>;
    mediaWork: { wantLastFrame(db: WriteDb, frame: { assetId: string; outMs?: number | undefined }): void };
    wakeDownloads(): void;
    /** Where its files lie. */
    location: Pick<LibraryLocation, 'pathOf' | 'fault' | 'look'>;
    /** Why no work that makes files may begin now, as a sentence. */
    waits(): Promise<string | undefined>;
  };
  /** The webhook address for an image task; undefined while no receiver listens. */
  hookUrl(profile: Profile, jobId: string, secret: string): string | undefined;
}
