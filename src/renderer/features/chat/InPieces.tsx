import { useState } from 'react';
import { t } from '../../../shared/text/texts.ts';
import { formatCount, TextAction } from '../../ui/index.ts';
import { hasLongWord, MOST_SHOWN } from './limits.ts';
import styles from './message.module.css';

/** Plain text. A text too long to lay out at once is shown in pieces, on demand. */
export function InPieces({ text }: { text: string }) {
  const [shown, setShown] = useState(MOST_SHOWN);
  const pieces = piecesOf(text, shown);
  if (pieces.length < 2 && !hasLongWord(text)) return text;
  const rest = text.length - pieces.reduce((sum, { length }) => sum + length, 0);
  return (
    <>
      {pieces.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces only ever grow at the end.
        <span key={index} className={hasLongWord(piece) ? `${styles.piece} ${styles.longWords}` : styles.piece}>
          {piece}
        </span>
      ))}
      {rest > 0 && (
        <TextAction
          className={styles.piece}
          title={t`${formatCount(rest)} more characters`}
          onClick={() => setShown(shown + MOST_SHOWN)}
        >{t`Show more`}</TextAction>
      )}
    </>
  );
}

const PIECE = 2_000;

/**
 * Pieces of the text up to about `length` characters, split at line ends and blanks where possible. Joined they equal the beginning of the
 * text.
 */
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
