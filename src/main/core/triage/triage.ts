import type { CallParsed, HandlersOf } from '../../../shared/contract/contract.ts';
import { ok, type Result } from '../../../shared/contract/result.ts';
import type { MeasuredFile } from '../../../shared/film/measures.ts';
import { type Job, resultsOf } from '../../../shared/jobs/job.ts';
import type { TriagePage } from '../../../shared/triage/calls.ts';
import {
  type ChangedTriageLimits,
  changedLimits,
  type TriageLimits,
  triageLimitsOf,
} from '../../../shared/triage/limits.ts';
import { type ClipResult, isClip, startFrameOf, takeOf } from '../../../shared/triage/take.ts';
import type { CoreEvents } from '../coreEvents.ts';
import type { MadeJobs } from '../jobs/index.ts';

export interface TriageDeps {
  jobs: {
    get(id: string): Result<Job>;
    made(which: MadeJobs): { jobs: Job[]; nextCursor?: string; lastEndedAt?: number };
  };
  /** Measures by content hash; missing ones are taken from then on. */
  measures(sha256s: readonly string[]): Record<string, MeasuredFile>;
  /** The run with that id, or the newest that has begun. */
  night(runId: string | undefined): Result<{ id: string; number: number }>;
  /** The project's changed limits. */
  limitsOf(projectId: string): ChangedTriageLimits | undefined;
  setLimits(projectId: string, limits: ChangedTriageLimits): Result<unknown>;
  events: Pick<CoreEvents, 'on'>;
}

/** Findings about new takes, by the limits of their projects. Verdicts stay unchanged. */
export class Triage {
  private readonly deps: TriageDeps;

  constructor(deps: TriageDeps) {
    this.deps = deps;
    deps.events.on('results.recorded', (jobId) => this.measureOfNight(jobId));
    deps.events.on('output.settled', (jobId) => this.measureOfNight(jobId));
  }

  handlers(): HandlersOf<'triage'> {
    return {
      'triage.list': (input) => this.list(input),
      'triage.setLimits': (input) => this.setLimits(input),
    };
  }

  list({ runId, since, cursor }: CallParsed<'triage.list'>): Result<TriagePage> {
    const night = since === undefined ? this.deps.night(runId) : undefined;
    if (night && !night.ok) return night;
    const { jobs, ...page } = this.deps.jobs.made({
      ...(night ? { runId: night.data.id } : { since: since ?? 0 }),
      cursor,
    });
    const results = jobs.flatMap((job) => resultsOf(job).map((asset, output): ClipResult => ({ job, asset, output })));
    const clips = results.filter(isClip);
    const files = this.deps.measures([...new Set(clips.flatMap(hashesOf))]);
    const limits = new Map<string, { limits: TriageLimits; changed: ChangedTriageLimits }>();
    const limitsOf = (projectId: string) => {
      const known = limits.get(projectId) ?? this.limitsOf(projectId);
      limits.set(projectId, known);
      return known.limits;
    };
    const takes = clips.map((clip) => takeOf(clip, files, limitsOf(clip.job.projectId ?? '')));
    return ok({
      ...page,
      ...(night ? { run: { id: night.data.id, number: night.data.number } } : {}),
      takes,
      others: results.length - clips.length,
      limits: Object.fromEntries(limits),
    });
  }

  setLimits({ projectId, limits }: CallParsed<'triage.setLimits'>): Result<{ limits: TriageLimits }> {
    const saved = this.deps.setLimits(projectId, changedLimits(limits));
    return saved.ok ? ok({ limits: this.limitsOf(projectId).limits }) : saved;
  }

  private limitsOf(projectId: string): { limits: TriageLimits; changed: ChangedTriageLimits } {
    const changed = projectId === '' ? undefined : this.deps.limitsOf(projectId);
    return { limits: triageLimitsOf(changed), changed: changed ?? {} };
  }

  /** Takes of an overnight run are measured as they arrive, so that they can be reviewed in the morning at once. */
  private measureOfNight(jobId: string): void {
    const job = this.deps.jobs.get(jobId);
    if (!job.ok || job.data.runId === undefined) return;
    const results = resultsOf(job.data).map((asset, output): ClipResult => ({ job: job.data, asset, output }));
    const hashes = results.filter(isClip).flatMap(hashesOf);
    if (hashes.length > 0) this.deps.measures(hashes);
  }
}

const hashesOf = ({ job, asset }: ClipResult): string[] => {
  const given = startFrameOf(job)?.sha256;
  return asset.state === 'local' ? [asset.sha256, ...(given === undefined ? [] : [given])] : [];
};
