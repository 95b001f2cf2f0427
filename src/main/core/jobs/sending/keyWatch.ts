import type { EngineDeps } from '../deps.ts';
import * as statements from '../queries/jobSql.ts';

/** The delay before an unreadable key is tried again. */
const RETRY_MS = 60_000;

/**
 * Resumes jobs that wait for a key once it can be read: a locked keychain may be opened at any time, and a key may be given at the next
 * start.
 */
export class KeyWatch {
  private readonly deps: Pick<EngineDeps, 'clock' | 'store' | 'profiles'>;
  private readonly known: (profileId: string) => void;
  private readonly timers = new Map<string, () => void>();
  private closed = false;

  /** `known`: called once it is certain whether a profile has a key. */
  constructor(deps: Pick<EngineDeps, 'clock' | 'store' | 'profiles'>, known: (profileId: string) => void) {
    this.deps = deps;
    this.known = known;
  }

  resume(): void {
    const waiting = this.deps.store.read.all<statements.BlockedJob>(statements.blockedBy, { reason: 'key' });
    for (const profileId of new Set(waiting.map((row) => row.profile_id)))
      void this.statusOf(profileId).then((status) => {
        // Without a key, the jobs continue to wait.
        if (status === 'ready') this.tell(profileId);
        if (status === 'unreadable') this.tryAgain(profileId);
      });
  }

  /** The key of this profile could not be read. */
  tryAgain(profileId: string): void {
    if (this.closed || this.timers.has(profileId)) return;
    const check = async () => {
      const status = await this.statusOf(profileId);
      this.timers.delete(profileId);
      if (status === 'unreadable') this.tryAgain(profileId);
      else this.tell(profileId);
    };
    this.timers.set(
      profileId,
      this.deps.clock.after(RETRY_MS, () => void check()),
    );
  }

  close(): void {
    this.closed = true;
    for (const cancel of this.timers.values()) cancel();
  }

  private tell(profileId: string): void {
    if (!this.closed) this.known(profileId);
  }

  private async statusOf(profileId: string): Promise<string> {
    return this.deps.profiles.openClient(profileId).then(
      ({ status }) => status,
      () => 'unreadable',
    );
  }
}
