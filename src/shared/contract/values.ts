type WithoutNulls<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** The object without empty fields. A plain loop: lists have thousands of them. */
export function withoutNulls<T extends object>(fields: T): WithoutNulls<T> {
  const kept: WithoutNulls<T> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== null && value !== undefined) kept[name] = value as NonNullable<T[typeof name]>;
  }
  return kept;
}

/** JSON with sorted fields: equal text for equal values (RFC 8785, for values that came from JSON). */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, withSortedFields);

const withSortedFields = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** The list without repetitions; the first entry of each key stays. */
export function uniqueBy<T>(list: readonly T[], keyOf: (entry: T) => string): T[] {
  const seen = new Set<string>();
  return list.filter((entry) => {
    const key = keyOf(entry);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
