/** One line of a text, without its line break. */
export interface TextLine {
  /** From 1. */
  line: number;
  start: number;
  end: number;
}

/** The lines of a text, ended by CRLF, LF or CR; a byte order mark is skipped. */
export function* textLines(text: string): Generator<TextLine> {
  let start = text.startsWith('\ufeff') ? 1 : 0;
  let nextCr = text.indexOf('\r', start);
  let nextLf = text.indexOf('\n', start);
  for (let line = 1; start < text.length; line += 1) {
    if (nextCr >= 0 && nextCr < start) nextCr = text.indexOf('\r', start);
    if (nextLf >= 0 && nextLf < start) nextLf = text.indexOf('\n', start);
    const breaks = [nextCr, nextLf].filter((at) => at >= 0);
    const end = breaks.length === 0 ? text.length : Math.min(...breaks);
    yield { line, start, end };
    start = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
}
