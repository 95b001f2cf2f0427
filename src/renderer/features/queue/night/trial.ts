import type { StudioError } from '../../../../shared/contract/result.ts';
import type { DryRun } from '../../../../shared/jobs/night.ts';
import { t } from '../../../../shared/text/texts.ts';
import { useCall } from '../../../app/index.ts';
import { useAddedToNight } from '../../../spending/index.ts';
import { reasonsOf } from '../../../words/index.ts';
import { faultAt, type PlanFault, type planOf } from './planForm.ts';

/** A plan, tried on the jobs of the run. */
export interface Trial {
  /** The latest dry run; while `off` is set it may belong to the previous plan. */
  dry: DryRun | undefined;
  /** Why there is no dry run of this plan yet; the run cannot be scheduled meanwhile. */
  off: string | undefined;
  /** An error of the plan, by its own rules or the studio's. */
  fault: PlanFault | undefined;
  /** Why the studio could not compute it. */
  error: StudioError | undefined;
  reload: () => void;
}

export const WORKING_OUT = t`Calculating the run`;

const LINES_GONE = t`The rows are outdated. Go back and choose Schedule tonight again.`;

/** Computes what a plan would send, including added jobs. Computed again after a change of the plan or its jobs. */
export function useTrial(judged: ReturnType<typeof planOf>, debounceMs = 0): Trial {
  const plan = 'plan' in judged ? judged.plan : undefined;
  const added = useAddedToNight();
  const { data, error, stale, reload } = useCall('night.dryRun', plan ? { plan, ...(added ? { added } : {}) } : null, {
    debounceMs,
    on: ['night.changed', 'job.changed', 'ledger.changed'],
  });
  if ('error' in judged) return { dry: data, off: judged.error, fault: judged, error: undefined, reload };
  if (stale || (!data && !error)) return { dry: data, off: WORKING_OUT, fault: undefined, error: undefined, reload };
  if (error?.code === 'not_found')
    return { dry: data, off: LINES_GONE, fault: { error: LINES_GONE }, error: undefined, reload };
  const [reason] = error ? reasonsOf(error) : [];
  const fault = reason && faultAt(reason);
  return { dry: data, off: fault?.error ?? error?.message, fault, error, reload };
}
