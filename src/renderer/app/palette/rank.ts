/** What is found by words: its label, and other words for it. */
export interface Findable {
  label: string;
  words?: string | undefined;
  /** It is done on another page: after all that can be done here. */
  isElsewhere?: boolean;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** 0 is the best; nothing where it does not fit. */
function rankOf(query: string, { label, words = '' }: Findable): number | undefined {
  const [asked, own] = [wordsOf(query), wordsOf(label)];
  const begins = (all: readonly string[]) => asked.every((word) => all.some((one) => one.startsWith(word)));
  if (asked.length === 0) return undefined;
  if (own.join(' ').startsWith(asked.join(' '))) return 0;
  if (begins(own)) return 1;
  return begins([...own, ...wordsOf(words)]) ? 2 : undefined;
}

/** Those that fit, the best first: the label begins with the query, its words do, other words for it do. */
export function ranked<Item extends Findable>(query: string, items: readonly Item[]): Item[] {
  const found = items.flatMap((item) => {
    const rank = rankOf(query, item);
    return rank === undefined ? [] : [{ item, rank: rank + (item.isElsewhere ? 3 : 0) }];
  });
  return found.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}
