/** The limit of Unicode's Stream-Safe Text Format (UAX #15, 13), which no writing reaches. */
const MOST_MARKS = 30;
/** Half-width Japanese voice marks are letters that become marks. */
const MARKS = /[\p{M}\uff9e\uff9f]+/gu;

/** The text in Unicode NFKD. Reordering the marks of one letter takes quadratic time, so marks beyond the thirtieth are dropped. */
export const normalized = (text: string): string =>
  text
    .replace(MARKS, (marks) => (marks.length > MOST_MARKS ? [...marks].slice(0, MOST_MARKS).join('') : marks))
    .normalize('NFKD');
