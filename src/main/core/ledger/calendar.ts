const twoDigits = (n: number): string => String(n).padStart(2, '0');

/** The local calendar day, `2026-11-21`: a daily budget ends at the user's midnight. */
export function dayOf(time: number): string {
  return `${monthOf(time)}-${twoDigits(new Date(time).getDate())}`;
}

/** `2026-11`. */
export function monthOf(time: number): string {
  const date = new Date(time);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}`;
}

/** The month of a day `2026-11-21`. */
export const monthOfDay = (day: string): string => day.slice(0, '2026-11'.length);
