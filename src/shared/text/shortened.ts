const SEPARATORS = /[\s,;:.–—-]$/;

/**
 * A name of at most `longest` characters: one line, cut between words and not after a comma, with `…` for the rest. A word longer than half
 * of the limit is cut itself, between visible characters.
 */
export function shortened(text: string, longest: number): string {
  const line = text
    .slice(0, 20 * longest)
    .trim()
    .split(/\s+/)
    .join(' ');
  if (line.length <= longest && text.length <= 20 * longest) return line;
  const room = line.slice(0, longest - 1);
  const atWord = SEPARATORS.test(line[longest - 1] ?? '') ? room.length : room.lastIndexOf(' ');
  let kept = atWord > longest / 2 ? room.slice(0, atWord) : room.replace(/[\ud800-\udbff]$/, '');
  while (SEPARATORS.test(kept)) kept = kept.slice(0, -1);
  return `${kept}…`;
}
