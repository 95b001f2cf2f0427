import type { Asset } from './asset.ts';
import { fileNameOf, uniqueName } from './fileNames.ts';
import { extensionOf } from './mediaFormats.ts';

/** The name of a file of the library outside of it: it works on every system, and no other of `taken` has it. */
export const exportedName = (asset: Pick<Asset, 'name' | 'mime'>, taken = new Set<string>()): string =>
  uniqueName(fileNameOf(withoutExtension(asset), 'file'), extensionOf(asset.mime), taken);

function withoutExtension({ name, mime }: Pick<Asset, 'name' | 'mime'>): string {
  const end = `.${extensionOf(mime)}`;
  return name.toLowerCase().endsWith(end) ? name.slice(0, -end.length) : name;
}
