import type { Shot } from './board.ts';

/** What of a shot differs between two states of a board. */

export interface FieldChange {
  /** The field, and within `config` the setting. */
  path: [field: string, setting?: string];
  after: unknown;
}

/** Not fields that a person edits: which takes there are follows rules of its own. */
const APART = new Set(['id', 'takes', 'removedTakes', 'config']);

/** Which fields of a shot were edited, each with its new value; `undefined` where it is gone. */
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
 * Where two states of a board differ in one field of one shot, that field and shot; edits of the same one are one step. The take that
 * plays and its candidate are one.
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
