import { formatNano, NANO_PER_DOLLAR, type Nano } from '../../shared/money/money.ts';
import { type PriceInterpretation, perMillionTokens } from '../../shared/money/price.ts';
import type { PriceUnit } from '../../shared/money/quantity.ts';
import { t } from '../../shared/text/texts.ts';

/** Dollars with two decimals, and as many more as the price has: `$0.27`, `$0.0375`. */
function plainDollars(nano: Nano): string {
  const [whole = '0', fraction = ''] = (nano / NANO_PER_DOLLAR).toFixed(6).split('.');
  return `$${whole}.${fraction.replace(/0{1,4}$/, '')}`;
}

export const UNIT_WORDS: Record<PriceUnit, string> = {
  token: t`a token`,
  second: t`a second`,
  video: t`a video`,
  image: t`an image`,
};

const wordsPer: Record<Exclude<PriceUnit, 'token'>, (nano: string) => string> = {
  second: (nano) => t`${nano} per second`,
  video: (nano) => t`${nano} per video`,
  image: (nano) => t`${nano} per image`,
};

/** An interpretation of a price in words: `$0.27 in, $1.08 out` for a million tokens, `$0.40 per second`. */
export function wordsOfReading(reading: PriceInterpretation): string {
  if (reading.unit !== 'token') return wordsPer[reading.unit](formatNano(reading.nano));
  const { inputNano, outputNano, cachedNano, cacheWriteNano } = perMillionTokens(reading);
  const { requestNano = 0 } = reading;
  const each = requestNano > 0 ? t`${formatNano(requestNano)} per request` : '';
  const tokens = t`${plainDollars(inputNano)} in, ${plainDollars(outputNano)} out`;
  if (inputNano === 0 && outputNano === 0 && !cacheWriteNano) return each || t`Free`;
  const cached = cachedNano === undefined ? '' : t`${plainDollars(cachedNano)} cached`;
  const written = cacheWriteNano === undefined ? '' : t`${plainDollars(cacheWriteNano)} cache writes`;
  return [tokens, cached, written, each].filter((words) => words !== '').join(', ');
}
