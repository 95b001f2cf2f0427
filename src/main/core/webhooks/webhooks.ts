import { timingSafeEqual } from 'node:crypto';
import { ok, type Result } from '../../../shared/contract/result.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import type { SelfTest } from '../../../shared/gateway/webhookCalls.ts';
import { trimmedEnd } from '../../../shared/text/trimmed.ts';
import type { CoreEvents } from '../coreEvents.ts';
import type { Clock, Ids, Logger } from '../ports.ts';
import type { Store } from '../store/index.ts';
import { createReceiver, listenOnLastPort, SOCKET_LIMITS, SocketGuard, type SocketLimits } from './receiver.ts';
import { runSelfTest } from './selfTest.ts';

/**
 * Receives webhooks of gateways (spec 6) on loopback, on its own port. Bodies are untrusted: a call to the right secret path only makes the
 * next poll of that task earlier, or suggests the id of a lost task. Every other call gets the same answer and changes nothing.
 */
export interface Webhooks {
  /** The webhook address of a job: under the profile's public base address if it has one, otherwise on loopback. */
  urlFor(profile: Profile, jobId: string, secret: string): string;
  /** The local address, for a tunnel to point at. */
  readonly address: string;
  /** Calls the profile's address as a gateway would and reports each guarantee. */
  selfTest(profile: Profile): Promise<Result<SelfTest>>;
  close(): Promise<void>;
}

interface WebhookDeps {
  clock: Clock;
  ids: Ids;
  store: Pick<Store, 'read' | 'transaction'>;
  log: Pick<Logger, 'error'>;
  jobs: {
    /** Addresses of jobs that gateways may still call. Read once, at the start. */
    openWebhooks(): HookAddress[];
    /** Whether the job's task is unknown, so that a body may name it. */
    lacksTaskId(jobId: string): boolean;
  };
  /** Emits `webhook.received` and `webhook.bodyReceived`. */
  events: Pick<CoreEvents, 'emit'>;
}

export async function startWebhooks(deps: WebhookDeps, limits: SocketLimits = SOCKET_LIMITS): Promise<Webhooks> {
  const registry = new HookRegistry(deps.jobs.openWebhooks());
  const guard = new SocketGuard(deps.clock, limits);
  const trials = new Trials(deps);
  const lately = { since: deps.clock.now(), useful: 0, strange: 0 };
  const server = createReceiver(guard, (url) => {
    const jobId = registry.jobAt(url);
    if (trials.took(url)) return undefined;
    if (jobId === undefined) {
      lately.strange += 1;
      return undefined;
    }
    lately.useful += 1;
    const wanted = safely(deps, jobId, () => {
      deps.events.emit('webhook.received', jobId);
      return deps.jobs.lacksTaskId(jobId);
    });
    if (!wanted) return undefined;
    return (body) => safely(deps, jobId, () => void deps.events.emit('webhook.bodyReceived', jobId, body));
  });
  const port = await listenOnLastPort(server, deps.store);
  // A flood that exhausts sockets must end a call, not Dailies.
  server.on('error', (error) => deps.log.error({ error: String(error) }, 'a call could not be let in'));
  const address = `http://127.0.0.1:${port}`;
  return {
    address,
    urlFor(profile, jobId, secret) {
      registry.add({ jobId, secret });
      const base = trimmedEnd(profile.webhookBase ?? address, '/');
      return base + hookPath({ jobId, secret });
    },
    async selfTest(profile) {
      const base = trimmedEnd(profile.webhookBase ?? address, '/');
      const isPublic = profile.webhookBase !== undefined;
      const steps = await runSelfTest({ clock: deps.clock, isPublic, open: () => trials.open(base, address) });
      return ok({ steps, lately: { ...lately } });
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        guard.close();
      }),
  };
}

/** Addresses of running self-tests: calls to them are counted, and reach no job. */
class Trials {
  private readonly ids: Ids;
  private readonly opened = new Map<string, number>();

  constructor({ ids }: Pick<WebhookDeps, 'ids'>) {
    this.ids = ids;
  }

  /** Whether the call belongs to a self-test, with the right secret or a wrong one. */
  took(url: string): boolean {
    const path = url.split('?')[0] ?? '';
    for (const [right, calls] of this.opened) {
      if (path.endsWith(right)) this.opened.set(right, calls + 1);
      if (path.endsWith(right) || path.includes(right.slice(0, right.lastIndexOf('/') + 1))) return true;
    }
    return false;
  }

  open(base: string, local: string) {
    const jobId = this.ids.id('selftest');
    const right = hookPath({ jobId, secret: this.ids.secret() });
    const wrong = hookPath({ jobId, secret: this.ids.secret() });
    this.opened.set(right, 0);
    return {
      right: base + right,
      wrong: base + wrong,
      local,
      calls: () => this.opened.get(right) ?? 0,
      end: () => void this.opened.delete(right),
    };
  }
}

/** Losing a hint, such as to a disk error, does no harm: the task is polled anyway. */
function safely<T>({ log }: WebhookDeps, jobId: string, use: () => T): T | undefined {
  try {
    return use();
  } catch (error) {
    log.error({ job: jobId, error: String(error) }, 'a webhook could not be followed');
    return undefined;
  }
}

interface HookAddress {
  jobId: string;
  secret: string;
}

/** The oldest addresses beyond this number are dropped: jobs that ended long ago do not need them, and any other job is polled anyway. */
const MAX_HOOKS = 20_000;

/**
 * The addresses that gateways may still call: those given out in this run and, at the start, those of unfinished jobs. Forged calls are
 * recognized in memory, without a database query.
 */
class HookRegistry {
  private readonly secrets: Map<string, string>;

  constructor(open: readonly HookAddress[]) {
    this.secrets = new Map(open.map(({ jobId, secret }) => [jobId, secret]));
  }

  add({ jobId, secret }: HookAddress): void {
    this.secrets.delete(jobId);
    this.secrets.set(jobId, secret);
    for (const oldest of this.secrets.keys()) {
      if (this.secrets.size <= MAX_HOOKS) return;
      this.secrets.delete(oldest);
    }
  }

  /** The job of a path, if its secret is right. */
  jobAt(url: string): string | undefined {
    const [, jobId = '', given = ''] = HOOK_PATH.exec(url.split('?')[0] ?? '') ?? [];
    const secret = this.secrets.get(jobId);
    return secret !== undefined && isEqual(given, secret) ? jobId : undefined;
  }
}

/** A tunnel may add a path in front. */
const HOOK_PATH = /\/hooks\/([A-Za-z0-9_-]{1,100})\/([0-9a-f]{32,64})\/?$/;

const hookPath = ({ jobId, secret }: HookAddress): string => `/hooks/${jobId}/${secret}`;

/** Compares in constant time, so that timing does not reveal how much of a guess is right. */
function isEqual(given: string, secret: string): boolean {
  return given.length === secret.length && timingSafeEqual(Buffer.from(given), Buffer.from(secret));
}
