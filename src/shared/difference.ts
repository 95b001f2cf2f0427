/** One way in which a result is not what was ordered, as facts of the verified file (DESIGN "Money"). */
export interface Difference {
  what: 'seconds' | 'size' | 'aspect' | 'audio' | 'count';
  /** For people: `4 s`, `1080p`, `with sound`. */
  ordered: string;
  made: string;
  /** Which of several results, counted from 0; absent where it is the only one, or about all of them. */
  output?: number;
}

/** "4 s ordered, 8 s made; 1080p ordered, 1280 × 720 made." Empty where nothing differs. */
export function wordsOfDifferences(differs: readonly Difference[] = []): string {
  const words = differs.map(({ ordered, made, output }) => {
    const which = output === undefined ? '' : `result ${output + 1}: `;
    return `${which}${ordered} ordered, ${made} made`;
  });
  const sentence = [...new Set(words)].join('; ');
  return sentence === '' ? '' : `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}
