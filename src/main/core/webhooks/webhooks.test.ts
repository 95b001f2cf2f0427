import net from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { countingIds, silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { profileSchema } from '../../../shared/gateway/profile.ts';
import { createCoreEvents } from '../coreEvents.ts';
import type { SocketLimits } from './receiver.ts';
import { startWebhooks } from './webhooks.ts';

const profile = { ...profileSchema.parse({ baseUrl: 'https://gateway.example' }), id: 'p', name: 'P' };
const SECRET = 'ab'.repeat(16);
const closings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/** A receiver on a real port, recording the reported jobs in order and its queries for open jobs. */
async function receiver(limits?: SocketLimits, dataDir = tempDir('hooks')) {
  const clock = new TestClock();
  const store = openTestStore({ dataDir, clock });
  const receipts: string[] = [];
  const jobs = {
    openWebhooks: () => [{ jobId: 'job_old', secret: SECRET }],
    lacksTaskId: (id: string) => id === 'job_lost',
  };
  const events = createCoreEvents();
  events.on('webhook.received', (id) => void receipts.push(id));
  events.on('webhook.bodyReceived', (id, body) => void receipts.push(`${id}: ${body}`));
  const hooks = await startWebhooks({ clock, ids: countingIds(), log: silentLog, store, jobs, events }, limits);
  const url = new URL(hooks.urlFor(profile, 'job_1', SECRET));
  const close = async () => {
    await hooks.close();
    store.close();
  };
  return { clock, hooks, receipts, url, port: Number(url.port), close, dataDir };
}

async function started(limits?: SocketLimits) {
  const harness = await receiver(limits);
  closings.push(harness.close);
  return harness;
}

interface Client {
  socket: net.Socket;
  /** All that came back until the socket ended. */
  ended: Promise<string>;
  /** Resolves with the first bytes of an answer. */
  answered: Promise<string>;
}

function connect(port: number): Promise<Client> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => resolve({ socket, ended, answered }));
    let got = '';
    socket.on('error', () => undefined);
    const answered = new Promise<string>((done) => socket.once('data', (bytes) => done(String(bytes))));
    socket.on('data', (bytes) => {
      got += String(bytes);
    });
    const ended = new Promise<string>((done) => socket.once('close', () => done(got)));
    closings.push(() => void socket.destroy());
  });
}

const post = (path: string, body = '{}'): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

async function say(port: number, bytes: string): Promise<string> {
  const { socket, answered } = await connect(port);
  socket.write(bytes);
  return answered;
}

test('where no more sockets can be had, that is no end: the next call arrives', async () => {
  const listen = vi.spyOn(net.Server.prototype, 'listen');
  const { port, url, receipts } = await started();
  const server = listen.mock.contexts[0];
  listen.mockRestore();
  if (!(server instanceof net.Server)) throw new Error('nothing listens');
  server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }));
  await say(port, post(url.pathname));
  expect(receipts).toEqual(['job_1']);
});

describe('a true call', () => {
  test('polls its job, whatever it contains, and is answered 204 before its body has come', async () => {
    const { port, url, receipts } = await started();
    const head = `POST ${url.pathname}?x=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{"half`;
    expect(await say(port, head)).toContain('204');
    expect(await say(port, post(`/tunnel${url.pathname}/`, '\u0000 no json'))).toContain('204');
    expect(await say(port, `GET ${url.pathname} HTTP/1.1\r\nHost: x\r\n\r\n`)).toContain('204');
    expect(receipts).toEqual(['job_1', 'job_1', 'job_1']);
  });

  test('arrives for a job that an earlier run sent, at the port that run had', async () => {
    const first = await receiver();
    await first.close();
    const second = await receiver(undefined, first.dataDir);
    closings.push(second.close);
    expect(second.port).toBe(first.port);
    await say(second.port, post(`/hooks/job_old/${SECRET}`));
    expect(second.receipts).toEqual(['job_old']);
  });

  test('its body is read only for a job whose task is unknown', async () => {
    const { hooks, port, url, receipts } = await started();
    const lost = new URL(hooks.urlFor(profile, 'job_lost', SECRET));
    await say(port, post(lost.pathname, '{"id":1}'));
    await say(port, post(url.pathname, '{"id":2}'));
    expect(receipts).toEqual(['job_lost', 'job_lost: {"id":1}', 'job_1']);
  });

  test('arrives also if the usual port is occupied: any free one is used', async () => {
    const first = await started();
    const second = await receiver(undefined, first.dataDir);
    closings.push(second.close);
    expect(second.port).not.toBe(first.port);
  });

  test('several on one connection are each answered', async () => {
    const { port, url, receipts } = await started();
    const { socket, ended } = await connect(port);
    socket.write(post(url.pathname).repeat(3) + post(url.pathname).replace('Host: x', 'Host: x\r\nConnection: close'));
    expect((await ended).match(/204 No Content/g)).toHaveLength(4);
    expect(receipts).toHaveLength(4);
  });
});

describe('anything else', () => {
  test.each([
    ['a wrong secret', `/hooks/job_1/${'ac'.repeat(16)}`],
    ['a secret that only begins right', `/hooks/job_1/${SECRET}ff`],
    ['a secret that is cut', `/hooks/job_1/${SECRET.slice(2)}`],
    ['another job', `/hooks/job_2/${SECRET}`],
    ['no job', `/hooks//${SECRET}`],
    ['another path', '/'],
    ['a path that climbs', `/hooks/../hooks/%2e%2e/${SECRET}`],
    ['a name of the language', `/hooks/__proto__/${SECRET}`],
  ])('%s is answered the same and polls no job', async (_name, path) => {
    const { port, receipts } = await started();
    expect((await say(port, post(path))).split('\r\n')[0]).toBe('HTTP/1.1 204 No Content');
    expect(receipts).toEqual([]);
  });

  test.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000'],
    ['too many headers', `POST / HTTP/1.1\r\n${'a: b\r\n'.repeat(5_000)}\r\n`],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  ])('%s is refused and its socket closed', async (_name, bytes) => {
    const { port, receipts, url } = await started();
    const { socket, ended } = await connect(port);
    socket.write(bytes);
    expect(await ended).not.toContain('204');
    expect(await say(port, post(url.pathname))).toContain('204');
    expect(receipts).toEqual(['job_1']);
  });

  test('a body above 1 MiB is not read to its end', async () => {
    const { port, url, receipts } = await started();
    const { socket, ended } = await connect(port);
    const size = 64 * 1024 * 1024;
    socket.write(`POST ${url.pathname} HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n`);
    const piece = Buffer.alloc(64 * 1024);
    const pump = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', pump);
    pump();
    expect(await ended).toContain('204');
    // What the system's own buffers hold comes besides.
    expect(socket.bytesWritten).toBeLessThan(size / 2);
    expect(receipts).toEqual(['job_1']);
  });
});

describe('slow and silent sockets', () => {
  test('do not delay a true call: it is answered while all 200 are still open, and then they are cut', async () => {
    const { port, url, receipts, clock } = await started();
    const order: string[] = [];
    const slow = await Promise.all(Array.from({ length: 200 }, () => connect(port)));
    slow.forEach(({ socket, ended }, n) => {
      socket.write(n % 2 === 0 ? 'POST /hooks/x HTTP/1.1\r\nX-Slow: ' : post('/hooks/x', 'y'.repeat(90)).slice(0, -5));
      void ended.then(() => order.push('slow'));
    });
    await say(port, post(url.pathname));
    order.push('true');
    expect(receipts).toEqual(['job_1']);
    for (const { socket } of slow) socket.write('z');
    await clock.advance(10_500);
    await Promise.all(slow.map(({ ended }) => ended));
    expect(order).toEqual(['true', ...slow.map(() => 'slow')]);
  });

  test('a flood of idle ones pushes out its own oldest, never the true call', async () => {
    const limits = { softLimit: 20, minAgeMs: 1_000, hardLimit: 60, idleMs: 10_000 };
    const { port, url, receipts, clock } = await started(limits);
    const early = await Promise.all(Array.from({ length: 20 }, () => connect(port)));
    for (const { socket } of early) socket.write(post('/'));
    await Promise.all(early.map(({ answered }) => answered));
    await clock.advance(1_000);
    const late = await Promise.all(Array.from({ length: 20 }, () => connect(port)));
    await Promise.all(early.map(({ ended }) => ended));
    expect(await say(port, post(url.pathname))).toContain('204');
    expect(receipts).toEqual(['job_1']);
    expect(late.every(({ socket }) => !socket.destroyed)).toBe(true);
  });

  test('however many come at once, there are never more than the most that are kept', async () => {
    const { port, url, receipts } = await started({ softLimit: 5, minAgeMs: 60_000, hardLimit: 10, idleMs: 60_000 });
    const many = await Promise.all(Array.from({ length: 40 }, () => connect(port)));
    let open = many.length;
    await new Promise<void>((done) => {
      for (const { ended } of many) void ended.then(() => (--open <= 10 ? done() : undefined));
    });
    expect(await say(port, post(url.pathname))).toContain('204');
    expect(receipts).toEqual(['job_1']);
  });
});
