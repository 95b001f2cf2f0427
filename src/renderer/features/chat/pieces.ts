/** A text as it came, in parts that are laid out each by itself: laying out one long line may take time that grows with its square. */

/** Characters of a piece. */
const PIECE = 2_000;

/** Of the text up to about `length` characters; joined they are its beginning. Cut at line ends and blanks where there are some. */
export function piecesOf(text: string, length: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < Math.min(text.length, length); ) {
    const end = endOf(text, at);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

function endOf(text: string, from: number): number {
  const most = from + PIECE;
  if (most >= text.length) return text.length;
  const line = text.lastIndexOf('\n', most - 1);
  if (line >= from) return line + 1;
  const blank = text.lastIndexOf(' ', most - 1);
  if (blank >= from + PIECE / 2) return blank + 1;
  const isPair = /[\uD800-\uDBFF]/.test(text[most - 1] ?? '');
  return isPair ? most - 1 : most;
}
