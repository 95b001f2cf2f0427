/** A month as the address of its page names it: `2026-11`. */
export function monthKey(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`;
}

/** Its local beginning and end; undefined for a text that is no month. */
export function monthOf(key: string | null): { from: number; to: number } | undefined {
  const [year = Number.NaN, month = Number.NaN] = (key ?? '').split('-').map(Number);
  if (!(year >= 2015 && year <= 2099 && month >= 1 && month <= 12)) return undefined;
  return { from: new Date(year, month - 1, 1).getTime(), to: new Date(year, month, 1).getTime() };
}

/** The month that many months later. */
export function monthLater(from: number, months: number): string {
  const date = new Date(from);
  return monthKey(new Date(date.getFullYear(), date.getMonth() + months, 1).getTime());
}
