import { fileTypeFromFile } from 'file-type';
import type { Question } from './inspector.ts';
import { inspectMask } from './mask.ts';
import { probeFile } from './probe.ts';

/** Buffers too, which the limit of the process (`inspector.ts`) does not count: a file may say that its index has gigabytes. */
const MOST_RESIDENT_BYTES = 768 * 1024 ** 2;
const LOOK_MS = 20;

/** A process that reads files, one after the other. It ends with the program that asks. */
process.on('disconnect', () => process.exit());
// Ctrl+C and the end of a session reach each process of a program: what is being read is read to its end all the same.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.on('message', async (question: Question) => {
  const found = await answerTo(question).catch(() => null);
  process.send?.({ found });
});
setInterval(() => {
  if (process.memoryUsage.rss() > MOST_RESIDENT_BYTES) process.exit(1);
}, LOOK_MS).unref();
process.send?.({ ready: true });

async function answerTo({ about, file, base }: Question): Promise<unknown> {
  if (about === 'mask') return inspectMask(file, base);
  if (about === 'probe') return probeFile(file);
  return (await fileTypeFromFile(file))?.mime ?? null;
}
