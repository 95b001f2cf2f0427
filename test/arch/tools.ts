import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** The commands that `npm run check` runs one after the other. */
export function checkCommands(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { check: string } };
  return scripts.check.split('&&').map((command) => command.trim());
}

/** Runs one of them in `folder`; what it says, and whether it was content. */
export function runTool(command: string, folder: string): { ok: boolean; said: string } {
  const bin = join(root, 'node_modules', '.bin');
  const { status, stdout, stderr } = spawnSync(command, {
    cwd: folder,
    shell: true,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, NO_COLOR: '1' },
  });
  return { ok: status === 0, said: stdout + stderr };
}
