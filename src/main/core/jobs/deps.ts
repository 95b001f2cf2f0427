import type { StudioEvent } from '../../../shared/events.ts';
import type { MediaFacts, PictureSize } from '../../../shared/mediaRef.ts';
import type { Profile } from '../../../shared/profile.ts';
import type { ChatDelta, OpenedClient, RemoteOutput } from '../gateway/index.ts';
import type { LedgerWriter } from '../ledger/index.ts';
import type { PreparedOutput } from '../library/index.ts';
import type { Clock, Ids, Logger, Notifier } from '../ports.ts';
import type { Store, WriteDb } from '../store/index.ts';

/** What the engine needs of the rest of the studio. */
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
  /** Free on the disk of the data folder, in bytes. */
  freeBytes(): number;
  profiles: {
    get(id: string): Profile | undefined;
    active(): Profile;
    openClient(id: string): Promise<OpenedClient>;
  };
  library: {
    storeInlineOutputs(outputs: RemoteOutput[]): Promise<PreparedOutput[]>;
    recordOutputs(
      db: WriteDb,
      job: { id: string; profileId: string; projectId?: string; model?: string; name: string },
      outputs: PreparedOutput[],
    ): void;
    mediaFacts(assetId: string, options: { asMask: boolean; base?: PictureSize }): Promise<MediaFacts>;
    wakeDownloads(): void;
  };
  /** Where the service may call back for an image task, or undefined while no receiver listens. */
  hookUrl(profile: Profile, jobId: string, secret: string): string | undefined;
  /** A piece of a chat answer has come and is stored. */
  onDelta(jobId: string, delta: ChatDelta): void;
  /** A job was made again as another one; what named it names the new one. */
  onRetriedAsNew(db: WriteDb, oldId: string, newId: string): void;
  /** A chat job's text or state changed (for its message). */
  onChatChanged(jobId: string): void;
}
