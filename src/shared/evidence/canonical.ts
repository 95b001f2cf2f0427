/** Plain JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * The one text of a JSON value that is hashed: keys in the order of their code units, no spaces (as RFC 8785 has it; its numbers are those of
 * `JSON.stringify`). Of a value with a key that is undefined, that key is left out.
 */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const object = value as { readonly [key: string]: Json };
  const parts: string[] = [];
  for (const key of Object.keys(object).sort()) {
    const held = object[key];
    if (held !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(held)}`);
  }
  return `{${parts.join(',')}}`;
}
