const two = (n: number): string => String(n).padStart(2, '0');

/** The user's own calendar day, `2026-11-21`: a budget of a day ends at the midnight that the user sees. */
export function dayOf(time: number): string {
  return `${monthOf(time)}-${two(new Date(time).getDate())}`;
}

/** `2026-11`. */
export function monthOf(time: number): string {
  const date = new Date(time);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}`;
}
