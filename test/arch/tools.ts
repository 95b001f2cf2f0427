import { exec } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** The commands that `npm run check` runs one after the other. */
export function checkCommands(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { check: string } };
  return scripts.check.split('&&').map((command) => command.trim());
}

/** Runs one of them in `folder`; returns its output, and whether it passed. */
export function runTool(command: string, folder: string): Promise<{ ok: boolean; said: string }> {
  const bin = join(root, 'node_modules', '.bin');
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, NO_COLOR: '1' };
  return new Promise((resolve) => {
    exec(command, { cwd: folder, env, maxBuffer: MAX_OUTPUT_BYTES }, (error, stdout, stderr) =>
      resolve({ ok: error === null, said: stdout + stderr }),
    );
  });
}

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
