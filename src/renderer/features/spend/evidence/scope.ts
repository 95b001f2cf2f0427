import { useRoute } from '../../../app/index.ts';

/** What is disputed, by the address of the page: a job, its night and its month, of which one is shown. */

export type ScopeKind = 'job' | 'night' | 'month';
const KINDS: readonly ScopeKind[] = ['job', 'night', 'month'];

export interface ShownScope {
  kind: ScopeKind;
  value: string;
  /** All that the address names, in this order. */
  all: { kind: ScopeKind; value: string }[];
}

export function useScope(): ShownScope | undefined {
  const { params } = useRoute();
  const all = KINDS.flatMap((kind) => {
    const value = params.get(kind);
    return value === null || value === '' ? [] : [{ kind, value }];
  });
  const shown = all.find(({ kind }) => kind === params.get('show')) ?? all[0];
  return shown && { ...shown, all };
}

/** What is asked of the studio for it. */
export function inputOf({ kind, value }: Pick<ShownScope, 'kind' | 'value'>) {
  if (kind === 'job') return { jobIds: [value] };
  return kind === 'night' ? { nightId: value } : { month: value };
}

const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' });

/** `December 2026` */
export const nameOfMonth = (month: string): string => monthName.format(new Date(`${month}-15T12:00`));
