import { useState } from 'react';
import { t } from '../../../shared/texts.ts';
import { formatCount, TextAction } from '../../ui/index.ts';
import { hasLongWord, MOST_SHOWN } from './limits.ts';
import styles from './message.module.css';
import { piecesOf } from './pieces.ts';

/** A text as it was written. What is too long to be laid out at once is shown in pieces, on demand. */
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
