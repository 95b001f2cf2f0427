/** As many marks behind a letter as Unicode's Stream-Safe Text Format has (UAX #15, 13), which no writing reaches. */
const MOST_MARKS = 30;
const MARKS = /\p{M}+/gu;

/**
 * The text in a form of Unicode. Marks behind one letter are put in order one by one, each past those before it, so a text of nothing but
 * marks would take minutes: those beyond the thirtieth are left out.
 */
export const normalized = (text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string =>
  text
    .replace(MARKS, (marks) => (marks.length > MOST_MARKS ? [...marks].slice(0, MOST_MARKS).join('') : marks))
    .normalize(form);
