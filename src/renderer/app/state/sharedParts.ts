import { useRef } from 'react';

/** `now` with every part of `before` that is equal, so that what shows such a part is not drawn again. Of plain data alone. */
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

/** A value that is made anew for each drawing, with the parts that are equal to those of the drawing before. */
export function useSharedParts<T>(now: T): T {
  const last = useRef(now);
  last.current = withSharedParts(last.current, now);
  return last.current;
}
