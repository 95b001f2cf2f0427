import { withBareAddresses } from '../gateway/bareAddress.ts';
import { normalized } from '../text/normalized.ts';
import type { Asset } from './asset.ts';
import { extensionOf } from './mediaFormats.ts';

/** Names of exported files, valid on every system, in editing programs and in addresses. */

/** Letters without a decomposition into base letter and marks. */
export const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  Þ: 'Th',
  ð: 'd',
  ı: 'i',
};

/** Device names of Windows, with any extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/i;

const MAX_LENGTH = 80;

/** A name of ASCII letters, digits, `-`, `_` and `.`, without extension; `fallback` if nothing is left. */
export function fileNameOf(text: string, fallback = 'film'): string {
  const ascii = [...normalized(withBareAddresses(text))].map((letter) => LETTERS[letter] ?? letter).join('');
  const plain = withoutEnd(
    ascii
      .replace(/[^\x20-\x7e]/g, '')
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .slice(0, MAX_LENGTH)
      .replace(/^[-.]+/, ''),
  );
  if (plain === '') return fallback;
  return DEVICE.test(plain.split('.', 1)[0] ?? '') ? `_${plain}` : plain;
}

/** Windows removes dots at the end of a name. */
function withoutEnd(name: string): string {
  let end = name.length;
  while (end > 0 && '-.'.includes(name[end - 1] ?? '')) end -= 1;
  return name.slice(0, end);
}

/** Numbers a name that is taken. Case is ignored, as some systems do. */
export function uniqueName(name: string, extension: string, taken: Set<string>): string {
  for (let number = 1; ; number += 1) {
    const full = `${number === 1 ? name : `${name}_${number}`}.${extension}`;
    const key = full.toLowerCase();
    if (taken.has(key)) continue;
    taken.add(key);
    return full;
  }
}

/** The name of an exported file: valid on every system, and not in `taken`. */
export const exportedName = (asset: Pick<Asset, 'name' | 'mime'>, taken = new Set<string>()): string =>
  uniqueName(fileNameOf(withoutExtension(asset), 'file'), extensionOf(asset.mime), taken);

function withoutExtension({ name, mime }: Pick<Asset, 'name' | 'mime'>): string {
  const end = `.${extensionOf(mime)}`;
  return name.toLowerCase().endsWith(end) ? name.slice(0, -end.length) : name;
}
