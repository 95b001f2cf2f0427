import { useRef } from 'react';

/** Structural sharing: `now`, with each deeply equal part taken from `before`, so that memoized components skip it. For plain data. */
export function withSharedParts<T>(before: T, now: T): T {
  if (before === now || !isData(before) || !isData(now) || Array.isArray(before) !== Array.isArray(now)) return now;
  const [old, parts] = [before as Parts, now as Parts];
  const names = Object.keys(parts);
  let isEqual = names.length === Object.keys(old).length;
  const shared: Parts = Array.isArray(now) ? ([] as unknown as Parts) : {};
  for (const name of names) {
    shared[name] = withSharedParts(old[name], parts[name]);
    isEqual &&= shared[name] === old[name] && name in old;
  }
  return isEqual ? before : (shared as T);
}

type Parts = Record<string, unknown>;

const isData = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype);

/** Shares the structure of a value with that of the last render. */
export function useSharedParts<T>(now: T): T {
  const last = useRef(now);
  last.current = withSharedParts(last.current, now);
  return last.current;
}
