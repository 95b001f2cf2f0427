import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { canaryKey, findCanary } from '../../../../test/helpers/canary.ts';
import { tempDir } from '../../../../test/helpers/testPorts.ts';

const { probe } = vi.hoisted(() => ({ probe: vi.fn<() => Promise<null>>() }));
vi.mock('@napi-rs/keyring', () => ({
  AsyncEntry: class {
    getPassword = probe;
  },
}));
const { openKeychain } = await import('./keychain.ts');

it.skipIf(process.platform !== 'linux')('only what says that there is no secret service means none', async () => {
  vi.stubEnv('DAILIES_KEYCHAIN', 'on');
  vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', 'unix:path=/run/bus');
  const opened = (reason: string) => {
    probe.mockRejectedValueOnce(new Error(`Platform failure: ${reason}`));
    return openKeychain('/data').catch(String);
  };
  expect(
    await opened('DBus error: The name org.freedesktop.secrets was not provided by any .service files'),
  ).toBeNull();
  expect(await opened('DBus error: Failed to connect to socket /run/bus: No such file or directory')).toBeNull();
  expect(await opened('Secret Service: unlock prompt was dismissed')).toContain('dismissed');
  expect(await opened('DBus error: Did not receive a reply.')).toContain('Did not receive');
});

/**
 * The system's own keychain, for real: a Secret Service on a message bus of its own, with a keyring in a folder of its own. Where this
 * machine has none, the tests count as todo, with the reason.
 */
const BUS = 'dbus-run-session';
const missing = [BUS, 'gnome-keyring-daemon'].filter(
  (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0,
);

interface Session {
  home: string;
  /** Runs `code` in a separate program, with `openKeychain`, `createKeyStore` and `tell`; returns the value given to `tell`. */
  run(code: string, daemon?: 'unlocked' | 'locked' | 'none'): Promise<unknown>;
}

const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

const PROLOGUE = `
const { openKeychain } = await import(${url('./keychain.ts')});
const { createKeyStore } = await import(${url('../common/keys.ts')});
const log = { info() {}, warn(_, message) { process.stderr.write(message + '\\n'); }, error() {}, hide() {} };
const store = (folder) => createKeyStore({ openVault: () => openKeychain(folder), log });
const tell = (value) => process.stdout.write(JSON.stringify(value));
const key = process.env.TRIAL_KEY;
delete process.env.TRIAL_KEY;
`;

/** It is ready when the command returns, and ends with its bus, which ends with the program. */
const DAEMON = {
  unlocked: `printf 'a password' | gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null`,
  locked: 'gnome-keyring-daemon --components=secrets --daemonize </dev/null >/dev/null',
  none: '',
};

function session(key: string): Session {
  const home = tempDir('keyring');
  for (const name of ['run', 'data', 'home']) mkdirSync(join(home, name), { mode: 0o700 });
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: join(home, 'home'),
    XDG_RUNTIME_DIR: join(home, 'run'),
    XDG_DATA_HOME: join(home, 'data'),
    TRIAL_KEY: key,
  };
  return {
    home,
    run: (code, daemon = 'unlocked') => told(env, code, DAEMON[daemon]),
  };
}

function told(env: NodeJS.ProcessEnv, code: string, daemon: string): Promise<unknown> {
  const script = `${daemon}\nexec "$0" --input-type=module -e "$1"`;
  const args = ['--', 'bash', '-c', script, process.execPath, PROLOGUE + code];
  const child = spawn(BUS, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (bytes) => {
    out += bytes;
  });
  child.stderr.on('data', (bytes) => {
    err += bytes;
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (status) => {
      if (status === 0 && out !== '') resolve(JSON.parse(out));
      else reject(new Error(`status ${status}: ${err}`));
    });
  });
}

if (missing.length > 0) {
  it.todo(`a key in the system's own keychain (this machine has no ${missing.join(' and no ')})`);
} else {
  describe("the system's own keychain", () => {
    it('keeps a key for the next program, apart for each data folder, and lets go of it', async () => {
      const key = canaryKey();
      const { home, run } = session(key);
      expect(
        await run(`const one = store('/data/one');
          tell([await one.place(), await one.get('p'), await one.set('p', key), (await one.get('p'))?.value === key])`),
      ).toEqual(['keychain', null, 'keychain', true]);
      expect(findCanary(key, { paths: [home] })).toMatchObject({ hits: [] });
      expect(findCanary(key, { paths: [home] }).files).toBeGreaterThan(0);
      expect(
        await run(`const one = store('/data/one');
          const kept = await one.get('p');
          const other = await store('/data/two').get('p');
          await one.forget('p');
          await one.forget('p');
          tell([kept?.place, kept?.value === key, other, await one.get('p')])`),
      ).toEqual(['keychain', true, null, null]);
    });

    it('without a service on the bus is no keychain: the key stays in memory', async () => {
      const { run } = session(canaryKey());
      expect(
        await run(`const s = store('/d'); tell([await s.set('p', key), (await s.get('p'))?.place])`, 'none'),
      ).toEqual(['memory', 'memory']);
    });

    it('that is locked and not unlocked blocks nothing and writes nothing to a file', async () => {
      const key = canaryKey();
      const { home, run } = session(key);
      expect(await run(`tell([await store('/d').set('p', key)])`, 'locked')).toEqual(['memory']);
      expect(findCanary(key, { paths: [home] }).hits).toEqual([]);
    });
  });
}
