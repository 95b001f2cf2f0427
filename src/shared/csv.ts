/**
 * Spreadsheets take a cell with such a beginning for a formula, even if it is quoted, and a formula can send neighbouring cells
 * elsewhere. Some spreadsheets strip blanks and invisible characters before it, or accept full-width signs.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

/** A text as one cell (RFC 4180); a leading `'` makes what looks like a formula plain text in every spreadsheet (OWASP "CSV Injection"). */
export function csvCell(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
