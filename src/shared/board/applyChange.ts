import { type BoardContent, type BoardSettings, type Shot, takesOf, wideOf } from './board.ts';
import {
  asIdentified,
  changedFields,
  type FieldChange,
  type Identified,
  isRecord,
  isSame,
  keysOf,
} from './boardChanges.ts';

/** A change of a board: its content before and after. Swapped, it undoes itself. */
export interface BoardChange {
  from: BoardContent;
  to: BoardContent;
}

export interface ShotsChange {
  from: readonly Shot[];
  to: readonly Shot[];
}

/** Undo removes nothing that was paid for; redo repeats what the user did. */
export type Direction = 'undo' | 'redo';

/**
 * Applies a change to the current board, which may have been edited since: only what the change touched is changed. A shot with takes that
 * the change does not know stays, and undo removes no take. `removed`: the removed shots as stored, with takes finished since.
 */
export function applyChange(
  now: BoardContent,
  { from, to }: BoardChange,
  direction: Direction,
  removed: ReadonlyMap<string, Shot>,
): BoardContent {
  const wide = applyWide(wideOf(now), { from: wideOf(from), to: wideOf(to) });
  return { ...wide, shots: applyToShots(now.shots, { from: from.shots, to: to.shots }, direction, removed) };
}

function applyToShots(
  now: readonly Shot[],
  { from, to }: ShotsChange,
  direction: Direction,
  removed: ReadonlyMap<string, Shot>,
): Shot[] {
  const before = byId(from);
  const after = byId(to);
  const kept = now.filter((shot) => {
    const old = before.get(shot.id);
    return !old || after.has(shot.id) || !canRemove(shot, old, direction);
  });
  const patched = kept.map((shot) => {
    const [old, next] = [before.get(shot.id), after.get(shot.id)];
    return old && next ? patchShot(shot, old, next, direction) : shot;
  });
  const here = new Set(patched.map(({ id }) => id));
  const back = to.filter(({ id }) => !before.has(id) && !here.has(id));
  const all = back.reduce<Shot[]>((shots, shot) => insertInOrder(shots, removed.get(shot.id) ?? shot, to), patched);
  return applyOrder(all, from, to);
}

function canRemove(shot: Shot, old: Shot, direction: Direction): boolean {
  if (direction === 'undo') return takesOf(shot).length === 0;
  const known = new Set(takesOf(old));
  return takesOf(shot).every((take) => known.has(take));
}

function patchShot(shot: Shot, old: Shot, next: Shot, direction: Direction): Shot {
  const fields = changedFields(old, next);
  return withTakes(fields.reduce(withField, shot), old, next, direction);
}

function withField(shot: Shot, { path: [field, inner], after }: FieldChange): Shot {
  const holder = (inner === undefined ? shot : shot[field as 'config']) as Record<string, unknown>;
  const { [inner ?? field]: _, ...rest } = holder;
  const changedHolder = after === undefined ? rest : { ...rest, [inner ?? field]: after };
  return (inner === undefined ? changedHolder : { ...shot, [field]: changedHolder }) as Shot;
}

/** Takes that the change restored come back; takes that it removed become removed takes, on redo only. */
function withTakes(shot: Shot, old: Shot, next: Shot, direction: Direction): Shot {
  const has = (takes: readonly string[]) => new Set(takes);
  const [was, is, now] = [has(old.takes), has(next.takes), has(shot.takes)];
  const back = next.takes.filter((take) => !was.has(take) && !now.has(take));
  const out = direction === 'redo' ? shot.takes.filter((take) => was.has(take) && !is.has(take)) : [];
  if (back.length + out.length === 0) return shot;
  const order = [...next.takes, ...shot.takes.filter((take) => !is.has(take))];
  const takes = order.filter((take) => (now.has(take) || back.includes(take)) && !out.includes(take));
  const aside = [...(shot.removedTakes ?? []), ...out].filter((take) => !takes.includes(take));
  return withRemovedTakes({ ...shot, takes }, aside);
}

/** The shot with these removed takes; the field is omitted if there are none. */
export function withRemovedTakes({ removedTakes: _, ...shot }: Shot, aside: readonly string[]): Shot {
  return aside.length === 0 ? shot : { ...shot, removedTakes: [...new Set(aside)] };
}

export interface WideChange {
  from: BoardSettings;
  to: BoardSettings;
}

/** Nothing is stored for an empty list or object. */
export const withoutEmpty = (wide: BoardSettings): BoardSettings =>
  Object.fromEntries(Object.entries(wide).filter(([, value]) => Object.keys(value ?? {}).length > 0));

const applyWide = (now: BoardSettings, { from, to }: WideChange): BoardSettings =>
  withoutEmpty(patched(now, from, to) as BoardSettings);

function patched(now: unknown, from: unknown, to: unknown): unknown {
  if (isSame(from, to)) return now;
  const lists = asIdentified(now, from, to);
  if (lists) return patchedList(...lists);
  // Removed since; a change within it does not bring it back.
  if (now === undefined && from !== undefined) return now;
  if (!isRecord(now) || !isRecord(from) || !isRecord(to)) return to;
  const entries = keysOf(now, to).map((key) => [key, patched(now[key], from[key], to[key])]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function patchedList(now: Identified[], from: Identified[], to: Identified[]): Identified[] {
  const [before, after, here] = [byId(from), byId(to), byId(now)];
  const kept = now
    .filter(({ id }) => after.has(id) || !before.has(id))
    .map((one) => (before.has(one.id) ? (patched(one, before.get(one.id), after.get(one.id)) as Identified) : one));
  const back = to.filter(({ id }) => !before.has(id) && !here.has(id));
  const all = back.reduce((list, one) => insertInOrder(list, one, to), kept);
  return applyOrder(all, from, to);
}

const byId = <T extends Identified>(list: readonly T[]): Map<string, T> => new Map(list.map((one) => [one.id, one]));

/** Inserts a thing after the nearest one that precedes it in `order`, or first. */
function insertInOrder<T extends Identified>(list: readonly T[], one: T, order: readonly Identified[]): T[] {
  const ids = order.map(({ id }) => id);
  const earlier = new Set(ids.slice(0, ids.indexOf(one.id)));
  const at = list.findLastIndex(({ id }) => earlier.has(id)) + 1;
  return [...list.slice(0, at), one, ...list.slice(at)];
}

/** If the change moved things, sorts the ones it knows into its order, within the positions they occupy together. */
function applyOrder<T extends Identified>(
  list: readonly T[],
  from: readonly Identified[],
  to: readonly Identified[],
): T[] {
  if (sameOrder(from, to)) return [...list];
  const place = new Map(to.map(({ id }, index) => [id, index]));
  const known = list.filter(({ id }) => place.has(id));
  const sorted = known.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
  return list.map((one) => (place.has(one.id) ? (sorted.shift() ?? one) : one));
}

/** Whether the things that are in both lists are in the same order in both. */
export function sameOrder(from: readonly Identified[], to: readonly Identified[]): boolean {
  return common(from, to).join('\n') === common(to, from).join('\n');
}

const common = (list: readonly Identified[], others: readonly Identified[]): string[] => {
  const ids = byId(others);
  return list.map(({ id }) => id).filter((id) => ids.has(id));
};
