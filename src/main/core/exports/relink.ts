import { readlink, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';

/** Lets a link that leads below `from` lead to the same below `to`; what is no such link is left as it is. */
export async function relink(file: string, from: string, to: string): Promise<void> {
  const target = await readlink(file).catch(() => undefined);
  if (target === undefined) return;
  const below = path.relative(from, target);
  if (below.startsWith('..') || path.isAbsolute(below)) return;
  const fresh = `${file}.link`;
  await rm(fresh, { force: true });
  await symlink(path.join(to, below), fresh);
  await rename(fresh, file);
}
