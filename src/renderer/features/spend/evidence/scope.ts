import { useRoute } from '../../../app/index.ts';

/** The subject of a dispute, from the address of the page: a job, a run or a month. */
const KINDS = ['job', 'night', 'month'] as const;

export interface ShownScope {
  kind: (typeof KINDS)[number];
  value: string;
  /** For a run or a month, since a letter goes to one gateway. */
  gateway?: string;
}

export function useScope(): ShownScope | undefined {
  const { params } = useRoute();
  const kind = KINDS.find((one) => params.get(one));
  const gateway = params.get('gateway');
  return kind && { kind, value: params.get(kind) ?? '', ...(gateway ? { gateway } : {}) };
}

/** The call's input for a scope. */
export function inputOf({ kind, value, gateway }: ShownScope) {
  if (kind === 'job') return { jobIds: [value] };
  return { ...(kind === 'night' ? { nightId: value } : { month: value }), ...(gateway ? { profileId: gateway } : {}) };
}
