import type { BillJob } from './billJobs.ts';
import type { BillLine } from './readBill.ts';

export type By = 'id' | 'key' | 'near' | 'user';

export interface Assigned {
  job: BillJob;
  by: By;
}

export const JOBS_PER_TURN = 5_000;
/** No line is compared with more jobs than this: where more ran within minutes, none is the only one. */
export const MAX_COMPARED = 2_000;

/** Lines that name no model, and those of a model that no job names. */
const UNNAMED = '';
const UNKNOWN = '\n';

/** By their ids and names, and by when they ran. */
export class JobIndex {
  readonly byId = new Map<string, BillJob>();
  /** Where ids of the bill are task ids, one that no job has belongs to none whose task is known; elsewhere they number its lines. */
  areTasks = false;
  private readonly byTask = new Map<string, BillJob>();
  private readonly byName = new Map<string, BillJob>();
  /** Models that jobs name. */
  private readonly models = new Set<string>();
  /** In the order in which they were sent. */
  private readonly jobs: readonly BillJob[];
  /** A tree over them: at `leaves + n` when the nth ended, and at `n` the later of what stands at `2n` and `2n + 1`. */
  private readonly ends: Float64Array;
  private readonly leaves: number;

  private constructor(jobs: readonly BillJob[]) {
    this.jobs = jobs;
    this.leaves = 2 ** Math.ceil(Math.log2(jobs.length + 1));
    this.ends = new Float64Array(2 * this.leaves).fill(Number.NEGATIVE_INFINITY);
  }

  /** Generates between slices of the work. */
  static *of(jobs: readonly BillJob[]): Generator<void, JobIndex> {
    const index = new JobIndex(jobs);
    for (const [at, job] of jobs.entries()) {
      if (at % JOBS_PER_TURN === JOBS_PER_TURN - 1) yield;
      index.add(job);
      index.ends[index.leaves + at] = job.endedAt;
    }
    index.raiseEnds();
    return index;
  }

  private add(job: BillJob): void {
    this.byId.set(job.id, job);
    for (const id of namesOf(...job.ids)) setOnce(this.byTask, id, job);
    for (const name of job.names) setOnce(this.byName, name, job);
    if (job.model !== null) this.models.add(job.model);
  }

  private raiseEnds(): void {
    const { ends, leaves } = this;
    for (let at = leaves - 1; at > 0; at -= 1) ends[at] = Math.max(ends[2 * at] as number, ends[2 * at + 1] as number);
  }

  /** By what it states, not by what fits. */
  named({ remoteId, requestKey }: Pick<BillLine, 'remoteId' | 'requestKey'>): Assigned | undefined {
    const stated = [remoteId, requestKey].filter((name) => name !== '');
    const task = namesOf(...stated)
      .map((id) => this.byTask.get(id))
      .find((job) => job !== undefined);
    if (task) return { job: task, by: 'id' };
    const named = stated.map((name) => this.byName.get(name)).find((job) => job !== undefined);
    return named && { job: named, by: 'key' };
  }

  /**
   * Jobs of any model that ran within this time of the line, in the order in which they were sent; where there are more than are compared, one
   * more than that. No others are looked at.
   */
  *near({ at, spanMs }: Pick<BillLine, 'at' | 'spanMs'>, withinMs: number): Generator<BillJob, void> {
    let place = -1;
    for (let count = 0; count <= MAX_COMPARED; count += 1) {
      place = this.endedSince(at - withinMs, place + 1);
      const job = this.jobs[place];
      if (!job || job.sentAt > at + spanMs + withinMs) return;
      yield job;
    }
  }

  /** A job without a model is of any that no other job names: pictures are ordered without one. */
  isModelOf({ model }: Pick<BillLine, 'model'>, job: BillJob): boolean {
    if (model === '') return true;
    return job.model === null ? model === job.kind || !this.models.has(model) : job.model === model;
  }

  /** What lines are looked up by: one is of a job's model where its group is one of the job's. */
  modelGroupOf({ model }: Pick<BillLine, 'model'>): string {
    if (model === '') return UNNAMED;
    return this.models.has(model) ? model : UNKNOWN;
  }

  modelGroupsOf({ model, kind }: BillJob): string[] {
    if (model !== null) return [UNNAMED, model];
    return [UNNAMED, UNKNOWN, ...(this.models.has(kind) ? [kind] : [])];
  }

  /** The place, from this one on, of the first job that ended no earlier; the number of jobs, or more, if none did. */
  private endedSince(time: number, from: number): number {
    const { ends, leaves } = this;
    if (from >= leaves) return leaves;
    const isEarlier = (node: number): boolean => (ends[node] as number) < time;
    let node = leaves + from;
    while (isEarlier(node)) {
      // All below it are over before: on with what is to the right of it.
      while (node % 2 === 1) node = (node - 1) / 2;
      if (node === 0) return leaves;
      node += 1;
    }
    while (node < leaves) node = isEarlier(2 * node) ? 2 * node + 1 : 2 * node;
    return node - leaves;
  }
}

function setOnce(map: Map<string, BillJob>, name: string, job: BillJob): void {
  if (name !== '' && !map.has(name)) map.set(name, job);
}

/** `operations/abc` and `abc` are one. */
const lastPart = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

/** Each name, and its last part. */
export const namesOf = (...stated: readonly string[]): string[] =>
  [...stated, ...stated.map(lastPart)].filter((name) => name !== '');
