/** One difference between a result and its request, measured in the verified file. */
export interface Difference {
  what: 'type' | 'seconds' | 'size' | 'aspect' | 'audio' | 'count';
  /** For people: `4 s`, `1080p`, `with sound`. */
  ordered: string;
  made: string;
  /** The result's index; absent for a single result, or for all of them. */
  output?: number;
}

/** "4 s requested, 8 s made; 1080p requested, 1280 × 720 made." Empty without a difference. */
export function wordsOfDifferences(differs: readonly Difference[] = []): string {
  const words = differs.map(({ ordered, made, output }) => {
    const which = output === undefined ? '' : `result ${output + 1}: `;
    return `${which}${ordered} requested, ${made} made`;
  });
  const sentence = [...new Set(words)].join('; ');
  return sentence === '' ? '' : `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}
