import { originOf, type Profile } from '../../../shared/gateway/profile.ts';
import type { Gateway, OpenedClient, OpenGateway, Secrets } from '../gateway/index.ts';

interface ClientsDeps {
  openGateway: OpenGateway;
  profile(id: string): Profile | undefined;
  /** The secrets, or why they are incomplete. */
  secrets(profile: Profile): Promise<Secrets | 'no key' | 'unreadable'>;
}

/**
 * One client per profile, created at first use. Each change of a profile starts a new generation: a client being created from the earlier
 * state is discarded and created again. None is created during a change, since it would combine the address of one state with the secrets of
 * the other.
 */
export class Clients {
  private readonly deps: ClientsDeps;
  private readonly keyed = new Map<string, Gateway>();
  /** Without any secret, for links that need none and for the connection test. */
  private readonly keyless = new Map<string, Gateway>();
  private readonly generations = new Map<string, number>();
  private readonly retiring = new Set<Gateway>();
  /** The last pending change of each profile; earlier changes run before it. */
  private readonly changes = new Map<string, Promise<void>>();

  constructor(deps: ClientsDeps) {
    this.deps = deps;
  }

  /** `allowNoKey`: a profile without its key gets a client without secrets. */
  async open(id: string, { allowNoKey = false } = {}): Promise<OpenedClient> {
    for (;;) {
      await this.changes.get(id);
      const known = this.keyed.get(id);
      if (known) return { status: 'ready', client: known };
      const profile = this.deps.profile(id);
      if (!profile) return { status: 'gone' };
      const generation = this.generations.get(id);
      const secrets = await this.deps.secrets(profile);
      if (generation !== this.generations.get(id)) continue;
      if (typeof secrets !== 'string') return { status: 'ready', client: this.openIn(this.keyed, profile, secrets) };
      return allowNoKey ? { status: 'ready', client: this.openIn(this.keyless, profile, {}) } : { status: secrets };
    }
  }

  /** Another call may have created it first. */
  private openIn(clients: Map<string, Gateway>, profile: Profile, secrets: Secrets): Gateway {
    const known = clients.get(profile.id);
    if (known) return known;
    const gateway = this.deps.openGateway(profile, secrets);
    clients.set(profile.id, gateway);
    return gateway;
  }

  /** Runs one change of a profile and its secrets, after earlier ones. Requests for a client wait for it. */
  async change<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.changes.get(id);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.changes.set(id, promise);
    if (before) await before;
    this.drop(id);
    try {
      return await work();
    } finally {
      this.drop(id);
      if (this.changes.get(id) === promise) this.changes.delete(id);
      resolve();
    }
  }

  /** The next call creates a client of the changed profile. Running requests end on the old one, which is then closed. */
  private drop(id: string): void {
    this.generations.set(id, (this.generations.get(id) ?? 0) + 1);
    for (const clients of [this.keyed, this.keyless]) {
      const gateway = clients.get(id);
      clients.delete(id);
      if (gateway) this.retire(gateway);
    }
  }

  private retire(gateway: Gateway): void {
    this.retiring.add(gateway);
    void gateway.retire().finally(() => this.retiring.delete(gateway));
  }

  async close(): Promise<void> {
    const all = [...this.keyed.values(), ...this.keyless.values(), ...this.retiring];
    this.keyed.clear();
    this.keyless.clear();
    await Promise.all(all.map((gateway) => gateway.close()));
  }
}

/**
 * Whether a profile leaves its origin (scheme, host, port), to which its secrets belong; `from` is absent if the entry in the file does not
 * tell it.
 */
export function movesFrom(
  before: { baseUrl?: unknown } | undefined,
  { baseUrl }: Pick<Profile, 'baseUrl'>,
): { from?: string } | undefined {
  if (before === undefined) return undefined;
  const from = originOf(before.baseUrl);
  return from === originOf(baseUrl) ? undefined : { ...(from === undefined ? {} : { from }) };
}
