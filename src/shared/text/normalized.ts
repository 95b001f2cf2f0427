/** As many marks behind a letter as Unicode's Stream-Safe Text Format has (UAX #15, 13), which no writing reaches. */
const MOST_MARKS = 30;
/** The voice marks of half-width Japanese are letters that become marks. */
const MARKS = /[\p{M}\uff9e\uff9f]+/gu;

/**
 * The text in the form NFKD of Unicode. Marks behind one letter are put in order one by one, each past those before it, so a text of
 * nothing but marks would take minutes: those beyond the thirtieth are left out.
 */
export const normalized = (text: string): string =>
  text
    .replace(MARKS, (marks) => (marks.length > MOST_MARKS ? [...marks].slice(0, MOST_MARKS).join('') : marks))
    .normalize('NFKD');
