import { timingSafeEqual } from 'node:crypto';

export interface HookAddress {
  jobId: string;
  secret: string;
}

/**
 * Beyond this number the oldest addresses are forgotten: those of jobs that ended long ago are of no use, and any other job is polled
 * anyway.
 */
const MAX_HOOKS = 20_000;

/**
 * The addresses that services may still call: those handed out in this run and, at start, those of unfinished jobs. Forged calls are
 * recognized here, in memory, without a database query.
 */
export class HookRegistry {
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

  /** The job that a path belongs to, if its secret is right. */
  jobAt(url: string): string | undefined {
    const [, jobId = '', given = ''] = HOOK_PATH.exec(url.split('?')[0] ?? '') ?? [];
    const secret = this.secrets.get(jobId);
    return secret !== undefined && isEqual(given, secret) ? jobId : undefined;
  }
}

/** A tunnel may add a path in front. */
const HOOK_PATH = /\/hooks\/([A-Za-z0-9_-]{1,100})\/([0-9a-f]{32,64})\/?$/;

export const hookPath = ({ jobId, secret }: HookAddress): string => `/hooks/${jobId}/${secret}`;

/** Compares in constant time, so that timing does not reveal how much of a guess is right. */
function isEqual(given: string, secret: string): boolean {
  return given.length === secret.length && timingSafeEqual(Buffer.from(given), Buffer.from(secret));
}
