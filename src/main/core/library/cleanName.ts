/** A display name: without path and control characters, and of limited length. */
export function cleanName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? '';
  const clean = [...base].filter((character) => character >= ' ' && character !== '\u007f').join('');
  return clean.trim().slice(0, 200) || 'Untitled';
}
