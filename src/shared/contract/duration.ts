const MINUTE = 60;
const HOUR = 3_600;

/**
 * A duration in words: `5.0 s`, `1 min 5 s`, `2 h 59 min 34 s`; zero parts are left out. `decimals`: of the seconds; by default one below a
 * minute, else none.
 */
export function durationWords(seconds: number, decimals = Math.abs(seconds) < MINUTE - 0.05 ? 1 : 0): string {
  const scale = 10 ** decimals;
  const all = Math.round(Math.max(0, seconds) * scale) / scale;
  if (all < MINUTE) return `${all.toFixed(decimals)} s`;
  const rest = (Math.round((all % MINUTE) * scale) / scale).toFixed(decimals);
  return [
    `${Math.floor(all / HOUR)} h`,
    `${Math.floor((all % HOUR) / MINUTE)} min`,
    `${decimals === 0 ? Number(rest) : rest} s`,
  ]
    .filter((part) => !part.startsWith('0 '))
    .join(' ');
}

/** The same as figures: `0:31`, `12:05`, `1:02:09`. */
export function formatLength(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}
