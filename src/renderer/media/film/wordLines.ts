const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Breaks a text into lines that fit: at its line breaks, then between words, then within words that are too long. */
export function linesOf(text: string, fits: (line: string) => boolean): string[] {
  return text.split('\n').flatMap((line) => brokenLine(line, fits));
}

function brokenLine(line: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  let open = '';
  for (const word of line.split(' ').filter((one) => one !== '')) {
    const longer = open === '' ? word : `${open} ${word}`;
    if (fits(longer)) {
      open = longer;
      continue;
    }
    if (open !== '') lines.push(open);
    const pieces = fits(word) ? [word] : piecesOf(word, fits);
    lines.push(...pieces.slice(0, -1));
    open = pieces.at(-1) ?? '';
  }
  return open === '' ? lines : [...lines, open];
}

/** Never breaks within a grapheme; one that does not fit gets its own line. */
function piecesOf(word: string, fits: (line: string) => boolean): string[] {
  const pieces: string[] = [];
  let open = '';
  for (const { segment } of GRAPHEMES.segment(word)) {
    if (open !== '' && !fits(open + segment)) {
      pieces.push(open);
      open = '';
    }
    open += segment;
  }
  return [...pieces, open];
}
