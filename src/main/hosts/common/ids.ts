import { randomBytes } from 'node:crypto';
import type { Ids } from '../../core/ports.ts';

/** Crockford's base 32 in lower case: sorts like the number, without look-alike letters. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
/** Two numbers of 40 random bits, since a `number` holds 53 exactly; several times as fast as one `bigint`. */
const HALF_BITS = 40;
const HALF_DIGITS = 8;
const HALF = 2 ** HALF_BITS;

/** Ids like ULIDs: 48 bits of time, then 80 random bits that count up within a millisecond to keep the order. */
export function createIds(now: () => number): Ids {
  let lastTime = -1;
  let high = 0;
  let low = 0;
  return {
    id(prefix) {
      // A clock set back must not break the order.
      const time = Math.max(now(), lastTime);
      if (time === lastTime) {
        low = (low + 1) % HALF;
        if (low === 0) high = (high + 1) % HALF;
      } else [high, low] = [randomHalf(), randomHalf()];
      lastTime = time;
      return `${prefix}_${base32(time, TIME_DIGITS)}${base32(high, HALF_DIGITS)}${base32(low, HALF_DIGITS)}`;
    },
    secret: () => randomBytes(16).toString('hex'),
  };
}

const randomHalf = () => randomBytes(HALF_BITS / 8).readUIntBE(0, HALF_BITS / 8);

function base32(value: number, digits: number): string {
  let text = '';
  let rest = value;
  for (let place = 0; place < digits; place += 1) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
