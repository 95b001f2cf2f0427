/** An exact decimal number: `units × 10^-scale`. Prices are texts such as "0.0000000375", which no float holds. */
export interface Decimal {
  units: bigint;
  scale: number;
}

/** No price has more digits. */
const MAX_DIGITS = 40;

/** Parses `0.27`, `-1`, `1.5e-7` or a JSON number; undefined for anything else, infinities included. */
export function parseDecimal(value: string | number): Decimal | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(String(value).trim());
  if (!match) return undefined;
  const [, sign, integer = '', fraction = '', exponent = '0'] = match;
  const digits = integer + fraction;
  if (digits === '' || digits.length > MAX_DIGITS) return undefined;
  const scale = fraction.length - Number(exponent);
  if (Math.abs(scale) > MAX_DIGITS) return undefined;
  const units = BigInt(digits) * (sign === '-' ? -1n : 1n);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

export const times = (one: Decimal, other: Decimal): Decimal => ({
  units: one.units * other.units,
  scale: one.scale + other.scale,
});

export const minus = (one: Decimal, other: Decimal): Decimal => {
  const scale = Math.max(one.scale, other.scale);
  const at = ({ units, scale: own }: Decimal) => units * 10n ** BigInt(scale - own);
  return { units: at(one) - at(other), scale };
};

export const isNegative = ({ units }: Decimal): boolean => units < 0n;
export const isZero = ({ units }: Decimal): boolean => units === 0n;

/**
 * The number × `factor` ÷ `divisor` as an integer, rounded up, so that no price is underestimated. `exact`: nothing was rounded. Undefined
 * beyond 2^53.
 */
export function toInteger(
  { units, scale }: Decimal,
  factor: bigint,
  divisor = 1n,
): { value: number; exact: boolean } | undefined {
  const above = units * factor;
  const below = 10n ** BigInt(scale) * divisor;
  const exact = above % below === 0n;
  const value = above / below + (exact || above < 0n ? 0n : 1n);
  return value > BigInt(Number.MAX_SAFE_INTEGER) || value < -BigInt(Number.MAX_SAFE_INTEGER)
    ? undefined
    : { value: Number(value), exact };
}
