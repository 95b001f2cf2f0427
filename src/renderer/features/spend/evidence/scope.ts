import { navigate, useRoute } from '../../../app/index.ts';
import { monthName } from '../figures.ts';

/** What is disputed, by the address of the page: a job, its night and its month, of which one is shown. */

export type ScopeKind = 'job' | 'night' | 'month';
const KINDS: readonly ScopeKind[] = ['job', 'night', 'month'];

export interface ShownScope {
  kind: ScopeKind;
  value: string;
  /** All that the address names, in this order. */
  all: { kind: ScopeKind; value: string }[];
  /** Of a night or a month: a letter goes to one gateway. */
  gateway?: string;
}

export function useScope(): ShownScope | undefined {
  const { params } = useRoute();
  const all = KINDS.flatMap((kind) => {
    const value = params.get(kind);
    return value === null || value === '' ? [] : [{ kind, value }];
  });
  const shown = all.find(({ kind }) => kind === params.get('show')) ?? all[0];
  const gateway = params.get('gateway');
  return shown && { ...shown, all, ...(gateway ? { gateway } : {}) };
}

/** What is asked of the studio for it. */
export function inputOf({ kind, value, gateway }: Pick<ShownScope, 'kind' | 'value' | 'gateway'>) {
  if (kind === 'job') return { jobIds: [value] };
  return { ...(kind === 'night' ? { nightId: value } : { month: value }), ...(gateway ? { profileId: gateway } : {}) };
}

/** Shows another part of what the address names, or the same at another gateway. */
export function showScope({ all, kind, gateway }: ShownScope, change: { kind: ScopeKind } | { gateway: string }): void {
  const named = Object.fromEntries(all.map((one) => [one.kind, one.value]));
  navigate('spend', { ...named, show: kind, ...(gateway ? { gateway } : {}), ...shownAs(change) }, 'evidence');
}

const shownAs = (change: { kind: ScopeKind } | { gateway: string }): Record<string, string> =>
  'kind' in change ? { show: change.kind } : change;

/** `December 2026` */
export const nameOfMonth = (month: string): string => monthName.format(new Date(`${month}-15T12:00`));
