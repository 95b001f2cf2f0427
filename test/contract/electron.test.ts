import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ElectronRun, startElectron } from '../helpers/electron.ts';
import { startHost } from '../helpers/host.ts';
import { testPng } from '../helpers/png.ts';

/** The windows of the Electron host and their restrictions. */

describe('a window', () => {
  let run: ElectronRun;
  let foreign: Awaited<ReturnType<typeof foreignPage>>;
  beforeAll(async () => {
    run = await startElectron();
    foreign = await foreignPage();
  });
  afterAll(async () => {
    foreign?.close();
    await run?.stop();
  });

  test('shows our page, sandboxed and without Node', async () => {
    const preferences = await run.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => {
        const made = window as unknown as { options?: { webPreferences?: object } };
        const real = window.webContents as unknown as { getLastWebPreferences?(): object };
        return made.options?.webPreferences ?? real.getLastWebPreferences?.();
      }),
    );
    expect(preferences[0]).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
    });
    const globals = await run.page.evaluate(() =>
      ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer'].filter((name) => name in globalThis),
    );
    expect(globals).toEqual([]);
    expect(await run.page.evaluate(() => Object.keys(globalThis.dailies).sort())).toEqual(['call', 'subscribe']);
  });

  test('paints the app', async () => {
    await run.page.waitForSelector('#root > *, main');
  });

  test('has two channels only', async () => {
    const channels = await run.evaluate(({ ipcMain }) => {
      const known = ipcMain as unknown as { handlers?: Map<string, unknown>; _invokeHandlers?: Map<string, unknown> };
      const handled = [...(known.handlers ?? known._invokeHandlers ?? new Map()).keys()];
      // Electron's own listener.
      return [...handled, ...ipcMain.eventNames().map(String)].filter((name) => name !== 'error');
    });
    expect(channels).toEqual(['studio:call']);
  });

  test('calls the studio with structured clones, whose size is that of their content', async () => {
    const call = (input: string) =>
      run.page.evaluate(`(async () => {
        try {
          return await dailies.call('app.info', ${input});
        } catch (error) {
          return String(error);
        }
      })()`);
    for (const input of ['{ run() {} }', '{ of: Symbol() }', 'new Proxy({}, {})', '{ page: document.body }'])
      expect(await call(input), input).toContain('could not be cloned');
    const large = ["'x'.repeat(300_000)", '{ bytes: new ArrayBuffer(300_000) }', "new Map([[1, 'x'.repeat(300_000)]])"];
    for (const input of large)
      expect(await call(input), input).toMatchObject({ ok: false, error: { code: 'too_large' } });
    expect(await call('new (class { constructor() { this.a = 1; } })()')).toMatchObject({
      ok: false,
      error: { code: 'invalid_input' },
    });
  });

  test('gets no permission but copying text and full screen', async () => {
    const granted = await run.evaluate(({ session, BrowserWindow }) => {
      const known = session.defaultSession as unknown as {
        permissionRequest?(contents: object, permission: string, answer: (allowed: boolean) => void): void;
      };
      // A real Electron does not return its handler, so the page is asked below.
      if (!known.permissionRequest) return ['clipboard-sanitized-write', 'fullscreen'];
      const contents = BrowserWindow.getAllWindows()[0]?.webContents ?? {};
      const asked = ['media', 'geolocation', 'notifications', 'clipboard-read', 'openExternal', 'midiSysex'];
      return [...asked, 'clipboard-sanitized-write', 'fullscreen'].filter((permission) => {
        let allowed = false;
        known.permissionRequest?.(contents, permission, (answer) => {
          allowed = answer;
        });
        return allowed;
      });
    });
    expect(granted).toEqual(['clipboard-sanitized-write', 'fullscreen']);
    const camera = await run.page.evaluate(
      'navigator.mediaDevices?.getUserMedia({ video: true }).then(() => "open", () => "shut")',
    );
    expect(camera).not.toBe('open');
  });

  test('opens no other window and goes to no other page', async () => {
    const before = run.page.url();
    const [opened, linked, assigned] = ['opened', 'linked', 'assigned'].map((way) => JSON.stringify(foreign.url + way));
    await run.page.evaluate(`void window.open(${opened})`);
    // In sequence: in Chromium each pauses the page until the debugger resumes the new window.
    for (let times = 0; times < 20; times += 1)
      await run.page.evaluate(`(() => {
        const link = document.createElement('a');
        Object.assign(link, { href: ${linked}, target: '_blank', rel: 'opener' });
        document.body.append(link);
        link.click();
        link.remove();
      })()`);
    await run.page.evaluate(`void window.location.assign(${assigned})`);
    expect(await run.page.evaluate(() => globalThis.dailies.call('app.info', {}))).toMatchObject({ ok: true });
    expect(run.page.url()).toBe(before);
    const shown = () =>
      run.page
        .context()
        .pages()
        .filter((page) => page.url().startsWith(foreign.url));
    await expect.poll(shown).toEqual([]);
    // Arrives after the page's earlier requests. On the double, a window that a link opened exists before it is closed.
    await run.page.evaluate('fetch(location.href).then((answer) => answer.text())');
    expect(foreign.asked.filter((path) => path !== '/linked')).toEqual([]);
    expect(await run.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  });

  test('does not answer frames inside the page', async () => {
    const exposed = await run.page.evaluate(`(async () => {
      const frame = document.createElement('iframe');
      frame.src = location.href;
      document.body.append(frame);
      await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
      const inside = 'dailies' in frame.contentWindow;
      frame.remove();
      return inside;
    })()`);
    expect(exposed).toBe(false);
  });
});

/** A window with a foreign page and our preload, as if every earlier check had failed. */
test('a call from a foreign page is refused, whatever its content', async () => {
  const run = await startElectron();
  const foreign = await foreignPage();
  try {
    await run.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.removeAllListeners('will-navigate'),
    );
    await run.page.goto(foreign.url);
    const answer = await run.page.evaluate(() => globalThis.dailies.call('profiles.list', {}));
    expect(answer).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  } finally {
    foreign.close();
    await run.stop();
  }
});

test('a page that is redirected to another origin stays where it is', async () => {
  const run = await startElectron();
  const foreign = await foreignPage();
  const sender = await foreignPage({ location: foreign.url });
  try {
    // As if the earlier check had failed.
    await run.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.removeAllListeners('will-navigate'),
    );
    await run.page.goto(sender.url).catch(() => {});
    expect(run.page.url()).not.toBe(foreign.url);
    expect(foreign.asked).toEqual([]);
  } finally {
    sender.close();
    foreign.close();
    await run.stop();
  }
});

describe('keys', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'dailies-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const saveKey = async (run: ElectronRun) =>
    run.page.evaluate(async () => {
      await globalThis.dailies.call('profiles.save', { id: 'mine', name: 'Mine', baseUrl: 'http://127.0.0.1:9' });
      return globalThis.dailies.call('profiles.setKey', { id: 'mine', apiKey: 'sk-sealed-0123456789' });
    });
  const settings = () => readFileSync(join(dataDir, 'settings.json'), 'utf8');

  test('are kept in memory where Linux would only obscure them', async () => {
    const env = { DAILIES_KEYCHAIN: 'on', DOUBLE_KEYRING: 'basic_text', DOUBLE_SERVICE: 'no' };
    const run = await startElectron({ dataDir, env });
    const saved = await saveKey(run);
    await run.stop();
    if (run.kind === 'double') expect(saved).toEqual({ ok: true, data: { stored: 'memory' } });
    expect(settings()).not.toContain('sk-sealed');
    expect(settings()).not.toContain('sealedKeys');
  });

  test('are encrypted by a keychain; the file has the cipher text, and the next start reads it', async () => {
    const env = { DAILIES_KEYCHAIN: 'on', DOUBLE_KEYRING: 'gnome_libsecret', DOUBLE_SERVICE: 'yes' };
    const run = await startElectron({ dataDir, env });
    const saved = await saveKey(run);
    await run.stop();
    if (run.kind === 'double') expect(saved).toEqual({ ok: true, data: { stored: 'keychain' } });
    expect(settings()).not.toContain('sk-sealed');
    const again = await startElectron({ dataDir, env });
    const listed = await again.page.evaluate(() => globalThis.dailies.call('profiles.list', {}));
    await again.stop();
    const { profiles } = (listed as { data: { profiles: { id: string; key: string | null }[] } }).data;
    if (run.kind === 'double') expect(profiles.find(({ id }) => id === 'mine')?.key).toBe('keychain');
  });
});

test('both hosts work on one folder, one after the other, and never at once', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'dailies-'));
  const run = await startElectron({ dataDir });
  await run.page.evaluate(() => globalThis.dailies.call('projects.create', { name: 'Shared' }));
  await expect(startHost({ dataDir })).rejects.toThrow('ended with 1');
  expect(await run.stop()).toBe(0);
  expect(statSync(join(dataDir, 'dailies.db')).mode & 0o077).toBe(0);
  const host = await startHost({ dataDir });
  expect((await host.ask('projects.list')).projects.map(({ name }) => name)).toContain('Shared');
  await host.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test('media work is done in a hidden window', async () => {
  const run = await startElectron();
  const picture = testPng(640, 360).toString('base64');
  const thumbnail = await run.page.evaluate(
    async ([base, picture]) => {
      const made = new Promise<unknown>((resolve) => {
        globalThis.dailies.subscribe((event) => {
          if (event.type === 'asset.changed' && event.asset.thumbnailId) resolve(event.asset.thumbnailId);
        });
      });
      const body = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
      await fetch(`${base}upload/?name=picture.png`, { method: 'PUT', body });
      return made;
    },
    [run.mediaBase, picture] as const,
  );
  expect(thumbnail).toEqual(expect.any(String));
  await run.stop();
});

test('the hidden media window may claim and finish tasks, and gets events of its work only, even if it shows another page of ours', async () => {
  const run = await startElectron();
  const opened = run.page.context().waitForEvent('page', (page) => page.url() !== run.page.url());
  const upload = (picture: Buffer) =>
    run.page.evaluate(
      ([base, picture]) =>
        fetch(`${base}upload/?name=picture.png`, {
          method: 'PUT',
          body: Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0)),
        }),
      [run.mediaBase, picture.toString('base64')] as const,
    );
  await upload(testPng(640, 360));
  const media = await opened;
  await media.waitForURL('**/media.html');
  const address = media.url();
  for (const url of [address, address.replace('media.html', 'index.html')]) {
    await media.goto(url);
    const answers = await media.evaluate(async () => {
      const names = ['profiles.list', 'jobs.list', 'library.get', 'jobs.enqueue', 'profiles.setKey', 'media.claim'];
      return Promise.all(names.map((name) => globalThis.dailies.call(name, {})));
    });
    const refused = { ok: false, error: { code: 'wrong_state' } };
    expect(answers).toMatchObject([...Array.from({ length: 5 }, () => refused), { ok: true }]);
  }
  // The media address within this window's session.
  const base =
    run.kind === 'real'
      ? run.mediaBase
      : await run.evaluate<string>(
          `({ session }) => session.fromPartition('media').schemes.toLoopback('studio-media://')`,
        );
  await media.goto(address);
  for (const said of ['role=mask', 'role=source', '', 'task=', 'role=frame&task=none']) {
    const answer = await media.evaluate(
      async (url) => (await fetch(url, { method: 'PUT', body: 'x' })).json(),
      `${base}upload/?name=x.png&${said}`,
    );
    expect(answer).toMatchObject({ ok: false });
  }
  await media.evaluate('globalThis.heard = []; void dailies.subscribe((event) => void heard.push(event.type))');
  await run.page.evaluate(() => globalThis.dailies.call('settings.set', { theme: 'light' }));
  await upload(testPng(320, 180));
  // Events arrive in order: others would have arrived by now.
  await media.waitForFunction(() => (globalThis as unknown as { heard: unknown[] }).heard.length > 0);
  expect(await media.evaluate('heard[0]')).toBe('media.work');
  await run.stop();
});

async function foreignPage(headers: { location?: string } = {}) {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(headers.location === undefined ? 200 : 302, { ...headers, 'content-type': 'text/html' });
    response.end('<!doctype html><title>foreign</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked, close };
}
