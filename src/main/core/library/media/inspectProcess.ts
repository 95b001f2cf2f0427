import { realpath } from 'node:fs/promises';
import { openParentPort } from '../../workers/index.ts';
import { readClipFacts } from './clipFacts.ts';
import { readEmbeddedProvenance } from './embeddedProvenance.ts';
import { uprightPicture } from './exif.ts';
import type { InspectRequest } from './inspector.ts';
import { alphaMask, inspectMask } from './mask.ts';
import { mimeOf, probeFile } from './probe.ts';

/** Includes buffers, which the heap limit (`inspector.ts`) does not count: a file may claim an index of gigabytes. */
const MAX_RESIDENT_BYTES = 768 * 1024 ** 2;
const MEMORY_CHECK_MS = 20;

/** A process that inspects files, one after the other. It ends with the program that asks. */
const asker = openParentPort();
// Ctrl+C and the end of a session reach every process of a program: the file being read is finished first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
asker.onMessage(async (request) => {
  const found = await inspect(request as InspectRequest).catch(() => null);
  asker.send({ found });
});
setInterval(() => {
  if (process.memoryUsage.rss() > MAX_RESIDENT_BYTES) process.exit(1);
}, MEMORY_CHECK_MS).unref();
asker.send({ ready: true });

async function inspect({ kind, file, base, mime }: InspectRequest): Promise<unknown> {
  if (kind === 'mask') return inspectMask(file, base);
  if (kind === 'probe') return probeFile(file);
  if (kind === 'place')
    return realpath(file).then(
      () => true,
      () => true,
    );
  if (kind === 'found') return readEmbeddedProvenance(file, mime ?? '');
  if (kind === 'upright') return uprightPicture(file, mime ?? '');
  if (kind === 'alphaMask') return alphaMask(file);
  if (kind === 'clip') return readClipFacts(file);
  return mimeOf(file);
}
