/** Inputs are limited in depth because code may recurse once per level. */
export const MAX_DEPTH = 100;

/** The start of the path, at most three steps, of the first field that nests deeper: `requests.0.tools`; undefined if there is none. */
export function tooDeepAt(input: unknown): string | undefined {
  let level = [{ value: input, path: '' }];
  for (let depth = 0; level.length > 0; depth += 1) {
    const [first] = level;
    if (depth >= MAX_DEPTH && first) return first.path;
    level = level.flatMap(({ value, path }) =>
      innerOf(value).map(([name, inner]) => ({
        value: inner,
        path: depth === 0 ? name : depth < 3 ? `${path}.${name}` : path,
      })),
    );
  }
  return undefined;
}

function innerOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  return Object.entries(value).filter(([, inner]) => typeof inner === 'object' && inner !== null);
}
