import { create } from 'zustand';
import type { ModelDependent } from '../../../../shared/modelCalls.ts';

/** A kept take, extended by a model. */
const nameOf = (model: string, { projectId, shotId, jobId, output }: ModelDependent): string =>
  JSON.stringify([model, projectId, shotId, jobId, output]);

/**
 * The extensions that were ordered together, and those that are being ordered. Not in the dialog: that may be left while they are ordered, and
 * the next one would order, and pay for, the same once more.
 */
export const useOrdered = create<{ names: ReadonlySet<string> }>()(() => ({ names: new Set() }));

/** Before the first of them is sent. */
export function markOrdered(model: string, shots: readonly ModelDependent[]): void {
  const taken = shots.map((shot) => nameOf(model, shot));
  useOrdered.setState(({ names }) => ({ names: new Set([...names, ...taken]) }));
}

/** These were not ordered after all, as far as is known. */
export function unmarkOrdered(model: string, shots: readonly ModelDependent[]): void {
  const back = new Set(shots.map((shot) => nameOf(model, shot)));
  useOrdered.setState(({ names }) => ({ names: new Set([...names].filter((name) => !back.has(name))) }));
}

/** Those that are left to be ordered. */
export function notOrdered(
  model: string,
  shots: readonly ModelDependent[],
  { names } = useOrdered.getState(),
): ModelDependent[] {
  return shots.filter((shot) => !names.has(nameOf(model, shot)));
}

export const useNotOrdered = (model: string, shots: readonly ModelDependent[]): ModelDependent[] =>
  notOrdered(model, shots, useOrdered());
