/**
 * Money is an integer count of nano-dollars (0.27 USD per million tokens = 270 nano-dollars a token). 2^53 nano-dollars are about nine
 * million dollars, so a number holds any sum exactly.
 */
export type Nano = number;

export const NANO_PER_DOLLAR = 1_000_000_000;

/** The largest exact sum; nothing larger is stored. */
export const MAX_NANO: Nano = Number.MAX_SAFE_INTEGER;

/** A million dollars: the limit of one request's estimate and of one line of a bill. */
export const MAX_REQUEST_NANO: Nano = 1_000_000 * NANO_PER_DOLLAR;

/** The sum; undefined if an amount or the sum is not an exact integer. */
export function sumNano(amounts: Iterable<Nano>): Nano | undefined {
  let sum = 0;
  for (const amount of amounts) {
    sum += amount;
    if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(sum)) return undefined;
  }
  return sum;
}

/**
 * Decimal dollars → nano-dollars, rounded up, so that nothing is underestimated. Throws if the value is no amount, or too large to be exact.
 */
export function nanoFromDollars(dollars: number | string): Nano {
  const text = typeof dollars === 'number' ? dollars.toFixed(12) : dollars.trim();
  const match = /^(\d+)(?:\.(\d*))?$/.exec(text);
  if (!match) throw new RangeError(`not an amount of dollars: ${text}`);
  const fraction = (match[2] ?? '').padEnd(9, '0');
  const rest = /[1-9]/.test(fraction.slice(9)) ? 1 : 0;
  const nano = Number(match[1]) * NANO_PER_DOLLAR + Number(fraction.slice(0, 9)) + rest;
  if (!Number.isSafeInteger(nano)) throw new RangeError(`too large an amount: ${text}`);
  return nano;
}

/** Typed dollars (`12.50`, `$1,250`) → nano-dollars; undefined if it is no amount. A comma only separates thousands: `12,50` is refused. */
export function parseDollars(text: string): Nano | undefined {
  const plain = text.trim().replace(/^\$/, '');
  if (!/^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d{0,9})?$/.test(plain)) return undefined;
  const digits = plain.replaceAll(',', '');
  return Number(digits) * NANO_PER_DOLLAR < MAX_NANO ? nanoFromDollars(digits) : undefined;
}

/** `12.345678901`: every nano-dollar, without currency sign. */
export function exactDollars(nano: Nano): string {
  const abs = Math.abs(nano);
  const fraction = String(abs % NANO_PER_DOLLAR).padStart(9, '0');
  return `${nano < 0 ? '-' : ''}${Math.floor(abs / NANO_PER_DOLLAR)}.${fraction}`;
}

/** `$3.20`; four decimals below one cent, and as many as needed so that a charge never shows as zero. Rounded to the nearest. */
export function formatNano(nano: Nano): string {
  const sign = nano < 0 ? '−' : '';
  const abs = Math.abs(nano);
  const decimals = abs === 0 || abs >= NANO_PER_DOLLAR / 100 ? 2 : abs >= 100_000 ? 4 : abs >= 1_000 ? 6 : 9;
  const unit = 10 ** (9 - decimals);
  const rounded = Math.round(abs / unit) * unit;
  const dollars = Math.floor(rounded / NANO_PER_DOLLAR);
  const fraction = String(rounded % NANO_PER_DOLLAR).padStart(9, '0');
  const grouped = String(dollars).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return `${sign}$${grouped}.${fraction.slice(0, decimals)}`;
}

export const formatNanoDifference = (nano: Nano): string => `${nano > 0 ? '+' : ''}${formatNano(nano)}`;

/** `$0.40–3.20`, or one figure if both are equal. */
export function formatNanoRange(low: Nano, high: Nano): string {
  return low === high ? formatNano(high) : `${formatNano(low)}–${formatNano(high).slice(1)}`;
}
