import styles from './batch.module.css';

/** A prompt with its choices marked as they are written: `{rain|fog}`. */
export function Choices({ text }: { text: string }) {
  const parts: { at: number; words: string; isChoice: boolean }[] = [];
  let depth = 0;
  let from = 0;
  const end = (at: number, isChoice: boolean): void => {
    if (at > from) parts.push({ at: from, words: text.slice(from, at), isChoice });
    from = at;
  };
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '{') {
      if (depth === 0) end(at, false);
      depth += 1;
    } else if (text[at] === '}' && depth > 0) {
      depth -= 1;
      if (depth === 0) end(at + 1, true);
    }
  }
  end(text.length, false);
  return parts.map(({ at, words, isChoice }) =>
    isChoice ? (
      <span key={at} className={styles.choice}>
        {words}
      </span>
    ) : (
      words
    ),
  );
}
