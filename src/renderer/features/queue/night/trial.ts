import type { StudioError } from '../../../../shared/contract/result.ts';
import type { DryRun } from '../../../../shared/jobs/night.ts';
import { t } from '../../../../shared/text/texts.ts';
import { useCall } from '../../../app/index.ts';
import { useAddedToNight } from '../../../spending/index.ts';
import { reasonsOf } from '../../../words/index.ts';
import { faultAt, type PlanFault, type planOf } from './planForm.ts';

/** A plan, tried on the jobs of the night. */
export interface Trial {
  /** The newest dry run; while `off` says something it may be of the plan before. */
  dry: DryRun | undefined;
  /** Why no dry run is of this plan: nothing may be armed beside it. */
  off: string | undefined;
  /** What is wrong with the plan, by its own rules or the studio's. */
  fault: PlanFault | undefined;
  /** Why the studio could not work it out. */
  error: StudioError | undefined;
  reload: () => void;
}

export const WORKING_OUT = t`Calculating the run`;

const LINES_GONE = t`The rows are outdated. Go back and choose Schedule tonight again.`;

/** Works out what a plan would send, with the order that came along, again after a change of it and of what it is about. */
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
