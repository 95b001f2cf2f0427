import type { Json } from './jsonValue.ts';

/** Bounds on how much of an answer is looked through, whatever was sent. */

/**
 * The value with at most so many values in it. Of a list the first entries, each whole; of anything else the outer values first: what an
 * answer says of itself stands at its outside, and what fills it stands further in.
 */
export function outermost(value: Json, most: number): Json {
  if (!Array.isArray(value)) return outerLevels(value, most);
  let left = most;
  const entries: Json[] = [];
  for (const entry of value) {
    const count = valuesIn(entry, left);
    entries.push(count < left ? entry : outerLevels(entry, left));
    left -= count;
    if (left <= 0) break;
  }
  return entries;
}

function outerLevels(value: Json, most: number): Json {
  const root: Json[] = [];
  const queue: { from: Json[] | { [name: string]: Json }; to: Json }[] = [];
  let left = most;
  const copyOf = (inner: Json): Json => {
    left -= 1;
    if (typeof inner !== 'object' || inner === null) return inner;
    const to: Json = Array.isArray(inner) ? [] : {};
    queue.push({ from: inner, to });
    return to;
  };
  root.push(copyOf(value));
  for (let at = 0; at < queue.length && left > 0; at += 1) {
    const { from, to } = queue[at] ?? {};
    if (Array.isArray(from)) for (const inner of from.slice(0, left)) (to as Json[]).push(copyOf(inner));
    else fill(from ?? {}, to as { [name: string]: Json });
  }
  return root[0] ?? null;

  function fill(from: { [name: string]: Json }, to: { [name: string]: Json }): void {
    for (const name in from) {
      if (left <= 0) return;
      // Defined, not assigned: a field may be called `__proto__`.
      Object.defineProperty(to, name, {
        value: copyOf(from[name] ?? null),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
}

/** How many values stand in this one, itself among them; counted no further than `most`. */
export function valuesIn(value: Json, most: number): number {
  const rest: Json[] = [value];
  let count = 0;
  for (let node = rest.pop(); node !== undefined && count < most; node = rest.pop()) {
    count += 1;
    if (typeof node !== 'object' || node === null) continue;
    for (const name in node) {
      rest.push((node as { [name: string]: Json })[name] ?? null);
      if (count + rest.length >= most) break;
    }
  }
  return Math.min(most, count + rest.length);
}

const MOST_TOGETHER = 12_000;

/** Of a row of documents as many as can be looked through, from the beginning. */
export function fewOf(documents: readonly Json[]): Json[] {
  let left = MOST_TOGETHER;
  return documents.filter((document, at) => {
    if (left > 0) left -= valuesIn(document, left);
    return left > 0 || at === 0;
  });
}

/** The first and the last of a row of documents that has no end: the first name the task, the last say how it stands. */
export interface DocumentKeeper {
  add(document: Json): void;
  latestFirst(): Json[];
}

export function createDocumentKeeper(): DocumentKeeper {
  const first: Json[] = [];
  const last: { document: Json; values: number }[] = [];
  let room = MOST_TOGETHER / 4;
  let held = 0;
  let gone = 0;
  return {
    add(document) {
      const values = valuesIn(document, MOST_TOGETHER);
      if (room > 0) {
        first.push(document);
        room -= values;
        return;
      }
      last.push({ document, values });
      held += values;
      for (; held > MOST_TOGETHER / 2 && gone < last.length - 1; gone += 1) held -= last[gone]?.values ?? 0;
      if (gone > 1_000) {
        last.splice(0, gone);
        gone = 0;
      }
    },
    latestFirst: () => [...first, ...last.slice(gone).map(({ document }) => document)].reverse(),
  };
}
