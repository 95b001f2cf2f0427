import { timingSafeEqual } from 'node:crypto';

export interface OpenHook {
  jobId: string;
  secret: string;
}

/** The address of a job that ended long ago is of no use; beyond so many the oldest are forgotten, and their jobs are polled as ever. */
const MOST_HOOKS = 20_000;

/**
 * The addresses that services may still call: those given out in this run, and at a start those of jobs that are not over. A forged
 * call is told from a true one here, in memory: it costs no look into the database.
 */
export class HookBook {
  private readonly secrets: Map<string, string>;

  constructor(open: readonly OpenHook[]) {
    this.secrets = new Map(open.map(({ jobId, secret }) => [jobId, secret]));
  }

  add({ jobId, secret }: OpenHook): void {
    this.secrets.delete(jobId);
    this.secrets.set(jobId, secret);
    for (const oldest of this.secrets.keys()) {
      if (this.secrets.size <= MOST_HOOKS) return;
      this.secrets.delete(oldest);
    }
  }

  /** The job that a path belongs to, where its secret is the right one. */
  jobAt(url: string): string | undefined {
    const [, jobId = '', given = ''] = HOOK_PATH.exec(url.split('?')[0] ?? '') ?? [];
    const secret = this.secrets.get(jobId);
    return secret !== undefined && same(given, secret) ? jobId : undefined;
  }
}

/** A tunnel may put a path of its own in front. */
const HOOK_PATH = /\/hooks\/([A-Za-z0-9_-]{1,100})\/([0-9a-f]{32,64})\/?$/;

export const hookPath = ({ jobId, secret }: OpenHook): string => `/hooks/${jobId}/${secret}`;

/** In a time that does not tell how much of it was right. */
function same(given: string, secret: string): boolean {
  return given.length === secret.length && timingSafeEqual(Buffer.from(given), Buffer.from(secret));
}
