import type { Socket } from 'node:net';
import { chunk, type Got, type RawServer, rawServer, reply } from '../../src/main/core/gateway/testing/rawServer.ts';
import { BILL_NANO, lookUpAnswer, MEDIA, ORDER_ANSWER } from './answers.ts';
import type { Api, Fault, Phase } from './matrix.ts';
import type { Scene } from './scene.ts';
import { strikeLookUp, strikeOrder } from './strikes.ts';

/** A service on bare sockets that meets one fault at one point of an order's life, and is well otherwise. */
export interface ChaosService {
  url: string;
  /** Where redirects and results lead: another origin. */
  elsewhere: string;
  /** Paid requests of which it got at least a byte. */
  sent(): number;
  /** What it bills, in nano-dollars: everything that it may have taken. */
  bill(): number;
  /** It is going down or coming back: nothing should be concluded in between. */
  turning(): Promise<void>;
  /** Requests to the other host, whole, as they came. */
  abroad(): string[];
  /** No more faults, and it is up. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

export interface ServiceClock {
  now(): number;
  after(ms: number, run: () => void): () => void;
}

/** Look-ups of the poll phase are struck for so long, and those after the id so often. */
const POLL_FAULT_MS = 600_000;
const STRUCK_LOOK_UPS = 3;
/** A service that goes down with an order comes back after this long. */
const DOWN_MS = 30_000;

/** These need an answer of their own, so after the id of a task they strike the first look-ups. */
const BY_ANSWER: readonly Fault[] = ['refused', '5xx', '429', 'redirect'];

export async function startService(api: Api, fault: Fault, phase: Phase, clock: ServiceClock): Promise<ChaosService> {
  const strikesLookUps = phase === 'poll' || (phase === 'after the id' && api !== 'chat' && BY_ANSWER.includes(fault));
  const faulty = { orders: !strikesLookUps, lookUps: strikesLookUps };
  const other = await rawServer((request, socket) => socket.write(mediaReply(request)));
  const stalled = new Set<Socket>();
  let sent = 0;
  let bill = 0;
  let lookUps = 0;
  let struck = 0;
  let firstStrike: number | undefined;
  let turning: Promise<void> = Promise.resolve();

  const scene: Scene = {
    api,
    fault,
    phase,
    elsewhere: other.url,
    key: '',
    stall(socket) {
      stalled.add(socket);
      socket.on('close', () => stalled.delete(socket));
    },
    goDown: () => goDown(DOWN_MS),
  };
  let isDown = false;
  const goDown = (ms: number): void => {
    isDown = true;
    turning = server.close();
    clock.after(ms, comeBack);
  };
  const comeBack = (): void => {
    if (!isDown) return;
    isDown = false;
    turning = turning.then(async () => {
      server = await rawServer(answer, onConnection, server.port);
    });
  };
  const struckNow = (): boolean => {
    if (!faulty.lookUps) return false;
    firstStrike ??= clock.now();
    return phase === 'poll' ? clock.now() - firstStrike < POLL_FAULT_MS : struck < STRUCK_LOOK_UPS;
  };
  const answer = (request: Got, socket: Socket): void => {
    if (stalled.has(socket)) return;
    const { path } = request;
    scene.key = keyIn(request) || scene.key;
    if (isOrder(request)) {
      sent += 1;
      // A fault in front of the service, and one that says no, leaves nothing to bill.
      const taken = !faulty.orders || !(fault === '429' || fault === 'redirect' || phase === 'connect');
      if (taken) bill += BILL_NANO[api];
      if (faulty.orders) {
        faulty.orders = false;
        strikeOrder(scene, socket);
      } else if (api === 'chat') socket.write(wholeStream());
      else socket.write(reply(200, JSON.parse(ORDER_ANSWER[api][0]) as object));
    } else if (path.startsWith('/media/')) {
      socket.write(reply(302, '', { location: `${other.url}/cdn${path}` }));
    } else if (api === 'chat' || !isLookUp(path)) {
      socket.write(reply(404, { error: { message: 'no such path' } }));
    } else if (struckNow()) {
      struck += 1;
      if (fault === 'refused' && phase === 'poll') goDown(POLL_FAULT_MS);
      else strikeLookUp(scene, socket);
    } else {
      lookUps += 1;
      socket.write(reply(200, lookUpAnswer(api, server.url, lookUps)));
    }
  };
  /** Before the request has been read: the first bytes are enough. */
  const onConnection = (socket: Socket): void => {
    if (phase !== 'connect') return;
    socket.once('data', (bytes) => {
      if (!faulty.orders) return;
      faulty.orders = false;
      sent += 1;
      scene.key = /(?:authorization: Bearer|x-api-key:) (\S+)/i.exec(bytes.toString('latin1'))?.[1] ?? '';
      scene.stall(socket);
      strikeOrder(scene, socket);
    });
  };
  let server: RawServer = await rawServer(answer, onConnection);
  if (fault === 'refused' && phase === 'connect') {
    faulty.orders = false;
    goDown(DOWN_MS);
    await turning;
  }
  return {
    url: server.url,
    elsewhere: other.url,
    sent: () => sent,
    bill: () => bill,
    turning: () => turning,
    abroad: () => other.got.map(({ method, path, headers, body }) => JSON.stringify({ method, path, headers, body })),
    async mend() {
      faulty.orders = false;
      faulty.lookUps = false;
      comeBack();
      await turning;
    },
    close: async () => {
      await turning;
      await Promise.all([server.close(), other.close()]);
    },
  };
}

const isOrder = ({ method, path }: Got): boolean =>
  method === 'POST' && /\/v1\/chat\/completions$|\/submit\/\w+$/.test(path);

const isLookUp = (path: string): boolean => /^\/v1\/videos\/[^/]+$|\/task\/[^/]+\/fetch$/.test(path);

const keyIn = ({ headers }: Got): string =>
  (headers.authorization ?? headers['x-api-key'] ?? '').replace(/^Bearer /, '');

function wholeStream(): Buffer {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
  return Buffer.concat([Buffer.from(head), ...ORDER_ANSWER.chat.map(chunk), Buffer.from('0\r\n\r\n')]);
}

function mediaReply({ path }: Got): Buffer {
  const media = Object.values(MEDIA).find((known) => path.endsWith(known.path));
  if (!media) return Buffer.from(reply(404, { error: { message: 'nothing here' } }));
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${media.type}\r\ncontent-length: ${media.bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), media.bytes]);
}
