import type { StudioEvent } from '../../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { KEY_UNREADABLE } from '../../../shared/gateway/profile.ts';
import { en, t } from '../../../shared/text/texts.ts';
import { untriedHeaders } from '../gateway/index.ts';
import type { Clock, Logger } from '../ports.ts';
import { deleteFlag, flagsWithPrefix, type Store, type WriteDb, writeFlag } from '../store/index.ts';
import type { Profiles } from './profiles.ts';

interface IgnoredKeysDeps {
  store: Pick<Store, 'read' | 'transaction'>;
  clock: Pick<Clock, 'now'>;
  log: Pick<Logger, 'error'>;
  profiles: Pick<Profiles, 'get' | 'markKeyIgnored'>;
  emit(event: StudioEvent): void;
}

/** Prefix of a profile id: where and when its idempotency key was ignored, until that is in the settings file. */
const PENDING = 'ignoredKey:';

/**
 * A gateway made a second job for one key: requests are no longer repeated there, whether or not the settings file can be written. Until it
 * is, the database tells the next start.
 */
export class IgnoredKeys {
  private readonly deps: IgnoredKeysDeps;

  constructor(deps: IgnoredKeysDeps) {
    this.deps = deps;
  }

  found(id: string): void {
    const { profiles, clock, emit } = this.deps;
    const at = clock.now();
    const profile = profiles.get(id);
    if (profile) {
      this.tried((db) => writeFlag(db, PENDING + id, `${at} ${profile.baseUrl}`));
      this.doubt(id, at);
    }
    emit({ type: 'profiles.changed' });
    const text = t`${profile?.name ?? id} accepted the same idempotency key twice. Dailies no longer repeats requests there.`;
    emit({ type: 'notice', level: 'error', text, urgent: true });
  }

  /** Runs at the start. Findings about another address do not count for this one. */
  resume(): void {
    for (const { name, value } of flagsWithPrefix(this.deps.store.read, PENDING)) {
      const id = name.slice(PENDING.length);
      const [at = '', baseUrl] = value.split(' ', 2);
      if (this.deps.profiles.get(id)?.baseUrl === baseUrl) this.doubt(id, Number(at));
      else this.tried((db) => deleteFlag(db, name));
    }
  }

  /** The settings file has been written since. */
  written(): void {
    const pending = flagsWithPrefix(this.deps.store.read, PENDING);
    if (pending.length > 0) this.tried((db) => pending.forEach(({ name }) => void deleteFlag(db, name)));
  }

  private doubt(id: string, at: number): void {
    try {
      this.deps.profiles.markKeyIgnored(id, at);
    } catch (error) {
      this.deps.log.error({ error: String(error), profile: id }, 'a profile could not be written');
      return;
    }
    this.tried((db) => deleteFlag(db, PENDING + id));
  }

  /** If the database has no room to tell the next start, it still holds in memory. */
  private tried(work: (db: WriteDb) => void): void {
    try {
      this.deps.store.transaction(work);
    } catch (error) {
      this.deps.log.error({ error: String(error) }, 'an ignored key could not be written down');
    }
  }
}

/** Tries the key for images under names that the profile does not try; the accepted one becomes its first. */
export async function tryImageHeaders(
  profiles: Pick<Profiles, 'get' | 'openClient' | 'save'>,
  id: string,
): Promise<Result<{ accepted: string | null; tried: string[] }>> {
  const opened = await profiles.openClient(id);
  if (opened.status === 'no key') return fail('key_missing', en`There is no key to try. Enter it first.`);
  if (opened.status === 'unreadable') return fail('wrong_state', KEY_UNREADABLE);
  const profile = profiles.get(id);
  if (opened.status !== 'ready' || !profile) return fail('not_found', 'There is no such gateway.');
  const tried = untriedHeaders(profile);
  const accepted = await opened.client.tryImageHeaders(tried);
  if (accepted === undefined) return ok({ accepted: null, tried });
  // The profile may have changed meanwhile.
  const { imageAuthHeaders } = profiles.get(id) ?? profile;
  const saved = await profiles.save({ id, imageAuthHeaders: [accepted, ...imageAuthHeaders].slice(0, 8) });
  return saved.ok ? ok({ accepted, tried }) : saved;
}
