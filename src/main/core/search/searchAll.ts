import type { CallParsed } from '../../../shared/contract/contract.ts';
import { HIT_TYPES, type HitType, type SearchHit, type SearchPage } from '../../../shared/library/search/searchCall.ts';
import { ftsQuery } from '../../../shared/library/search/searchQuery.ts';
import { snippetOf } from '../../../shared/library/search/snippet.ts';
import { foundMessages } from '../chat/index.ts';
import { foundJobs } from '../jobs/index.ts';
import { foundAssets } from '../library/index.ts';
import type { FoundRow, FoundText, ReadDb, TextSource } from '../store/index.ts';
import { foundShots } from '../storyboard/index.ts';

const SOURCES: Record<HitType, TextSource> = {
  job: foundJobs,
  message: foundMessages,
  asset: foundAssets,
  shot: foundShots,
};
/** Greater than any row number, with as many digits as a cursor takes. */
const NEWEST = 999_999_999_999_999;

type Found = FoundRow & { type: HitType };

/**
 * Everything that contains all words, latest first over all types. Each index answers in row order, and the four are merged, reading no more
 * than is shown. The cursor has the last row number of each type.
 */
export function searchAll(
  db: ReadDb,
  { text, limit, cursor, types = [...HIT_TYPES] }: CallParsed<'search.all'>,
): SearchPage {
  const starts = cursor?.split('.').map(Number) ?? [];
  const match = ftsQuery(text);
  const lists = HIT_TYPES.map((type, index) => {
    const page = { match, before: starts[index] ?? NEWEST, limit: limit + 1 };
    const rows = types.includes(type) ? SOURCES[type].find(db, page) : [];
    return { before: page.before, rows: rows.map((row): Found => ({ ...row, type })) };
  });
  const shown: Found[] = [];
  while (shown.length < limit) {
    const newest = lists.filter(({ rows }) => rows.length > 0).reduce((a, b) => (isNewer(b, a) ? b : a), EMPTY);
    const row = newest.rows.shift();
    if (!row) break;
    newest.before = row.seq;
    shown.push(row);
  }
  const hits = hitsOf(db, shown, text);
  const isMore = lists.some(({ rows }) => rows.length > 0);
  return isMore ? { hits, nextCursor: lists.map(({ before }) => before).join('.') } : { hits };
}

interface List {
  before: number;
  rows: Found[];
}

const EMPTY: List = { before: 0, rows: [] };
const isNewer = (one: List, other: List): boolean => cameAt(one) > cameAt(other);
/** Each list is in the order of arrival: a row made long before it arrived does not delay those behind it. */
const cameAt = ({ rows: [first] }: List): number => first?.cameAt ?? first?.at ?? -1;

function hitsOf(db: ReadDb, shown: readonly Found[], text: string): SearchHit[] {
  const texts = new Map<string, FoundText>();
  for (const type of HIT_TYPES) {
    const seqs = shown.filter((row) => row.type === type).map(({ seq }) => seq);
    if (seqs.length > 0) for (const row of SOURCES[type].read(db, seqs)) texts.set(`${type} ${row.seq}`, row);
  }
  return shown.flatMap(({ type, seq, at }) => {
    const row = texts.get(`${type} ${seq}`);
    return row ? [hitOf(type, row, at, text)] : [];
  });
}

function hitOf(type: HitType, { seq: _, texts, ...row }: FoundText, at: number, typed: string): SearchHit {
  const snippets = texts.map((text) => snippetOf(text, typed));
  const { text: snippet, hit: found } = snippets.find(({ hit }) => hit) ?? snippets[0] ?? { text: '' };
  return { type, ...row, snippet, at, ...(found ? { found } : {}) };
}
