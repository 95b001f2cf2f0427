import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ElectronOptions, type ElectronRun, startElectron } from '../helpers/electron.ts';
import { testPng } from '../helpers/png.ts';

/** The Electron host among what the system and the user do to it, all of it played on the double. */

let folder: string;
const runs: ElectronRun[] = [];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'dailies-')));
});
afterEach(async () => {
  for (const run of runs.splice(0)) await run.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: ElectronOptions = {}): Promise<ElectronRun> {
  const run = await startElectron({ dataDir: folder, onDouble: true, ...options });
  runs.push(run);
  return run;
}

const ask = async (run: ElectronRun, name: string, input: object = {}) => {
  const answer = await run.page.evaluate(([name, input]) => globalThis.dailies.call(name, input), [
    name,
    input,
  ] as const);
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`);
  return answer.data as never;
};

/** What it told the double of this kind, in order. */
const told = (run: ElectronRun, name: string) => run.told.filter((one) => one.name === name).map(({ args }) => args);

/** A local time of day so many hours from now. */
const hourIn = (hours: number) => {
  const time = new Date(Date.now() + hours * 3_600_000);
  return `${String(time.getHours()).padStart(2, '0')}:${String(time.getMinutes()).padStart(2, '0')}`;
};
const armNight = (run: ElectronRun) =>
  ask(run, 'night.plan', { start: hourIn(2), end: hourIn(5), capNano: 1_000_000_000 });

describe('the sleep of the machine', () => {
  test('is held off from the arming of a night until it is called off, and the page can tell', async () => {
    const run = await start();
    expect(told(run, 'powerSaveBlocker.start')).toEqual([]);
    await armNight(run);
    expect(await ask(run, 'app.info')).toMatchObject({ awake: 'held' });
    expect(told(run, 'powerSaveBlocker.start')).toEqual([['prevent-app-suspension']]);
    await ask(run, 'night.stop');
    await expect.poll(() => run.evaluate(({ double }) => double.blockers.size)).toBe(0);
  });

  test('after it, what came due runs at once: no timer waits for the time that it slept', async () => {
    const run = await start();
    await armNight(run);
    await run.page.evaluate(() => {
      Object.assign(globalThis, { opened: false });
      globalThis.dailies.subscribe((event) => {
        if (event.type === 'night.changed' && event.status.current?.state === 'open')
          Object.assign(globalThis, { opened: true });
      });
    });
    // The wall clock goes on by three hours while every timer stands still; then the system says that it is back.
    await run.evaluate(({ powerMonitor }) => {
      const now = Date.now;
      Date.now = () => now() + 3 * 3_600_000;
      powerMonitor.emit('resume');
    });
    await expect.poll(() => run.page.evaluate('opened')).toBe(true);
  });
});

/** The main window as its user closes it. */
const closeWindow = (run: ElectronRun) =>
  run.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
const pressQuit = (run: ElectronRun) =>
  run.evaluate(({ double }) => {
    type Item = { label?: string; submenu?: Item[]; click?(): void };
    const items = (double.menu as Item[]).flatMap(({ submenu = [] }) => submenu);
    items.find(({ label }) => label === 'Quit Dailies')?.click?.();
  });
const windows = (run: ElectronRun) => run.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);

describe('closing the window', () => {
  test('with nothing to do ends the program, a hidden media window with it, and keeps the place of the window', async () => {
    const run = await start();
    await run.evaluate(({ BrowserWindow }) => {
      const [main] = BrowserWindow.getAllWindows();
      main?.setBounds({ x: 40, y: 50, width: 1_000, height: 700 });
      new BrowserWindow({
        show: false,
        webPreferences: (main as unknown as { options: { webPreferences: object } }).options.webPreferences,
      });
    });
    await closeWindow(run);
    expect(await run.ended).toBe(0);
    expect(savedPlace()).toEqual({ x: 40, y: 50, width: 1_000, height: 700 });
  });

  test('with an armed night goes on in the tray, says so, and comes back from there', async () => {
    const run = await start();
    await armNight(run);
    await closeWindow(run);
    await expect.poll(() => told(run, 'tray').length).toBe(1);
    await expect.poll(() => windows(run)).toBe(0);
    expect(told(run, 'notification')).toEqual([
      [{ title: 'Dailies goes on without its window', body: expect.stringContaining('Night 1 opens at') }],
    ]);
    expect(await run.evaluate(({ double }) => double.blockers.size)).toBe(1);
    // What the icon says is true later too.
    const said = () => run.evaluate(({ double }) => (double.trays[0] as { toolTip: string } | undefined)?.toolTip);
    expect(await said()).toMatch(/^Dailies: Night 1 opens at/);
    await run.evaluate(async ({ ipcMain }) => {
      type Handler = (event: object, name: string, input: unknown) => Promise<unknown>;
      const { handlers } = ipcMain as unknown as { handlers: Map<string, Handler> };
      const frame = { url: 'studio-app://app/index.html' };
      await handlers.get('studio:call')?.({ senderFrame: frame, sender: { mainFrame: frame } }, 'night.stop', {});
    });
    await expect.poll(said).toBe('Dailies: nothing runs');
    await run.evaluate(({ double }) => {
      const [tray] = double.trays as { menu: { label?: string; click?(): void }[] }[];
      tray?.menu.find(({ label }) => label === 'Open Dailies')?.click?.();
    });
    await expect.poll(() => windows(run)).toBe(1);
    expect(told(run, 'tray.destroy')).toHaveLength(1);
  });
});

describe('quitting', () => {
  test('with nothing to do asks nothing', async () => {
    const run = await start();
    await pressQuit(run);
    expect(await run.ended).toBe(0);
    expect(told(run, 'showMessageBox')).toEqual([]);
  });

  test('with an armed night asks in its words; to stay changes nothing, to quit ends it in order', async () => {
    const run = await start();
    await armNight(run);
    await pressQuit(run);
    await expect
      .poll(() => told(run, 'showMessageBox'))
      .toEqual([
        [
          {
            message: 'Quit with Night 1 armed?',
            detail: expect.stringMatching(/^Night 1 opens at \d\d:\d\d only if Dailies runs[.]$/),
            buttons: ['Close the window, go on', 'Quit', 'Stay'],
          },
        ],
      ]);
    await run.evaluate(({ double }) => double.boxes[0]?.answer(2));
    expect(await windows(run)).toBe(1);
    await pressQuit(run);
    await expect.poll(() => told(run, 'showMessageBox').length).toBe(2);
    await run.evaluate(({ double }) => double.boxes[1]?.answer(1));
    expect(await run.ended).toBe(0);
  });

  test.each([
    ['SIGTERM', 'linux'],
    ['SIGINT', 'linux'],
    ['SIGTERM', 'darwin'],
  ] as const)(
    'by %s on %s asks nobody, not even with a question open, and keeps the place',
    async (signal, platform) => {
      const run = await start();
      await run.evaluate(`() => void Object.defineProperty(process, 'platform', { value: '${platform}' })`);
      await armNight(run);
      await run.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.setBounds({ x: 1, y: 2, width: 950, height: 650 }),
      );
      await pressQuit(run);
      await expect.poll(() => told(run, 'showMessageBox').length).toBe(1);
      expect(await run.stop(signal)).toBe(0);
      expect(savedPlace()).toEqual({ x: 1, y: 2, width: 950, height: 650 });
    },
  );

  /** Bug: Dock › Quit ended a night without a word. */
  test('from the Dock of a Mac asks as the menu does, and not at all once the system shuts down or where nothing runs', async () => {
    const onMac = async () => {
      const run = await start();
      await run.evaluate(() => void Object.defineProperty(process, 'platform', { value: 'darwin' }));
      return run;
    };
    const idle = await onMac();
    await idle.evaluate(({ app }) => app.quit());
    expect(await idle.ended).toBe(0);
    const run = await onMac();
    await armNight(run);
    await run.evaluate(({ app }) => app.quit());
    await expect.poll(() => told(run, 'showMessageBox').length).toBe(1);
    expect(told(run, 'showMessageBox')).toMatchObject([[{ message: 'Quit with Night 1 armed?' }]]);
    await run.evaluate(({ double }) => double.boxes[0]?.answer(0));
    await expect.poll(() => windows(run)).toBe(0);
    expect(told(run, 'exit')).toEqual([]);
    await run.evaluate(({ app }) => app.quit());
    await expect.poll(() => told(run, 'showMessageBox').length).toBe(2);
    await run.evaluate(({ double }) => double.boxes[1]?.answer(1));
    expect(await run.ended).toBe(0);
    const last = await onMac();
    await last.evaluate(({ app, powerMonitor }) => {
      (powerMonitor as NodeJS.EventEmitter).emit('shutdown', { preventDefault() {} });
      app.quit();
    });
    expect(await last.ended).toBe(0);
    expect([...told(idle, 'showMessageBox'), ...told(last, 'showMessageBox')]).toEqual([]);
  });

  test('with the system asks nobody', async () => {
    const run = await start();
    await armNight(run);
    await run.evaluate(
      ({ powerMonitor }) => void (powerMonitor as NodeJS.EventEmitter).emit('shutdown', { preventDefault() {} }),
    );
    expect(await run.ended).toBe(0);
  });
});

function savedPlace(): unknown {
  const { window } = JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')) as {
    window?: { bounds: unknown };
  };
  return window?.bounds;
}

test('a page that crashes is loaded again three times in a minute, then the user is asked', async () => {
  const run = await start();
  for (const times of [1, 2, 3]) {
    await run.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.emit('render-process-gone', {}, { reason: 'crashed' } as never),
    );
    await expect.poll(() => told(run, 'reload').length).toBe(times);
  }
  await run.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.emit('render-process-gone', {}, { reason: 'crashed' } as never),
  );
  await expect.poll(() => told(run, 'showMessageBox').length).toBe(1);
  expect(told(run, 'reload')).toHaveLength(3);
  await run.evaluate(({ double }) => double.boxes[0]?.answer(0));
  await expect.poll(() => told(run, 'reload').length).toBe(4);
});

test('a page whose process is gone is loaded again, and reads everything anew', async () => {
  const run = await start();
  await run.evaluate(({ BrowserWindow, ipcMain, double }) => {
    type Handler = (event: object, name: string, input: unknown) => unknown;
    const { handlers } = ipcMain as unknown as { handlers: Map<string, Handler> };
    const real = handlers.get('studio:call');
    handlers.set('studio:call', (event, name, input) => {
      double.tell('call', name);
      return real?.(event, name, input);
    });
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
  });
  await expect.poll(() => told(run, 'reload').length).toBe(1);
  await expect.poll(() => told(run, 'call')).toContainEqual(['app.info']);
});

test('a notification can be clicked after a long night', async () => {
  const run = await start();
  await armNight(run);
  await closeWindow(run);
  await expect.poll(() => told(run, 'notification').length).toBe(1);
  // What nobody refers to is collected here as it would be in a long night.
  await run.evaluate(async ({ double }) => {
    for (let round = 0; round < 5; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      globalThis.gc?.();
    }
    const [kept] = double.notifications as WeakRef<NodeJS.EventEmitter>[];
    kept?.deref()?.emit('click', {});
  });
  await expect.poll(() => windows(run)).toBe(1);
});

test('a fault that nothing handles ends it in order, with a box that says so', async () => {
  const run = await start();
  await run.evaluate(() => void setImmediate(() => Promise.reject(new Error('only logged'))));
  await run.evaluate(
    () =>
      void setImmediate(() => {
        throw new Error('a bug');
      }),
  );
  expect(await run.ended).toBe(1);
  const words = 'Dailies had to stop: a bug. Nothing that was paid for is lost; start it again and it goes on.';
  expect(told(run, 'showErrorBox')).toEqual([['Dailies', words, { isShown: true }]]);
});

describe('saving a file', () => {
  interface Saved {
    id: string;
    name: string;
    sha256: string;
  }

  /** Into the library, as a page brings it in. */
  const bring = async (run: ElectronRun, name: string, bytes: Buffer): Promise<Saved> => {
    const answer = await run.page.evaluate(
      async ([base, name, text]) => {
        const body = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        return (await fetch(`${base}upload/?name=${name}`, { method: 'PUT', body })).json();
      },
      [run.mediaBase, name, bytes.toString('base64')] as const,
    );
    return (answer as { data: Saved }).data;
  };
  /** The link of the pages: what is behind it, and the name it offers. */
  const save = (run: ElectronRun, href: string, name: string) =>
    run.page.evaluate(`(() => {
      const link = document.createElement('a');
      Object.assign(link, { href: ${JSON.stringify(href)}, download: ${JSON.stringify(name)} });
      document.body.append(link);
      link.click();
      link.remove();
    })()`);

  /** Made by the built-in gateway. */
  const makeClip = async (run: ElectronRun): Promise<Saved> => {
    const { profiles } = (await ask(run, 'profiles.list')) as {
      profiles: { builtin?: boolean; models: { id: string; kind: string }[] }[];
    };
    const model = profiles.find(({ builtin }) => builtin)?.models.find(({ kind }) => kind === 'video')?.id;
    const request = {
      kind: 'video',
      model,
      prompt: 'a lighthouse',
      config: { durationSeconds: 4, resolution: '720p' },
    };
    const { jobs } = (await ask(run, 'jobs.enqueue', { requests: [request] })) as { jobs: { id: string }[] };
    const job = async () =>
      (await ask(run, 'jobs.get', { id: jobs[0]?.id ?? '' })) as { state: string; outputs: Saved[] };
    await expect.poll(async () => (await job()).state, { interval: 200 }).toBe('succeeded');
    return (await job()).outputs[0] ?? { id: '', name: '', sha256: '' };
  };

  test.each([
    ['a picture', (run: ElectronRun) => bring(run, 'fox.png', testPng(32, 18))],
    ['a clip', makeClip],
  ])('%s goes where the dialog says, byte by byte', async (_, make) => {
    const run = await start();
    const asset = await make(run);
    const path = join(folder, 'saved');
    await run.evaluate(`({ double }) => { double.saveTo = ${JSON.stringify(path)}; }`);
    const address = run.page.url();
    await save(run, `/media/${asset.id}`, asset.name);
    const hash = () => existsSync(path) && createHash('sha256').update(readFileSync(path)).digest('hex');
    await expect.poll(hash).toBe(asset.sha256);
    expect(told(run, 'showSaveDialog')).toEqual([[expect.objectContaining({ title: 'Save' })]]);
    expect(run.page.url()).toBe(address);
  });

  test('what a page made itself is saved the same way, and a place that cannot be written is told', async () => {
    const run = await start();
    await run.evaluate(
      `({ double }) => { double.saveTo = ${JSON.stringify(join(folder, 'no', 'such', 'place.csv'))}; }`,
    );
    await run.page.evaluate(`globalThis.made = URL.createObjectURL(new Blob(['a,b'], { type: 'text/csv' }))`);
    await save(run, (await run.page.evaluate('globalThis.made')) as string, 'spend.csv');
    await expect.poll(() => told(run, 'showSaveDialog').length).toBe(1);
    await expect
      .poll(() => told(run, 'showMessageBox'))
      .toEqual([[expect.objectContaining({ message: 'spend.csv could not be saved.' })]]);
  });

  test('nothing else is downloaded, and nobody is asked for it', async () => {
    const run = await start();
    await save(run, 'data:text/plain,planted', 'run-me.sh');
    const asset = await bring(run, 'fox.png', testPng(32, 18));
    await save(run, `/media/${asset.id}`, asset.name);
    await expect.poll(() => told(run, 'showSaveDialog').length).toBe(1);
    expect(told(run, 'showSaveDialog')).toEqual([[expect.objectContaining({ defaultPath: 'fox.png' })]]);
  });
});

test('a large file is sent in pieces of 4 MB, and is the same in the library', async () => {
  const run = await start();
  await run.page.evaluate(() => globalThis.dailies.call('settings.set', { welcomed: true }));
  // A PNG with a great deal behind its end, which belongs to the file.
  const head = testPng(640, 360);
  const large = Buffer.concat([head, Buffer.alloc(10_000_000, 1)]);
  await run.page.evaluate(`location.hash = '#/library'`);
  const bodies = run.evaluate<number[]>(`({ schemes }) => schemes.bodies('studio-media', 3)`);
  await run.page.locator('input[type=file]').first().waitFor({ state: 'attached' });
  await run.page.evaluate(`(() => {
    const picture = Uint8Array.from(atob(${JSON.stringify(head.toString('base64'))}), (letter) => letter.charCodeAt(0));
    const chosen = new DataTransfer();
    chosen.items.add(new File([picture, new Uint8Array(10_000_000).fill(1)], 'large.png', { type: 'image/png' }));
    const input = document.querySelector('input[type=file]');
    input.files = chosen.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  })()`);
  expect(await bodies).toEqual([4_194_304, 4_194_304, large.length - 2 * 4_194_304]);
  const listed = async () =>
    (await ask(run, 'library.list', { limit: 10 })) as { assets: { name: string; sha256: string; bytes: number }[] };
  await expect
    .poll(async () => (await listed()).assets.find(({ name }) => name === 'large.png'))
    .toMatchObject({
      bytes: large.length,
      sha256: createHash('sha256').update(large).digest('hex'),
    });
});
