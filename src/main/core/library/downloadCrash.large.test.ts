import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  askedFrom,
  clientOf,
  closeAfterEach,
  file,
  LARGE,
  rest,
  serve,
  sha256,
} from '../../../../test/helpers/downloadHarness.ts';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { ContentInUse } from './content/contentStore.ts';
import { download } from './downloads/download.ts';

closeAfterEach();

const here = (name: string): string => JSON.stringify(path.join(import.meta.dirname, name));

/** Downloads once in a process of its own, which is killed with SIGKILL right after its n-th step on the disk. */
const PROGRAM = `
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
const [url, dataDir, killAt] = process.argv.slice(2);
let steps = 0;
function watch(calls, name) {
  const real = calls[name];
  calls[name] = async function (...args) {
    const value = await real.apply(this, args);
    if (++steps === Number(killAt)) process.kill(process.pid, 'SIGKILL');
    return value;
  };
}
const handle = await fs.open(dataDir);
for (const name of ['sync', 'datasync']) watch(Object.getPrototypeOf(handle), name);
await handle.close();
for (const name of ['mkdir', 'writeFile', 'rename', 'open']) watch(fs, name);
syncBuiltinESMExports();
const { download } = await import(${here('downloads/download.ts')});
const { ContentInUse } = await import(${here('content/contentStore.ts')});
const { createGateway } = await import(${here('../gateway/index.ts')});
const { profileSchema } = await import(${here('../../../shared/gateway/profile.ts')});
const open = createGateway({ now: Date.now, after: () => () => {}, recall: () => ({}), remember: () => {} });
const gateway = open({ ...profileSchema.parse({ baseUrl: url }), id: 'p', name: 'P' }, {});
const { signal } = new AbortController();
await download({ id: 'as_1', uri: url + '/a', mime: '', badResponses: 0 }, { home: dataDir, gateway, signal, inUse: new ContentInUse(), freeBytes: () => 1e12 });
process.exit(0);
`;

function runKilled(url: string, dataDir: string, killAt: number): Promise<NodeJS.Signals | null> {
  const program = path.join(tempDir('program'), 'program.mjs');
  fs.writeFileSync(program, PROGRAM);
  const child = spawn(process.execPath, [program, url, dataDir, String(killAt)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((ended) => child.on('exit', (_code, signal) => ended(signal)));
}

function finals(dataDir: string): { name: string; sha256: string }[] {
  const library = path.join(dataDir, 'library');
  const all = fs.readdirSync(library, { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile() && path.basename(entry.parentPath) !== 'parts')
    .map((entry) => ({ name: entry.name, sha256: sha256(fs.readFileSync(path.join(entry.parentPath, entry.name))) }));
}

test('killed after any step on the disk, only complete files have final names, and the next start finishes the download', async () => {
  const server = await serve((request, socket) => {
    const from = askedFrom(request);
    socket.end(from > 0 ? rest(LARGE, from, { etag: '"v"' }) : file(LARGE, { etag: '"v"' }));
  });
  let kills = 0;
  for (let step = 1; ; step++) {
    const dataDir = tempDir('kill');
    if ((await runKilled(server.url, dataDir, step)) === null) break;
    kills += 1;
    for (const final of finals(dataDir)) expect(final.name, `after step ${step}`).toBe(`${final.sha256}.png`);
    const { gateway } = clientOf(server.url);
    const { signal } = new AbortController();
    const wanted = { id: 'as_1', uri: `${server.url}/a`, mime: '', badResponses: 0 };
    const inUse = new ContentInUse();
    const received = await download(wanted, { home: dataDir, gateway, signal, inUse, freeBytes: () => 1e12 });
    expect(received, `after step ${step}`).toMatchObject({ type: 'local', file: { sha256: sha256(LARGE) } });
    expect(finals(dataDir)).toEqual([{ name: `${sha256(LARGE)}.png`, sha256: sha256(LARGE) }]);
    await gateway.close();
  }
  // The folder of parts, the note twice, the shard's folder, the move, and the syncs.
  expect(kills).toBeGreaterThan(8);
});
