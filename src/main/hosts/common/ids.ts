import { randomBytes } from 'node:crypto';
import type { Ids } from '../../core/ports.ts';

/** Crockford's base 32 in lower case: sorts like the number it encodes, without look-alike letters. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const RANDOM_BITS = 80n;
const RANDOM_DIGITS = 16;

/** Ids like ULIDs: 48 bits of time, then 80 random bits that count up within one millisecond, so that order is kept. */
export function createIds(now: () => number): Ids {
  let lastTime = -1;
  let tail = 0n;
  return {
    id(prefix) {
      // A clock that was set back must not break the order.
      const time = Math.max(now(), lastTime);
      tail = time === lastTime ? (tail + 1n) % (1n << RANDOM_BITS) : randomTail();
      lastTime = time;
      return `${prefix}_${base32(BigInt(time), TIME_DIGITS)}${base32(tail, RANDOM_DIGITS)}`;
    },
    secret: () => randomBytes(16).toString('hex'),
  };
}

const randomTail = () => BigInt(`0x${randomBytes(Number(RANDOM_BITS) / 8).toString('hex')}`);

function base32(value: bigint, digits: number): string {
  let text = '';
  let rest = value;
  for (let place = 0; place < digits; place += 1) {
    text = ALPHABET[Number(rest & 31n)] + text;
    rest >>= 5n;
  }
  return text;
}
