import { type BoardContent, type Shot, wideOf } from './board.ts';

export interface FieldChange {
  /** The field; within `config`, with its setting. */
  path: [field: string, setting?: string];
  after: unknown;
}

/** Not edited by hand, or compared by rules of their own. */
const APART = new Set(['id', 'takes', 'removedTakes', 'meanwhile', 'config']);

/** The edited fields of a shot with their new values; `undefined` if removed. */
export function changedFields(before: Shot, after: Shot): FieldChange[] {
  if (before === after) return [];
  const fields = changedKeys(before, after).filter(({ path: [field] }) => !APART.has(field));
  const settings = changedKeys(before.config, after.config);
  return [...fields, ...settings.map(({ path: [name], after }): FieldChange => ({ path: ['config', name], after }))];
}

function changedKeys(before: object, after: object): FieldChange[] {
  const [old, next] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return keysOf(old, next)
    .filter((name) => !isSame(old[name], next[name]))
    .map((name) => ({ path: [name], after: next[name] }));
}

export const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

export const keysOf = (a: object, b: object): string[] => [...new Set([...Object.keys(a), ...Object.keys(b)])];

/**
 * The field, if the two states differ in only one field of one shot or thing: edits of the same field are one step. The active take and its
 * variation count as one field.
 */
export function oneFieldOf(before: BoardContent, after: BoardContent): string | undefined {
  const edited = fieldsOf(before, after);
  return edited?.size === 1 ? [...edited][0] : undefined;
}

/** The fields that differ; undefined if shots, takes or things of the board were added, removed or moved. */
export function fieldsOf(before: BoardContent, after: BoardContent): ReadonlySet<string> | undefined {
  const shots = editedOfShots(before.shots, after.shots);
  const wide = editedOf(wideOf(before), wideOf(after), 'board');
  return shots && wide && new Set([...shots, ...wide]);
}

/** The later state with the shots, takes and things of the earlier one, in its order: the two differ only in fields. */
export function fieldsOfThose(earlier: BoardContent, later: BoardContent): BoardContent {
  const shots = earlier.shots.map((shot): Shot => {
    const now = later.shots.find(({ id }) => id === shot.id) ?? shot;
    return { ...matched(shot, now), takes: shot.takes, removedTakes: shot.removedTakes };
  });
  return { ...matched(wideOf(earlier), wideOf(later)), shots };
}

function matched<T>(earlier: T, later: T): T;
function matched(earlier: unknown, later: unknown): unknown {
  const lists = asIdentified(earlier, later);
  if (lists) return lists[0].map((one) => matched(one, lists[1].find(({ id }) => id === one.id) ?? one));
  if (!isRecord(earlier) || !isRecord(later)) return later;
  return Object.fromEntries(keysOf(earlier, later).map((key) => [key, matched(earlier[key], later[key])]));
}

/** The edited fields by shot; undefined if shots or takes were added, removed or moved. */
function editedOfShots(before: readonly Shot[], after: readonly Shot[]): string[] | undefined {
  if (before === after) return [];
  if (before.length !== after.length) return undefined;
  const edited: string[] = [];
  for (const [index, shot] of after.entries()) {
    const old = before[index];
    if (!old || old.id !== shot.id) return undefined;
    if (old === shot) continue;
    if (!isSame([old.takes, old.removedTakes], [shot.takes, shot.removedTakes])) return undefined;
    const names = changedFields(old, shot).map(({ path }) => path.join('.').replace('activeOutput', 'activeTake'));
    const words = editedOf(old.subtitles, shot.subtitles, `${shot.id} subtitles`);
    if (!words) return undefined;
    edited.push(...names.filter((name) => name !== 'subtitles').map((name) => `${shot.id} ${name}`), ...words);
  }
  return edited;
}

/** The paths that differ within a value; undefined if things with an id were added, removed or moved. */
function editedOf(before: unknown, after: unknown, path: string): string[] | undefined {
  if (isSame(before, after)) return [];
  const lists = asIdentified(before, after);
  if (lists && lists[0].map(({ id }) => id).join('\n') !== lists[1].map(({ id }) => id).join('\n')) return undefined;
  const parts = lists
    ? lists[1].map((one, index) => editedOf(lists[0][index], one, `${path} ${one.id}`))
    : isRecord(before) && isRecord(after)
      ? keysOf(before, after).map((key) => editedOf(before[key], after[key], `${path} ${key}`))
      : [[path]];
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface Identified {
  id: string;
}

/** The values as lists of things with an id, an absent one as an empty list; undefined if one is something else or all are empty. */
export function asIdentified<T extends unknown[]>(...values: T): { [K in keyof T]: Identified[] } | undefined {
  const lists = values.map((value) => value ?? []);
  const isList = lists.every((list) => Array.isArray(list) && list.every(isIdentified));
  return isList && lists.some((list) => (list as unknown[]).length > 0)
    ? (lists as { [K in keyof T]: Identified[] })
    : undefined;
}

const isIdentified = (value: unknown): value is Identified => isRecord(value) && typeof value.id === 'string';
