type WithoutNulls<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** The fields that have a value: one that has none is left out of what the contract shows. In a loop, since lists have thousands of them. */
export function withoutNulls<T extends object>(fields: T): WithoutNulls<T> {
  const kept: WithoutNulls<T> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== null && value !== undefined) kept[name] = value as NonNullable<T[typeof name]>;
  }
  return kept;
}
