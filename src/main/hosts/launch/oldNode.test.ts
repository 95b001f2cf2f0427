import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** What an old Node is told. */

const root = join(import.meta.dirname, '..', '..', '..', '..');

/** What `start.mjs` says on that machine with Node 20. */
function saidOn(platform: string, arch: string): string {
  const faked = { versions: { ...process.versions, node: '20.9.0' }, version: 'v20.9.0', platform, arch };
  const old = Object.entries(faked).map(
    ([name, value]) => `Object.defineProperty(process, '${name}', { value: ${JSON.stringify(value)} });`,
  );
  const preload = `data:text/javascript,${encodeURIComponent(old.join(''))}`;
  const args = ['--import', preload, join(root, 'src', 'main', 'start.mjs')];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return `${status} ${stderr}`;
}

interface Locked {
  os: string | string[];
  cpu: string | string[];
}
/** Each as its system and its processor. */
function nodesThatCome(): string[] {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const { packages } = read('package-lock.json') as { packages: Record<string, Locked> };
  return Object.keys(read('package.json').optionalDependencies).flatMap((name) => {
    const { os = [], cpu = [] } = packages[`node_modules/${name}`] ?? {};
    return [os].flat().flatMap((system) => [cpu].flat().map((arch) => `${system} ${arch}`));
  });
}

test('an old Node is refused with what to do, on every machine', () => {
  const brought = nodesThatCome();
  expect(brought.length).toBeGreaterThan(2);
  for (const machine of [...brought, 'darwin arm64', 'darwin x64', 'win32 arm64', 'freebsd x64']) {
    const [platform = '', arch = ''] = machine.split(' ');
    const advice = brought.includes(machine)
      ? 'use `npm start`, which brings its own Node 24.'
      : 'install Node 24 (https://nodejs.org). None comes with `npm ci` on this kind of machine.';
    expect(saidOn(platform, arch), machine).toBe(
      `1 Dailies needs Node 22.18 or newer and this is v20.9.0: ${advice}\n`,
    );
  }
});
