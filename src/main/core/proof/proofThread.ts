import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { EvidenceVerdict } from '../../../shared/evidence/calls.ts';
import { fail, type Result } from '../../../shared/result.ts';
import { t } from '../../../shared/texts.ts';
import type { ProofQuestion } from './proofProgram.ts';

/** What somebody's file makes of memory ends its thread, and nothing else. */
const MAX_MEMORY_MB = 2_048;

const tooLarge = fail('too_large', t`It is too large to be checked on this machine.`);

let last: Promise<unknown> = Promise.resolve();

/** Proves a file or a folder in a thread of its own, one after the other: the file is anybody's, and reading it may take long. */
export function prove(question: ProofQuestion): Promise<Result<EvidenceVerdict>> {
  const proven = last.then(() => inThread(question));
  last = proven;
  return proven;
}

function inThread(question: ProofQuestion): Promise<Result<EvidenceVerdict>> {
  const resourceLimits = { maxOldGenerationSizeMb: MAX_MEMORY_MB };
  const worker = new Worker(programUrl(), { workerData: question, resourceLimits });
  // It keeps no program from ending.
  worker.unref();
  return new Promise((done) => {
    worker.once('message', done);
    worker.once('error', (error: NodeJS.ErrnoException) =>
      done(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge : fail('internal', t`It could not be checked.`)),
    );
    worker.once('exit', () => done(fail('internal', t`It could not be checked to the end.`)));
  });
}

/** The source file under plain Node; next to the entry points (or one folder above a shared chunk) once bundled. */
function programUrl(): URL {
  if (import.meta.url.endsWith('.ts')) return new URL('./proofProgram.ts', import.meta.url);
  const beside = new URL('./proof.js', import.meta.url);
  return existsSync(fileURLToPath(beside)) ? beside : new URL('../proof.js', import.meta.url);
}
