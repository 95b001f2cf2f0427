import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { CallInput } from '../../src/shared/contract/contract.ts';
import { type Host, startHost } from '../helpers/host.ts';
import { isHostGone } from './loadGenerator.ts';
import { randomOf, type TortureOptions } from './options.ts';

/**
 * SIGKILL during a change of many queued jobs: after the next start it applies to all of them or to none, it applies if it was answered,
 * and none of them was sent.
 */
const KILLS = 40;
const SHORT_KILLS = 4;
const JOBS = 1_500;
const SHORT_JOBS = 300;

/** The changes, in turn. */
const CHANGES = ['leaveNight', 'tonight', 'cancel'] as const;
type Change = (typeof CHANGES)[number];

export async function run({ short = false, seed = 1, kills }: Partial<TortureOptions> = {}): Promise<string[]> {
  const random = randomOf(seed);
  const most = kills ?? (short ? SHORT_KILLS : KILLS);
  const found = { all: 0, none: 0 };
  const folder = await ChangedMany.start(short ? SHORT_JOBS : JOBS);
  try {
    for (let n = 0; n < most; n += 1) found[(await folder.killAt(random())) ? 'all' : 'none'] += 1;
  } finally {
    await folder.stop();
  }
  return [
    `${most} kills while ${folder.count} waiting jobs were canceled, put into a night or taken out: ${found.all} times it was done for all of them, ${found.none} times for none`,
    'an answered one was done, nothing was sent',
  ];
}

/** One data folder over several lifetimes of the program. */
class ChangedMany {
  readonly count: number;
  private host: Host;
  private ids: string[] = [];
  private next = 0;
  /** The measured duration of a change; the first value is a guess. */
  private usualMs = 500;

  private constructor(host: Host, count: number) {
    this.host = host;
    this.count = count;
  }

  static async start(count: number): Promise<ChangedMany> {
    const host = await startHost();
    await host.ask('queue.pause');
    await host.ask('night.plan', { start: '00:00', end: '23:59', date: '2099-01-01', capNano: 10 ** 15 });
    return new ChangedMany(host, count);
  }

  /** Kills the program at this share of the next change and restarts it. Returns whether the change applies. */
  async killAt(share: number): Promise<boolean> {
    const change = CHANGES[++this.next % CHANGES.length] ?? 'cancel';
    await this.prepare(change);
    const start = performance.now();
    const answered = this.ask(change).then(
      () => true,
      (error: unknown) => {
        if (!isHostGone(error)) throw error;
        return false;
      },
    );
    await Promise.race([answered, wait(share * this.usualMs)]);
    const isAnswered = await Promise.race([answered, Promise.resolve(false)]);
    if (isAnswered) this.usualMs = performance.now() - start;
    await this.host.kill('SIGKILL');
    const wasAnswered = await answered;
    this.host = await this.host.restart();
    const done = await this.doneFor(change);
    holds(done === 0 || done === this.count, `${change}: done for ${done} of ${this.count}`);
    holds(!wasAnswered || done > 0, `${change}: it was answered and is not done`);
    await this.assertNothingSent();
    return done > 0;
  }

  /** Enqueues jobs: in the run if they are to leave it, otherwise outside. */
  private async prepare(change: Change): Promise<void> {
    const { waiting } = await this.host.ask('queue.status');
    if (waiting < this.count) this.ids = await this.enqueue();
    await this.host.ask('night.assign', { ids: this.ids, night: change === 'leaveNight' });
  }

  private async enqueue(): Promise<string[]> {
    const text = Array.from({ length: this.count }, (_, line) => `A quay at night, ${this.next}, ${line}`).join('\n');
    const { readId } = await this.host.ask('batch.read', { text, format: 'lines', defaults: { kind: 'imagine' } });
    await this.host.ask('batch.enqueue', { readId });
    const ids: string[] = [];
    for (let cursor: string | undefined; ids.length < this.count; ) {
      const filter: CallInput<'jobs.list'> = { states: ['queued', 'blocked'], limit: 500, ...(cursor && { cursor }) };
      const page = await this.host.ask('jobs.list', filter);
      ids.push(...page.jobs.map(({ id }) => id));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    return ids;
  }

  private ask(change: Change): Promise<unknown> {
    const { ids } = this;
    if (change === 'cancel') return this.host.ask('jobs.cancelMany', { ids });
    return this.host.ask('night.assign', { ids, night: change === 'tonight' });
  }

  /** The number of jobs to which the change applies. */
  private async doneFor(change: Change): Promise<number> {
    const { waiting, inNight } = await this.host.ask('jobs.chosen', { ids: this.ids });
    if (change === 'cancel') return this.count - waiting;
    holds(waiting === this.count, `${change}: ${waiting} of ${this.count} wait`);
    return change === 'tonight' ? inNight : this.count - inNight;
  }

  private async assertNothingSent(): Promise<void> {
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

function holds(isTrue: boolean, message: string): void {
  if (!isTrue) throw new Error(message);
}
