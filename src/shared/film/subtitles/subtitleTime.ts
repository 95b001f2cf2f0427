/** `00:01:02,345`, with the separator of the format; hours have at least two digits. */
export function subtitleTime(ms: number, separator: ',' | '.'): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const clock = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1_000) % 60].map(two).join(':');
  return `${clock}${separator}${String(ms % 1_000).padStart(3, '0')}`;
}

const DIGITS = '0123456789';
const isNumber = (text: string): boolean =>
  text !== '' && text.length <= 6 && [...text].every((one) => DIGITS.includes(one));

/** Milliseconds of `[hh:]mm:ss[,.:]mmm`; undefined if it is no time. All three separators are read, as players do. */
export function readSubtitleTime(text: string): number | undefined {
  const parts = text.split(':');
  if (parts.length > 2 && parts.at(-1)?.length === 3) parts.push(`${parts.splice(-2, 1)}.${parts.pop()}`);
  const [seconds = '', fraction = '0', ...more] = (parts.pop() ?? '').replace(',', '.').split('.');
  const clock = [...parts, seconds];
  if (parts.length < 1 || parts.length > 2 || more.length > 0) return undefined;
  if (![...clock, fraction].every(isNumber)) return undefined;
  const [s = 0, m = 0, h = 0] = clock.map(Number).reverse();
  if (s > 59 || m > 59) return undefined;
  return ((h * 60 + m) * 60 + s) * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
}
