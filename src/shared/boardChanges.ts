import type { Shot } from './board.ts';

/** A difference of a shot between two states of a board. */

export interface FieldChange {
  /** The field, or within `config` the setting. */
  path: [field: string, setting?: string];
  after: unknown;
}

/** Fields that are not edited by hand: the list of takes has its own rules. */
const APART = new Set(['id', 'takes', 'removedTakes', 'config']);

/** The edited fields of a shot with their new values; `undefined` if removed. */
export function changedFields(before: Shot, after: Shot): FieldChange[] {
  if (before === after) return [];
  const fields = changedKeys(before, after).filter(({ path: [field] }) => !APART.has(field));
  const settings = changedKeys(before.config, after.config);
  return [...fields, ...settings.map(({ path: [name], after }): FieldChange => ({ path: ['config', name], after }))];
}

function changedKeys(before: object, after: object): FieldChange[] {
  const [old, next] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const names = new Set([...Object.keys(old), ...Object.keys(next)]);
  return [...names]
    .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(next[name]))
    .map((name) => ({ path: [name], after: next[name] }));
}

/**
 * The field and shot, if two states of a board differ in only one; edits of the same one are one step. The playing take and its candidate
 * count as one field.
 */
export function oneFieldOf(before: readonly Shot[], after: readonly Shot[]): string | undefined {
  if (before.length !== after.length) return undefined;
  const edited: string[] = [];
  for (const [index, shot] of after.entries()) {
    const old = before[index];
    if (!old || old.id !== shot.id) return undefined;
    if (old === shot) continue;
    if (JSON.stringify([old.takes, old.removedTakes]) !== JSON.stringify([shot.takes, shot.removedTakes]))
      return undefined;
    const names = changedFields(old, shot).map(({ path }) => path.join('.').replace('activeOutput', 'activeTake'));
    edited.push(...new Set(names.map((name) => `${shot.id} ${name}`)));
  }
  return edited.length === 1 ? edited[0] : undefined;
}
