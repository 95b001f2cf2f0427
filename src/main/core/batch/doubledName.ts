/**
 * The path of the first name that one object of a JSON text has twice: `prompt`, `config.seed`. Parsing keeps the last one and says
 * nothing. The text must be valid JSON; it is read once, in time that grows with its length.
 */
export function doubledName(text: string): string | undefined {
  const open: { names: Set<string>; last: string }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '{' || sign === '[') open.push({ names: new Set(), last: '' });
    else if (sign === '}' || sign === ']') open.pop();
    if (sign !== '"') continue;
    const end = endOfString(text, at);
    const object = open.at(-1);
    if (object && isName(text, end)) {
      object.last = JSON.parse(text.slice(at, end)) as string;
      if (object.names.size === object.names.add(object.last).size) return pathOf(open);
    }
    at = end - 1;
  }
  return undefined;
}

const pathOf = (open: readonly { last: string }[]): string =>
  open
    .map(({ last }) => last)
    .filter((name) => name !== '')
    .join('.');

/** Behind the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function isName(text: string, end: number): boolean {
  let at = end;
  while (' \t\r\n'.includes(text[at] ?? ':')) at += 1;
  return text[at] === ':';
}
