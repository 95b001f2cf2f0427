/** What else stands for a character in what proxies write: HTML by name. */
const NAMES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
  '+': 'plus',
  '/': 'sol',
  '=': 'equals',
};

/**
 * Finds a text in the spellings that proxies and frameworks give its special characters: percent (also twice, in either case), HTML (by
 * number or name) and JSON (`\/`, `\u002b`). Letters and digits stand for themselves, in any case where `anyCase` says so.
 */
export const loosePattern = (text: string, { anyCase }: { anyCase: boolean }): RegExp =>
  new RegExp([...text].map(spelt).join(''), anyCase ? 'giu' : 'gu');

function spelt(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const itself = `\\u{${code.toString(16)}}`;
  if (/[A-Za-z0-9]/.test(character)) return itself;
  const bytes = [...Buffer.from(character)].map((byte) => `%(?:25)?${digits(byte.toString(16).padStart(2, '0'))}`);
  const units = Array.from({ length: character.length }, (_, at) =>
    digits(character.charCodeAt(at).toString(16).padStart(4, '0')),
  );
  const forms = [
    itself,
    bytes.join(''),
    `&(?:amp;)?#(?:0{0,4}${code}|[xX]0{0,4}${digits(code.toString(16))});?`,
    units.map((unit) => `\\\\{1,3}u${unit}`).join(''),
    ...(NAMES[character] === undefined ? [] : [`&(?:amp;)?${NAMES[character]};`]),
    ...('"\\/'.includes(character) ? [`\\\\{1,3}${itself}`] : []),
  ];
  return `(?:${forms.join('|')})`;
}

/** Hexadecimal digits in either case. */
const digits = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
