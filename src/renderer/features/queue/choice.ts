import type { JobFilter } from '../../../shared/lists.ts';

/** Which jobs of the queue are chosen: listed ones, or all that a filter matches but some. A rule stays short, however many jobs it means. */
export interface Choice {
  ids: ReadonlySet<string>;
  all?: { filter: JobFilter; except: ReadonlySet<string>; total: number } | undefined;
}

export const NOTHING_CHOSEN: Choice = { ids: new Set() };

export const only = (id: string): Choice => ({ ids: new Set([id]) });

export const isChosen = ({ ids, all }: Choice, id: string): boolean => (all ? !all.except.has(id) : ids.has(id));

/** How many are chosen; what came since a rule was made is counted by the studio. */
export const chosenCount = ({ ids, all }: Choice): number => (all ? all.total - all.except.size : ids.size);

export function toggled(choice: Choice, id: string): Choice {
  const { ids, all } = choice;
  const flip = (set: ReadonlySet<string>) =>
    new Set(set.has(id) ? [...set].filter((other) => other !== id) : [...set, id]);
  return all ? { ids, all: { ...all, except: flip(all.except) } } : { ids: flip(ids) };
}

export const withAlso = (choice: Choice, ids: readonly string[]): Choice =>
  choice.all ? choice : { ids: new Set([...choice.ids, ...ids]) };

/** As a call about many jobs names them. */
export function chosenInput({ ids, all }: Choice): { ids: string[] } | { filter: JobFilter; except?: string[] } {
  if (!all) return { ids: [...ids] };
  return { filter: all.filter, ...(all.except.size > 0 ? { except: [...all.except] } : {}) };
}
