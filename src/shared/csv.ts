/**
 * A cell that begins so is a formula to a spreadsheet, also where it is quoted: it could send what stands beside it elsewhere. Some take
 * off the blanks and unseen characters before it, or read other widths of a sign as the sign.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

/** A text as one cell (RFC 4180); a leading `'` makes what looks like a formula plain text in every spreadsheet (OWASP "CSV Injection"). */
export function csvCell(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
