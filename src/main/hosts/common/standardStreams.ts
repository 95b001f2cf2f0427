import { createReadStream, createWriteStream } from 'node:fs';
import type { Readable, Writable } from 'node:stream';

/** The streams of the terminal or of the parent program. */
export interface StandardStreams {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable;
  stderr: Writable & { isTTY?: boolean };
}

/**
 * The descriptors themselves. In Electron on Windows `process.stdin` is always at its end, and `process.stderr` writes to stdout (electron:
 * lib/common/init.ts, lib/browser/init.ts).
 */
export const descriptorStreams = (): StandardStreams => ({
  stdin: createReadStream('', { fd: 0, autoClose: false }),
  stdout: createWriteStream('', { fd: 1, autoClose: false }),
  stderr: createWriteStream('', { fd: 2, autoClose: false }),
});

/** Resolves when everything written has left this process. */
export const flushed = async (streams: Pick<StandardStreams, 'stdout' | 'stderr'>): Promise<void> => {
  await Promise.all([streams.stdout, streams.stderr].map((stream) => new Promise((done) => stream.write('', done))));
};
