import { expect, test } from 'vitest';
import { NO_MONEY } from '../../shared/money/ledger.ts';
import { doubtWords, moneyWords, name, priceWords, printed } from './words.ts';

test('a name is one line, and commands nothing', () => {
  expect(name('A quay\rab12  approved  $0.01')).toBe('A quay ab12 approved $0.01');
  expect(name('A quay\nQueued 3 jobs.\u001b[2J\u009b2J')).toBe('A quay Queued 3 jobs.‹U+001B›[2J‹U+009B›2J');
  expect(name('a'.repeat(1_000_000)).length).toBeLessThanOrEqual(200);
});

test('a text keeps its lines', () => {
  expect(printed('one\ntwo\r\u001b]0;x\u0007')).toBe('one\ntwo‹U+000D›‹U+001B›]0;x‹U+0007›');
});

test('what has no known price is said beside the sums', () => {
  expect(moneyWords({ ...NO_MONEY, unpriced: 2 })).toBe('2 requests without a price');
  expect(moneyWords({ ...NO_MONEY, reservedNano: 4e9, unpriced: 2 })).toBe(
    '$4.00 reserved, and 2 requests without a price',
  );
  expect(moneyWords(NO_MONEY)).toBe('$0.00 charged, $0.00 reserved, $0.00 unconfirmed');
  expect(doubtWords({ count: 1, nano: 0, unpriced: 1 })).toBe('1, 1 request without a price');
  expect(doubtWords({ count: 3, nano: 4e9, unpriced: 1 })).toBe('3, $4.00 at stake, and 1 request without a price');
  expect(doubtWords({ count: 0, nano: 0, unpriced: 0 })).toBe('0');
  expect(priceWords({ lowNano: 0, estimateNano: 0, unpriced: 1 })).toBe('no price set');
  expect(priceWords({ lowNano: 4e8, estimateNano: 4e9, unpriced: 1 })).toBe('$0.40–4.00, and 1 job without a price');
  expect(priceWords({ lowNano: 0, estimateNano: 0 })).toBe('$0.00');
});
