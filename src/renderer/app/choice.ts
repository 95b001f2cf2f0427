/** The selection in a list: listed items, or all that match a filter except some. The rule stays short, however many items it covers. */
export interface Choice<Filter> {
  ids: ReadonlySet<string>;
  all?: { filter: Filter; except: ReadonlySet<string>; total: number } | undefined;
}

export const NOTHING_CHOSEN: Choice<never> = { ids: new Set() };

export const only = (id: string): Choice<never> => ({ ids: new Set([id]) });

export const isChosen = ({ ids, all }: Choice<unknown>, id: string): boolean =>
  all ? !all.except.has(id) : ids.has(id);

/** The number of selected items; the studio counts those that came after the rule was made. */
export const chosenCount = ({ ids, all }: Choice<unknown>): number => (all ? all.total - all.except.size : ids.size);

/** The id, if exactly one listed item is selected. */
export const onlyChosen = ({ ids, all }: Choice<unknown>): string | undefined =>
  all === undefined && ids.size === 1 ? [...ids][0] : undefined;

export function toggled<Filter>(choice: Choice<Filter>, id: string): Choice<Filter> {
  const { ids, all } = choice;
  const flip = (set: ReadonlySet<string>) =>
    new Set(set.has(id) ? [...set].filter((other) => other !== id) : [...set, id]);
  return all ? { ids, all: { ...all, except: flip(all.except) } } : { ids: flip(ids) };
}

/** The selection as the input of a call about many items. */
export function chosenInput<Filter>({
  ids,
  all,
}: Choice<Filter>): { ids: string[] } | { filter: Filter; except?: string[] } {
  if (!all) return { ids: [...ids] };
  return { filter: all.filter, ...(all.except.size > 0 ? { except: [...all.except] } : {}) };
}
