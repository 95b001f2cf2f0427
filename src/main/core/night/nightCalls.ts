import type { HandlersOf } from '../../../shared/contract/contract.ts';
import { ok, type Result } from '../../../shared/contract/result.ts';
import type { AddedToNight } from '../../../shared/jobs/addedToNight.ts';
import type { AddedJob } from './dryRun.ts';
import type { Night } from './night.ts';

/** `addedJobs`: reads the jobs that a dry run adds. */
export const nightCalls = (
  night: Night,
  addedJobs: (added: AddedToNight) => Result<AddedJob[]>,
): HandlersOf<'night'> => ({
  'night.get': () => ok(night.get()),
  'night.plan': (plan) => night.plan(plan),
  'night.dryRun': ({ plan, added }) => {
    const jobs = added ? addedJobs(added) : ok([]);
    return jobs.ok ? night.dryRun(plan, jobs.data) : jobs;
  },
  'night.plans': () => ok({ plans: night.plans.list() }),
  'night.savePlan': (input) => night.plans.save(input),
  'night.removePlan': ({ id }) => night.plans.remove(id),
  'night.stop': ({ runId }) => night.stop(runId),
  'night.assign': (input) => night.assign(input),
  'night.report': ({ runId, date }) => night.report(runId, date),
});
