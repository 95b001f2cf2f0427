import { fileTypeFromFile } from 'file-type';
import type { Question } from './inspector.ts';
import { inspectMask } from './mask.ts';
import { probeFile } from './probe.ts';

/** A process that reads files, one after the other. It ends with the program that asks. */
process.on('disconnect', () => process.exit());
// Ctrl+C and the end of a session reach each process of a program: what is being read is read to its end all the same.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.on('message', async (question: Question) => {
  const found = await answerTo(question).catch(() => null);
  process.send?.({ found });
});
process.send?.({ ready: true });

async function answerTo({ about, file, base }: Question): Promise<unknown> {
  if (about === 'mask') return inspectMask(file, base);
  if (about === 'probe') return probeFile(file);
  return (await fileTypeFromFile(file))?.mime ?? null;
}
