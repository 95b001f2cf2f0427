import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { describeFileType, isLinkLoop, LINK_LOOP } from '../../core/store/index.ts';

/** Far more than any file that is read whole. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The text of a file; undefined if it does not exist. Throws one sentence for anything but a file: a named pipe would block, a device has no
 * end. Links are followed.
 */
export const readRegularFile = (path: string): string | undefined => readRegularBytes(path)?.toString('utf8');

export function readRegularBytes(path: string): Buffer | undefined {
  try {
    refuseOthers(path, statSync(path));
    // It may have become a pipe meanwhile; with this flag, opening that does not block.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      refuseOthers(path, fstatSync(file));
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    if (isLinkLoop(error)) throw new Error(`${path} is ${LINK_LOOP}, not a file, and is not read`);
    throw error;
  }
}

function refuseOthers(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new Error(`${path} is ${describeFileType(stats)}, not a file, and is not read`);
  if (stats.size > MAX_BYTES)
    throw new Error(`${path} has ${stats.size} bytes, more than a file of this kind can have`);
}
