import fs from 'node:fs';
import { addAbortSignal, Readable } from 'node:stream';
import { vi } from 'vitest';

/** Makes every file stream hang, as on a disk that hangs; resolves once one is read. */
export function stallFiles(): Promise<void> {
  const waited = Promise.withResolvers<void>();
  vi.spyOn(fs, 'createReadStream').mockImplementation((_, options) => {
    const stream = new Readable({ read: () => waited.resolve() });
    const signal = typeof options === 'object' ? options.signal : undefined;
    return (signal ? addAbortSignal(signal, stream) : stream) as fs.ReadStream;
  });
  return waited.promise;
}
