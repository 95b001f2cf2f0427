import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ElectronRun } from '../helpers/electron.ts';
import { ask, electronRuns, told } from '../helpers/electronRuns.ts';
import { testPng } from '../helpers/png.ts';

/** Saving and large uploads in the Electron host. */

const { folder, start } = electronRuns();

describe('saving a file', () => {
  interface Saved {
    id: string;
    name: string;
    sha256: string;
  }

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
  /** Clicks a download link as pages do. */
  const save = (run: ElectronRun, href: string, name: string) =>
    run.page.evaluate(`(() => {
      const link = document.createElement('a');
      Object.assign(link, { href: ${JSON.stringify(href)}, download: ${JSON.stringify(name)} });
      document.body.append(link);
      link.click();
      link.remove();
    })()`);

  /** Drags an item out of the Library page; returns the path that the system gets. */
  const dragOut = async (run: ElectronRun, id: string): Promise<string> => {
    await ask(run, 'settings.set', { welcomed: true });
    await run.page.evaluate("location.hash = '#/library'");
    await run.page.locator(`#asset-${id}`).hover();
    await run.page.mouse.down();
    await run.page.mouse.move(20, 20, { steps: 4 });
    await expect.poll(() => told(run, 'startDrag').length).toBe(1);
    await run.page.mouse.up();
    return String(told(run, 'startDrag')[0]?.[0]);
  };

  /** Makes a clip with the built-in sandbox. */
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

  test('a clip goes where the dialog says, byte by byte, and is dragged out', async () => {
    const run = await start();
    const asset = await makeClip(run);
    const path = join(folder(), 'saved');
    await run.evaluate(`({ double }) => { double.saveTo = ${JSON.stringify(path)}; }`);
    const address = run.page.url();
    await save(run, `/media/${asset.id}`, asset.name);
    const hash = () => existsSync(path) && createHash('sha256').update(readFileSync(path)).digest('hex');
    await expect.poll(hash).toBe(asset.sha256);
    // The record of the dialog may arrive after the file exists.
    await expect.poll(() => told(run, 'showSaveDialog')).toEqual([[expect.objectContaining({ title: 'Save' })]]);
    expect(run.page.url()).toBe(address);
    const dragged = await dragOut(run, asset.id);
    expect(createHash('sha256').update(readFileSync(dragged)).digest('hex')).toBe(asset.sha256);
    expect(dragged).toContain(join(folder(), 'dragged', 'given'));
    expect(await run.stop()).toBe(0);
    expect(existsSync(dragged), 'an editing program links to it').toBe(true);
  });

  test('files that a page created are saved the same way, and a path that cannot be written is reported', async () => {
    const run = await start();
    await run.evaluate(
      `({ double }) => { double.saveTo = ${JSON.stringify(join(folder(), 'no', 'such', 'place.csv'))}; }`,
    );
    await run.page.evaluate(`globalThis.made = URL.createObjectURL(new Blob(['a,b'], { type: 'text/csv' }))`);
    await save(run, (await run.page.evaluate('globalThis.made')) as string, 'spend.csv');
    await expect.poll(() => told(run, 'showSaveDialog').length).toBe(1);
    await expect
      .poll(() => told(run, 'showMessageBox'))
      .toEqual([[expect.objectContaining({ message: 'spend.csv could not be saved.' })]]);
  });

  test('other addresses are not downloaded, and no dialog opens', async () => {
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
  // A PNG with data after its end, which must be kept.
  const head = testPng(640, 360);
  const large = Buffer.concat([head, Buffer.alloc(10_000_000, 1)]);
  await run.page.evaluate(`location.hash = '#/library'`);
  const bodies = run.evaluate<number[]>(`({ schemes }) => schemes.bodies('studio-media', 3)`);
  await run.page.getByLabel('Import files').waitFor({ state: 'attached' });
  await run.page.evaluate(`(() => {
    const picture = Uint8Array.from(atob(${JSON.stringify(head.toString('base64'))}), (letter) => letter.charCodeAt(0));
    const chosen = new DataTransfer();
    chosen.items.add(new File([picture, new Uint8Array(10_000_000).fill(1)], 'large.png', { type: 'image/png' }));
    const input = document.querySelector('[aria-label="Import files"]');
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
