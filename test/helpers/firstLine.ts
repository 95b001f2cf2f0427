import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PATIENCE_MS } from './patience.ts';

/** The first line that a program writes to stdout, before it ends. */
export function firstLine(child: ChildProcess): Promise<string> {
  const { stdout } = child;
  if (!stdout) throw new Error('The program has no stdout to read.');
  return new Promise((resolve, reject) => {
    const lines = createInterface(stdout);
    const timer = setTimeout(() => reject(new Error(`No line on stdout within ${PATIENCE_MS} ms.`)), PATIENCE_MS);
    const settle = (act: () => void) => {
      clearTimeout(timer);
      act();
    };
    lines.once('line', (line) => settle(() => resolve(line)));
    child.once('error', (error) => settle(() => reject(error)));
    child.once('exit', (code) =>
      settle(() => reject(new Error(`The program ended with ${code} before it was ready.`))),
    );
  });
}
