import type { JobFilter } from '../../../shared/jobs/lists.ts';
import type { Listing, RangeEnd } from '../../app/index.ts';

/** One group of the list: running, waiting or ended jobs. Any number; only those in view are read. */
export interface Group {
  title: string;
  list: Pick<Listing, 'at' | 'indexOf' | 'isNew' | 'see' | 'total'>;
  /** The amount reserved for all of them, if known. */
  reserved?: string | undefined;
  /** Which jobs belong to it. */
  filter: JobFilter;
  /** How its jobs are sorted; by default newest first. */
  order?: 'queue';
  /** Its jobs wait in line: each shows its place; others show a time. */
  isLine?: boolean;
}

/** A line of the list: a group's heading, or a job by its index in the group. */
export type Row =
  | { type: 'group'; group: Group }
  | { type: 'job'; group: Group; index: number; id: string | undefined };

/** The number of lines of a group with its heading; an empty group has none. */
const linesOf = ({ list }: Group): number => (list.total === 0 ? 0 : list.total + 1);

export const rowCount = (groups: readonly Group[]): number => groups.reduce((sum, group) => sum + linesOf(group), 0);

export function rowAt(groups: readonly Group[], at: number): Row | undefined {
  let rest = at;
  for (const group of groups) {
    const lines = linesOf(group);
    if (rest === 0 && lines > 0) return { type: 'group', group };
    if (rest < lines) return { type: 'job', group, index: rest - 1, id: group.list.at(rest - 1)?.id };
    rest -= lines;
  }
  return undefined;
}

/** The line of a job, if that part of the list has been read. */
export function rowOf(groups: readonly Group[], id: string | undefined): number | undefined {
  let before = 0;
  for (const group of groups) {
    const index = id === undefined ? undefined : group.list.indexOf(id);
    if (index !== undefined && index < group.list.total) return before + 1 + index;
    before += linesOf(group);
  }
  return undefined;
}

interface Span {
  group: Group;
  first: RangeEnd;
  last: RangeEnd;
}

/** The part of each group between two ends, both included. An end is a line of its own, or else the end of its group. */
export function spansOf(groups: readonly Group[], first: RangeEnd, last: RangeEnd): Span[] {
  let before = 0;
  return groups.flatMap((group) => {
    const [from, to] = [first.at - before - 1, last.at - before - 1];
    const end = group.list.total - 1;
    before += linesOf(group);
    if (from > end || to < 0 || end < 0) return [];
    const begin = from < 0 ? { at: 0, id: undefined } : { at: from, id: first.id };
    return { group, first: begin, last: to > end ? { at: end, id: undefined } : { at: to, id: last.id } };
  });
}

/** The line that a key leads to, skipping headings. */
export function stepInRows(groups: readonly Group[], at: number | undefined, key: string): number | undefined {
  const count = rowCount(groups);
  const targets: Record<string, [to: number, onward: 1 | -1]> = {
    ArrowDown: [at === undefined ? 0 : at + 1, 1],
    ArrowUp: [at === undefined ? 0 : at - 1, at === undefined ? 1 : -1],
    Home: [0, 1],
    End: [count - 1, -1],
    PageDown: [Math.min(count - 1, (at ?? 0) + 10), 1],
    PageUp: [Math.max(0, (at ?? 0) - 10), -1],
  };
  const target = targets[key];
  if (!target) return undefined;
  const [to, onward] = target;
  const isJob = (row: number) => rowAt(groups, row)?.type === 'job';
  if (isJob(to)) return to;
  if (isJob(to + onward)) return to + onward;
  // There is no job above the first heading, so the selection stays.
  return to < 0 || isJob(to + 1) ? at : undefined;
}

/** The visible range of each group, as the first line and the one after the last; groups out of view are left out. */
export function viewsOf(groups: readonly Group[], from: number, to: number): Map<Group, [from: number, to: number]> {
  const views = new Map<Group, [number, number]>();
  let before = 0;
  for (const group of groups) {
    const first = Math.max(0, from - before - 1);
    const end = Math.min(group.list.total, to - before - 1);
    views.set(group, end > first ? [first, end] : [0, 0]);
    before += linesOf(group);
  }
  return views;
}
