import { describe, expect, test } from 'vitest';
import { recorded } from '../../../../test/helpers/gateway/cases.ts';
import { playerOf } from '../../../../test/helpers/gateway/player.ts';
import { FINISH_REASONS } from '../../../shared/chat/finish.ts';
import { CACHE_COUNTS } from './chat/chunk.ts';
import { CODE_RULES, HTTP_STATUSES } from './errors/rules/codes.ts';
import { SENTENCES } from './errors/rules/sentences.ts';
import { STATUS_NUMBERS, STATUS_SUBSTRINGS, STATUS_WORDS } from './tasks/status.ts';

/** Each row of the tables that classify answers names the case that needs it: without the row that case has another outcome. */
const player = await playerOf();
const cases = recorded();

interface Row {
  fixture: string;
}

/** Plays the row's case while the row is `out`. */
async function isNeeded(file: string, { fixture }: Row, out: (run: () => Promise<void>) => Promise<void>) {
  const name = fixture.includes(': ') ? fixture : `${file}: ${fixture}`;
  const one = cases.get(name);
  if (!one) throw new Error(`there is no case ${name}`);
  const expected = one.answers.map((answer) => answer.expect);
  await out(async () => expect(await player.outcomesOf(one)).not.toMatchObject(expected));
}

async function withoutEntry<T>(list: readonly T[], row: T, run: () => Promise<void>): Promise<void> {
  const open = list as T[];
  const at = open.indexOf(row);
  open.splice(at, 1);
  await run().finally(() => open.splice(at, 0, row));
}

async function withoutKey<K, V>(map: Map<K, V>, key: K, run: () => Promise<void>): Promise<void> {
  const held = [...map];
  map.delete(key);
  await run().finally(() => {
    map.clear();
    for (const [name, value] of held) map.set(name, value);
  });
}

const listed = <T extends Row>(rows: readonly T[]): [string, T][] => rows.map((row) => [row.fixture, row]);
const keyed = <K, V extends Row>(map: Map<K, V>): [string, K, V][] =>
  [...map].map(([key, row]) => [row.fixture, key, row]);

describe('without its row reads differently', () => {
  test.each(listed(CODE_RULES))('the code %s', (_name, row) =>
    isNeeded('codes', row, (run) => withoutEntry(CODE_RULES, row, run)),
  );
  test.each(listed(SENTENCES))('the sentence %s', (_name, row) =>
    isNeeded('sentences', row, (run) => withoutEntry(SENTENCES, row, run)),
  );
  test.each(listed(FINISH_REASONS))('the finish reason of %s', (name, row) =>
    isNeeded(name, row, (run) => withoutEntry(FINISH_REASONS, row, run)),
  );
  test.each(listed(STATUS_SUBSTRINGS))('the substring in %s', (_name, row) =>
    isNeeded('video-words', row, (run) => withoutEntry(STATUS_SUBSTRINGS, row, run)),
  );
  test.each(listed(CACHE_COUNTS))('the count of %s', (_name, row) =>
    isNeeded('chat-cached', row, (run) => withoutEntry(CACHE_COUNTS, row, run)),
  );
  test.each(keyed(HTTP_STATUSES))('the status %s', (_name, key, row) =>
    isNeeded('statuses', row, (run) => withoutKey(HTTP_STATUSES, key, run)),
  );
  test.each(keyed(STATUS_WORDS))('the word %s', (_name, key, row) =>
    isNeeded('video-words', row, (run) => withoutKey(STATUS_WORDS, key, run)),
  );
  test.each(keyed(STATUS_NUMBERS))('the number %s', (_name, key, row) =>
    isNeeded('video-words', row, (run) => withoutKey(STATUS_NUMBERS, key, run)),
  );
});

test('no two rules match the same code', () => {
  const told = CODE_RULES.map(
    ({ token, onlyStatus }) => `${token.replace(/[^\p{L}\p{N}=.*]/gu, '').toLowerCase()}@${onlyStatus ?? ''}`,
  );
  expect(told.filter((token, index) => told.indexOf(token) !== index)).toEqual([]);
});
