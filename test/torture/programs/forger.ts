import net from 'node:net';
import { randomOf } from '../options.ts';

/**
 * `forger.ts PORT JOB COUNT SEED`: calls the webhook receiver in many ways without a valid secret, and prints the number of calls of each
 * kind. A call ends with an answer or a closed socket.
 */
const [port = 0, count = 0, seed = 1] = [process.argv[2], process.argv[4], process.argv[5]].map(Number);
const job = process.argv[3] ?? '';
const random = randomOf(seed);

const WORKERS = 32;
const PIPELINED = 20;
const HUGE_BYTES = 8 * 1024 * 1024;

const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const hex = (length: number): string => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
const forgedPath = (): string =>
  pick([
    `/hooks/${job}/${hex(32)}`,
    `/hooks/${job}/${hex(64)}`,
    `/hooks/job_${hex(12)}/${hex(32)}`,
    `/hooks/__proto__/${hex(32)}`,
    `/hooks/${job}/`,
    `/hooks/${job}/${'0'.repeat(32)}?secret=${hex(32)}`,
    `/hooks//${job}//${hex(32)}`,
    `/../hooks/${job}/%00${hex(30)}`,
    `/${hex(200)}`,
    '*',
  ]);
const post = (path: string, body: string, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const done = (): string => JSON.stringify({ jobId: job, status: 'SUCCESS', imageUrl: 'http://127.0.0.1:9/x.png' });

/** The bytes of a call; `calls` if they contain several. */
const KINDS: Record<string, () => { bytes: string; calls?: number; huge?: boolean }> = {
  'wrong secrets': () => ({ bytes: post(forgedPath(), done()) }),
  pipelined: () => ({
    bytes: Array.from({ length: PIPELINED }, () => post(forgedPath(), done())).join(''),
    calls: PIPELINED,
  }),
  methods: () => ({
    bytes: `${pick(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND', 'CONNECT', 'BREW'])} ${forgedPath()} HTTP/1.1\r\nHost: x\r\n\r\n`,
  }),
  'malformed bodies': () => ({
    bytes: pick([
      post(forgedPath(), '{"status":'),
      post(forgedPath(), '\u0000\uffff'.repeat(500)),
      post(forgedPath(), '['.repeat(20_000)),
      `POST ${forgedPath()} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nnot a chunk`,
      `POST ${forgedPath()} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ]),
  }),
  'header floods': () => ({
    bytes: `POST / HTTP/1.1\r\n${`x-${hex(8)}: ${hex(200)}\r\n`.repeat(pick([20, 300]))}\r\n`,
  }),
  'no HTTP': () => ({ bytes: pick(['\r\n\r\n\r\n', '\u0016\u0003\u0001', 'HELO x\r\n\r\n', `GET ${hex(20_000)}`]) }),
  'huge bodies': () => ({ bytes: '', huge: true }),
};

const made: Record<string, number> = {};
let left = count;
/** Weights out of 16; a huge body is one in a thousand. */
const GOES = { 'wrong secrets': 5, methods: 4, 'malformed bodies': 2, 'header floods': 2, 'no HTTP': 1, pipelined: 2 };
const shares = Object.entries(GOES).flatMap(([kind, goes]) => Array.from({ length: goes }, () => kind));
await Promise.all(Array.from({ length: WORKERS }, work));
console.log(JSON.stringify(made));

async function work(): Promise<void> {
  while (left > 0) {
    const kind = random() < 0.001 ? 'huge bodies' : pick(shares);
    const { bytes, calls = 1, huge = false } = KINDS[kind]?.() ?? { bytes: '' };
    left -= calls;
    await call(bytes, calls, huge);
    made[kind] = (made[kind] ?? 0) + calls;
  }
}

function call(bytes: string, calls: number, huge: boolean): Promise<void> {
  return new Promise((over) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      if (!huge) socket.write(bytes);
      else stream(socket);
    });
    let answers = 0;
    socket.on('data', (data) => {
      answers += String(data).split('HTTP/1.1 ').length - 1;
      if (!huge && answers >= calls) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.once('close', () => over());
    // An incomplete call gets no answer, so it waits only briefly.
    if (!huge && calls === 1) socket.setTimeout(250, () => socket.destroy());
  });
}

/** Sends until the connection is closed. */
function stream(socket: net.Socket): void {
  socket.write(`POST ${forgedPath()} HTTP/1.1\r\nHost: x\r\nContent-Length: ${HUGE_BYTES}\r\n\r\n`);
  const piece = Buffer.alloc(64 * 1024, 'x');
  let sent = 0;
  const pump = (): void => {
    for (let more = true; more && sent < HUGE_BYTES && !socket.destroyed; sent += piece.length)
      more = socket.write(piece);
    if (sent >= HUGE_BYTES) socket.end();
  };
  socket.on('drain', pump);
  pump();
}
