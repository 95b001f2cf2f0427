/** JSON with sorted fields: the same text for the same fields in any order (RFC 8785, for values that came from JSON). */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, withSortedFields);

const withSortedFields = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
