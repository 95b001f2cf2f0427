/** C4 ids (SMPTE ST 2114): a SHA-512 in base 58, which is the hash that ASC MHL names its own files by. */

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const LENGTH = 88;

/** Of a SHA-512 in hexadecimal. */
export function c4OfHex(hex: string): string {
  let rest = BigInt(`0x${hex}`);
  let text = '';
  while (rest > 0n) {
    text = DIGITS[Number(rest % 58n)] + text;
    rest /= 58n;
  }
  return `c4${text.padStart(LENGTH, '1')}`;
}

/** The bytes that a C4 id stands for; undefined of what is none. */
export function bytesOfC4(id: string): Buffer | undefined {
  if (id.length !== LENGTH + 2 || !id.startsWith('c4')) return undefined;
  let number = 0n;
  for (const sign of id.slice(2)) {
    const digit = DIGITS.indexOf(sign);
    if (digit < 0) return undefined;
    number = number * 58n + BigInt(digit);
  }
  const hex = number.toString(16).padStart(128, '0');
  return hex.length > 128 ? undefined : Buffer.from(hex, 'hex');
}
