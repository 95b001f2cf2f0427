/** `11,840`. */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

/** `1 job`, `3 jobs`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
