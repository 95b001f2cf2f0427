import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { type Host, startHost } from '../helpers/host.ts';
import { isHostGone } from './loadGenerator.ts';
import { randomOf, type TortureOptions } from './options.ts';

/**
 * SIGKILL while a batch is being enqueued: after the next start it exists whole or not at all, its reservations match, nothing of it was
 * sent, and repeating the call with its key returns the first result and adds nothing.
 */
const KILLS = 60;
const SHORT_KILLS = 4;
const LINES = 2_000;
const SHORT_LINES = 300;
/** A folder with more jobs is replaced by a fresh one, to keep starts short. */
const MAX_JOBS = 10_000;

export async function run({ short = false, seed = 1, kills }: Partial<TortureOptions> = {}): Promise<string[]> {
  const random = randomOf(seed);
  const killed = { before: 0, after: 0 };
  const lines = short ? SHORT_LINES : LINES;
  let studio = await KilledBatches.start(lines);
  try {
    const most = kills ?? (short ? SHORT_KILLS : KILLS);
    for (let n = 0; n < most; n += 1) {
      const isThere = await studio.killAt(random());
      killed[isThere ? 'after' : 'before'] += 1;
      if (studio.jobs <= MAX_JOBS) continue;
      await studio.stop();
      studio = await KilledBatches.start(lines);
    }
    await studio.assertNothingSent();
  } finally {
    await studio.stop();
  }
  return [
    `${killed.before + killed.after} kills while ${lines} lines were enqueued: ${killed.after} batches are there whole, of ${killed.before} there is nothing`,
    'reserved is the price of what is there, repeats added nothing, nothing was sent',
  ];
}

/** One data folder over several lifetimes of the program. */
class KilledBatches {
  /** The number of jobs that must exist. */
  jobs = 0;
  private host: Host;
  private readonly lines: number;
  private readonly usualMs: number;
  private reservedNano: number;
  private batches = 1;

  private constructor(host: Host, lines: number, first: { ms: number; reservedNano: number }) {
    this.host = host;
    this.lines = lines;
    this.usualMs = first.ms;
    this.reservedNano = first.reservedNano;
    this.jobs = lines;
  }

  /** Enqueues a first batch to measure its duration. */
  static async start(lines: number): Promise<KilledBatches> {
    const host = await startHost();
    await host.ask('queue.pause');
    const { readId, estimateNano } = await read(host, lines, 0);
    const start = performance.now();
    await host.ask('batch.enqueue', { readId });
    return new KilledBatches(host, lines, { ms: performance.now() - start, reservedNano: estimateNano });
  }

  /** Kills the program at this share of a batch and restarts it. Returns whether the batch exists. */
  async killAt(share: number): Promise<boolean> {
    const { readId, estimateNano } = await read(this.host, this.lines, this.batches);
    const input = { readId, requestKey: `batch-number-${this.batches}` };
    this.batches += 1;
    const answered = this.host.ask('batch.enqueue', input).catch((error: unknown) => {
      if (!isHostGone(error)) throw error;
    });
    await wait(share * this.usualMs);
    await this.host.kill('SIGKILL');
    const answer = await answered;
    this.host = await this.host.restart();
    const { total } = await this.host.ask('jobs.list', { limit: 1 });
    holds(
      total === this.jobs || total === this.jobs + this.lines,
      `${total} jobs after ${this.jobs} and ${this.lines} more`,
    );
    const isThere = total > this.jobs;
    holds(isThere || answer === undefined, 'an acknowledged batch is gone');
    this.jobs = total;
    if (isThere) {
      this.reservedNano += estimateNano;
      const repeated = await this.host.ask('batch.enqueue', input);
      holds(repeated.count === this.lines, `the repeat answers ${repeated.count} jobs`);
      holds(!answer || JSON.stringify(answer) === JSON.stringify(repeated), 'the repeat answers other jobs');
    }
    await this.assertWhole();
    return isThere;
  }

  private async assertWhole(): Promise<void> {
    const { waiting } = await this.host.ask('queue.status');
    const { total } = await this.host.ask('jobs.list', { limit: 1 });
    const { sum } = await this.host.ask('ledger.totals', { groupBy: 'kind' });
    holds(waiting === this.jobs && total === this.jobs, `${waiting} wait and ${total} are listed of ${this.jobs}`);
    holds(sum.reservedNano === this.reservedNano, `${sum.reservedNano} is reserved, not ${this.reservedNano}`);
  }

  async assertNothingSent(): Promise<void> {
    const { jobs } = await this.host.ask('jobs.list', { limit: 500 });
    holds(
      jobs.every(({ attempts }) => attempts.length === 0),
      'something was sent from a queue that is paused',
    );
  }

  async stop(): Promise<void> {
    await this.host.stop();
  }
}

const read = (host: Host, lines: number, batch: number) =>
  host.ask('batch.read', {
    text: Array.from({ length: lines }, (_, line) => `A quay at night, ${batch}, ${line}`).join('\n'),
    format: 'lines',
    defaults: { kind: 'imagine' },
  });

function holds(isTrue: boolean, message: string): void {
  if (!isTrue) throw new Error(message);
}
