/** Something that can be searched for. */
export interface Findable {
  label: string;
  words?: string | undefined;
  /** Belongs to another page: listed after the actions of this page. */
  isElsewhere?: boolean;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** 0 is the best match; undefined is none. */
function rankOf(query: string, { label, words = '' }: Findable): number | undefined {
  const [asked, own] = [wordsOf(query), wordsOf(label)];
  const begins = (all: readonly string[]) => asked.every((word) => all.some((one) => one.startsWith(word)));
  if (asked.length === 0) return undefined;
  if (own.join(' ').startsWith(asked.join(' '))) return 0;
  if (begins(own)) return 1;
  return begins([...own, ...wordsOf(words)]) ? 2 : undefined;
}

/** Matches, best first: the label starts with the query, then a word of the label, then a search word. */
export function ranked<Item extends Findable>(query: string, items: readonly Item[]): Item[] {
  const found = items.flatMap((item) => {
    const rank = rankOf(query, item);
    return rank === undefined ? [] : [{ item, rank: rank + (item.isElsewhere ? 3 : 0) }];
  });
  return found.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}
