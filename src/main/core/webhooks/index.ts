import type { Profile } from '../../../shared/profile.ts';
import { trimmedEnd } from '../../../shared/trimmed.ts';
import type { Clock, Logger } from '../ports.ts';
import type { Store } from '../store/index.ts';
import { HookBook, hookPath, type OpenHook } from './hookBook.ts';
import { listenOnUsualPort } from './port.ts';
import { createReceiver } from './receiver.ts';
import { SOCKET_LIMITS, SocketGuard, type SocketLimits } from './socketGuard.ts';

export { SOCKET_LIMITS, type SocketLimits };

/**
 * The receiver of the services' calls (spec 6), on loopback and a port of its own. Nothing in a body is trusted: a call on the right
 * secret path only brings the next look at that task forward, or tells where to ask for a task that was lost. Everything else is
 * answered alike and changes nothing.
 */
export interface Webhooks {
  /** Where a service may call back for a job: the profile's public base where it has one, else loopback. */
  urlFor(profile: Profile, jobId: string, secret: string): string;
  /** Where it listens on this machine, for a tunnel to point at. */
  readonly address: string;
  close(): Promise<void>;
}

export interface WebhookDeps {
  clock: Clock;
  store: Pick<Store, 'read' | 'transaction'>;
  log: Pick<Logger, 'error'>;
  jobs: {
    /** Those that a service may still call about. Asked once, at the start. */
    openHooks(): OpenHook[];
    poke(jobId: string): void;
    /** Whether nobody knows the task of this job, so that a body may tell it. */
    wantsHint(jobId: string): boolean;
    hint(jobId: string, body: string): void;
  };
}

export async function startWebhooks(deps: WebhookDeps, limits: SocketLimits = SOCKET_LIMITS): Promise<Webhooks> {
  const book = new HookBook(deps.jobs.openHooks());
  const guard = new SocketGuard(deps.clock, limits);
  const server = createReceiver(guard, (url) => {
    const jobId = book.jobAt(url);
    if (jobId === undefined) return undefined;
    const wanted = safely(deps, jobId, () => {
      deps.jobs.poke(jobId);
      return deps.jobs.wantsHint(jobId);
    });
    return wanted ? (body) => safely(deps, jobId, () => deps.jobs.hint(jobId, body)) : undefined;
  });
  const port = await listenOnUsualPort(server, deps.store);
  // A flood that leaves no room for one more socket ends a call, not Dailies.
  server.on('error', (error) => deps.log.error({ error: String(error) }, 'a call could not be let in'));
  const address = `http://127.0.0.1:${port}`;
  return {
    address,
    urlFor(profile, jobId, secret) {
      book.add({ jobId, secret });
      const base = trimmedEnd(profile.webhookBase ?? address, '/');
      return base + hookPath({ jobId, secret });
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        guard.close();
      }),
  };
}

/** A hint that cannot be used now, because of a fault of the disk say, is no loss: the task is polled anyway. */
function safely<T>({ log }: WebhookDeps, jobId: string, use: () => T): T | undefined {
  try {
    return use();
  } catch (error) {
    log.error({ job: jobId, error: String(error) }, 'a webhook could not be followed');
    return undefined;
  }
}
