import { expect, test } from 'vitest';
import { ERROR_CODES, fail, parseInput, refuse, type StudioError } from '../../shared/contract/result.ts';
import { BLOCK_REASONS, JOB_STATES, type JobAttempt, VERDICTS } from '../../shared/jobs/job.ts';
import { videoConfigSchema } from '../../shared/kinds/videoConfig.ts';
import { ASSET_STATES } from '../../shared/library/asset.ts';
import type { Budget } from '../../shared/money/ledger.ts';
import {
  attemptWords,
  BLOCK_WORDS,
  billSentence,
  billWords,
  ERROR_HINTS,
  errorText,
  fieldText,
  leftOf,
  leftUnder,
  leftWords,
  reasonsOf,
  STATE_WORDS,
  STORAGE_WORDS,
  VERDICT_WORDS,
} from './index.ts';

const TABLES: [string, object, readonly string[]][] = [
  ['states', STATE_WORDS, JOB_STATES],
  ['block reasons', BLOCK_WORDS, BLOCK_REASONS],
  ['verdicts', VERDICT_WORDS, VERDICTS],
  ['storage', STORAGE_WORDS, [...ASSET_STATES, 'deleted']],
  ['errors', ERROR_HINTS, ERROR_CODES],
];

test.each(TABLES)('%s: every code has words, and no code stands in them', (_, table, codes) => {
  expect(Object.keys(table).sort()).toEqual([...codes].sort());
  const words = Object.values(table).flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry)));
  for (const text of words) {
    expect(text).not.toBe('');
    expect(text, 'no code of ours').not.toMatch(/uncertain|_|[a-z][A-Z]/);
    expect(text, 'words that only we know').not.toMatch(/has room|\bmend\b|called off|lane/);
  }
});

const errorOf = (result: { ok: boolean; error?: StudioError }): StudioError => {
  if (result.ok || !result.error) throw new Error('It was not refused.');
  return result.error;
};

test('an error is a sentence of its own: the field by its name on the pages, and never as the contract calls it', () => {
  const parsed = errorOf(parseInput(videoConfigSchema, { sampleCount: 9 }));
  expect(parsed.message, 'as the contract says it').toBe('sampleCount: must be at most 4');
  expect(reasonsOf(parsed)).toEqual([{ field: 'sampleCount', message: 'must be at most 4' }]);
  expect(errorText(parsed)).toBe('Variations must be at most 4.');
  const inBatch = errorOf(refuse([{ field: 'image', message: 'choose a first frame.' }], 'requests.1'));
  expect(inBatch.message).toBe('requests.1: image: choose a first frame.');
  expect(errorText(inBatch)).toBe('Choose a first frame.');
  const byHand = errorOf(fail('not_found', 'profileId: there is no such gateway.', { field: 'profileId' }));
  expect(errorText(byHand)).toBe('There is no such gateway.');
  const whole = errorOf(fail('conflict', 'The price is $2.00 by now; $1.00 was shown.', { field: 'shown' }));
  expect(errorText(whole)).toBe('The price is $2.00 by now; $1.00 was shown.');
  expect(errorText(errorOf(fail('disk_full', 'The disk is full.')))).toBe('The disk is full.');
});

test('at its field a reason has the label of the field', () => {
  expect(fieldText('Closes', { message: 'must not be the start' })).toBe('Closes: must not be the start.');
});

test('what is left under a cap counts settled, reserved and in doubt, and says by how much it is exceeded', () => {
  const used = { settledNano: 8.9e9, settledLowNano: 3e9, reservedNano: 13.15e9, uncertainNano: 2.8e9, unpriced: 0 };
  const day: Budget = { scope: 'day', play: false, hardNano: 30e9, used };
  expect(leftOf(day)).toBe(5.15e9);
  expect(leftOf({ ...day, hardNano: 20e9 })).toBe(-4.85e9);
  expect(leftOf({ scope: 'day', play: false, used })).toBeUndefined();
  expect(leftWords(leftUnder(20e9, used))).toBe('$4.85 over');
  expect(leftWords(5.15e9)).toBe('$5.15 left');
  expect([leftWords(5.15e9, 30e9), leftWords(-4.85e9, 20e9)]).toEqual(['$5.15 left of $30.00', '$4.85 over $20.00']);
});

test('a bill is told apart: unknown, in doubt, billed, nothing', () => {
  const money = { chargedNano: 0, uncertainNano: 0 };
  expect(billWords({ ...money, unpriced: true })).toBe('bill unknown');
  expect(billWords({ ...money, chargedNano: 1e9, uncertainNano: 4e8 })).toBe('bill unconfirmed');
  expect(billSentence({ ...money, chargedNano: 4e8 })).toBe('$0.40 was billed.');
  expect(billWords(money)).toBe('not billed');
});

test('an attempt says its status once, and that nothing came where nothing did', () => {
  const attempt = (more: Partial<JobAttempt>): JobAttempt => ({ at: 0, outcome: 'refused', ...more });
  expect(attemptWords(attempt({ status: 400 }))).toBe('Refused, answered with status 400.');
  expect(attemptWords(attempt({ status: 400, message: 'Status 400: bad prompt.' }))).toBe(
    'Refused. Status 400: bad prompt.',
  );
  expect(attemptWords(attempt({ outcome: 'unknown' }))).toBe('Sent, no answer came.');
  expect(attemptWords(attempt({ outcome: 'accepted', status: 202 }))).toBe(
    'Sent and accepted, answered with status 202.',
  );
});

test.each<[Partial<JobAttempt>, string]>([
  [{ message: 'The connection was reset.' }, 'Sent. The connection was reset.'],
  [{ status: 504 }, 'Sent, answered with status 504.'],
  [{ status: 504, message: 'The gateway answered with status 504.' }, 'Sent. The gateway answered with status 504.'],
  [{ status: 504, message: 'Gateway timeout.' }, 'Sent, answered with status 504. Gateway timeout.'],
])('an attempt without a result is told as %j: %s', (attempt, words) => {
  expect(attemptWords({ at: 0, outcome: 'unknown', ...attempt })).toBe(words);
});
