import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { createGateway } from '../../src/main/core/gateway/index.ts';
import { ContentInUse } from '../../src/main/core/library/content/contentStore.ts';
import { download } from '../../src/main/core/library/downloads/download.ts';
import { contentPath } from '../../src/main/core/library/index.ts';
import { profileSchema } from '../../src/shared/gateway/profile.ts';
import { type Figure, realClock } from './figures.ts';

/**
 * Downloads one large result from a server in its own process into the library, compared with `cp` and `sha256sum` of the same file. All
 * end with a sync.
 */

const MEGABYTES = 1_024;
const ROUNDS = 3;
/** The system's `sha256sum`, if there is one. */
const HASHER = 'sha256sum';

/** Serves a picture with a very long private chunk before its end. */
const SERVER = `
import net from 'node:net';
import zlib from 'node:zlib';
const size = Number(process.argv[1]);
const block = Buffer.alloc(4 * 1024 * 1024);
for (let at = 0; at < block.length; at++) block[at] = ((at * 2654435761) >>> 13) & 255;
const u32 = (n) => { const b = Buffer.alloc(4); b.writeUInt32BE(n); return b; };
const chunk = (type, data = Buffer.alloc(0)) => {
  const named = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([u32(data.length), named, u32(zlib.crc32(named))]);
};
const header = Buffer.concat([u32(1), u32(1), Buffer.from([8, 2, 0, 0, 0])]);
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
const front = Buffer.concat([signature, chunk('IHDR', header), u32(size), Buffer.from('teSt')]);
const back = Buffer.concat([u32(0), chunk('IDAT', zlib.deflateSync(Buffer.alloc(4))), chunk('IEND')]);
const length = front.length + size + back.length;
const server = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', () => {
    socket.write('HTTP/1.1 200 OK\\r\\ncontent-type: image/png\\r\\netag: "bench"\\r\\ncontent-length: ' + length + '\\r\\n\\r\\n');
    socket.write(front);
    let left = size;
    const more = () => {
      while (left > 0) {
        const piece = block.subarray(0, Math.min(left, block.length));
        left -= piece.length;
        if (!socket.write(piece)) return socket.once('drain', more);
      }
      socket.write(back);
    };
    more();
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

export async function benchDownload(): Promise<Figure[]> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-download-'));
  const bytes = MEGABYTES * 1024 * 1024;
  const server = spawn(process.execPath, ['--input-type=module', '-e', SERVER, String(bytes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const port = await new Promise<number>((heard) => server.stdout.once('data', (line) => heard(Number(line))));
    const url = `http://127.0.0.1:${port}`;
    const open = createGateway({ ...realClock, recall: () => ({}), remember: () => undefined });
    const gateway = open({ ...profileSchema.parse({ baseUrl: url }), id: 'bench', name: 'Bench' }, {});
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const file = await timed(ours, () => downloadOne(gateway, `${url}/a.png`, dataDir));
      await timed(theirs, () => copyAndHash(file, `${file}.copy`));
      fs.rmSync(path.join(dataDir, 'library'), { recursive: true });
    }
    await gateway.close();
    const speed = (seconds: number[]): number => bytes / 1e6 / Math.min(...seconds);
    return [
      { name: 'download, hash, write and sync, ours', value: speed(ours), unit: 'MB/s' },
      { name: 'cp, sha256sum and sync of the same file', value: speed(theirs), unit: 'MB/s' },
      { name: 'ours beside cp and sha256sum', value: speed(ours) / speed(theirs), unit: '×' },
    ];
  } finally {
    server.kill();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

async function timed<T>(seconds: number[], work: () => Promise<T> | T): Promise<T> {
  const start = performance.now();
  const value = await work();
  seconds.push((performance.now() - start) / 1000);
  return value;
}

async function downloadOne(
  gateway: Parameters<typeof download>[1]['gateway'],
  uri: string,
  dataDir: string,
): Promise<string> {
  const { signal } = new AbortController();
  const received = await download(
    { id: 'bench', uri, badResponses: 0 },
    { home: dataDir, gateway, signal, inUse: new ContentInUse(), freeBytes: () => 1e13 },
  );
  if (received.type !== 'local') throw new Error(`the download ended ${received.type}`);
  return contentPath(dataDir, received.file.sha256, received.file.extension);
}

/** The same work by the system's own tools. */
function copyAndHash(from: string, to: string): void {
  execFileSync('cp', [from, to]);
  const hash = execFileSync(HASHER, [to], { encoding: 'utf8' }).slice(0, 64);
  execFileSync('sync', ['-d', to]);
  if (!path.basename(from).startsWith(hash)) throw new Error('the file does not carry its own hash');
}
