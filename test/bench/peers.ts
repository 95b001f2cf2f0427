import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** The compared libraries have their own package.json, installed by the bench alone, and each runs in its own process. */
const HOME = path.resolve('test/bench');

let installed = fs.existsSync(path.join(HOME, 'node_modules'));

/** Runs one library with its arguments; returns what it prints as `perSecond`. */
export async function peer(program: string, ...args: (string | number)[]): Promise<number> {
  if (!installed) {
    console.error('bench: installing the peers (once; one of them is compiled) …');
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: HOME, stdio: ['ignore', 'ignore', 'inherit'] });
    installed = true;
  }
  const out = execFileSync(process.execPath, [path.join(HOME, 'peers', program), ...args.map(String)], {
    cwd: HOME,
    encoding: 'utf8',
  });
  return (JSON.parse(out) as { perSecond: number }).perSecond;
}
