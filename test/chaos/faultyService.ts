import type { Socket } from 'node:net';
import { chunk, type RawServer, type ReceivedRequest, rawServer, reply } from '../helpers/gateway/rawServer.ts';
import { lastingPort } from '../helpers/lastingPort.ts';
import type { FaultContext } from './faultContext.ts';
import { injectPollFault, injectRequestFault } from './faultInjection.ts';
import type { Api, Fault, Phase } from './matrix.ts';
import { BILL_NANO, MEDIA, pollAnswer, SUBMIT_ANSWER } from './serviceAnswers.ts';

/** A gateway on raw sockets with one fault at one point of a request's life. */
export interface ChaosService {
  url: string;
  /** Another origin, the target of redirects and results. */
  elsewhere: string;
  /** Number of paid requests of which at least one byte arrived. */
  sent(): number;
  /** Its bill in nano-dollars: everything that it may have accepted. */
  bill(): number;
  /** Resolves once it has gone down or come back. */
  transition(): Promise<void>;
  /** Complete requests that the other origin received. */
  thirdPartyRequests(): string[];
  /** Ends all faults and brings it up. */
  recover(): Promise<void>;
  close(): Promise<void>;
}

export interface ServiceClock {
  now(): number;
  after(ms: number, run: () => void): () => void;
}

/** How long polls fail in the poll phase, and how many fail after the task id. */
const POLL_FAULT_MS = 600_000;
const FAULTY_POLLS = 3;
/** How long a gateway that goes down with a request is away. */
const DOWN_MS = 30_000;

/** These faults replace an answer, so after the task id they hit the first polls. */
const BY_ANSWER: readonly Fault[] = ['refused', '5xx', '429', 'redirect'];

export async function startService(api: Api, fault: Fault, phase: Phase, clock: ServiceClock): Promise<ChaosService> {
  const faultsPolls = phase === 'poll' || (phase === 'after the id' && api !== 'chat' && BY_ANSWER.includes(fault));
  const faulty = { requests: !faultsPolls, lookUps: faultsPolls };
  const other = await rawServer((request, socket) => socket.write(mediaReply(request)));
  const stalled = new Set<Socket>();
  let sent = 0;
  let bill = 0;
  let lookUps = 0;
  let faultyPolls = 0;
  let firstFaultAt: number | undefined;
  let transition: Promise<void> = Promise.resolve();

  const context: FaultContext = {
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
    transition = server.close();
    clock.after(ms, comeBack);
  };
  const comeBack = (): void => {
    if (!isDown) return;
    isDown = false;
    transition = transition.then(async () => {
      server = await rawServer(answer, onConnection, server.port);
    });
  };
  const isFaulty = (): boolean => {
    if (!faulty.lookUps) return false;
    firstFaultAt ??= clock.now();
    return phase === 'poll' ? clock.now() - firstFaultAt < POLL_FAULT_MS : faultyPolls < FAULTY_POLLS;
  };
  const answer = (request: ReceivedRequest, socket: Socket): void => {
    if (stalled.has(socket)) return;
    const { path } = request;
    context.key = keyIn(request) || context.key;
    if (isPaidRequest(request)) {
      sent += 1;
      // Faults in front of the gateway and refusals are not billed.
      const taken = !faulty.requests || !(fault === '429' || fault === 'redirect' || phase === 'connect');
      if (taken) bill += BILL_NANO[api];
      if (faulty.requests) {
        faulty.requests = false;
        injectRequestFault(context, socket);
      } else if (api === 'chat') socket.write(completeStream());
      else socket.write(reply(200, JSON.parse(SUBMIT_ANSWER[api][0]) as object));
    } else if (path.startsWith('/media/')) {
      socket.write(reply(302, '', { location: `${other.url}/cdn${path}` }));
    } else if (api === 'chat' || !isLookUp(path)) {
      socket.write(reply(404, { error: { message: 'no such path' } }));
    } else if (isFaulty()) {
      faultyPolls += 1;
      if (fault === 'refused' && phase === 'poll') goDown(POLL_FAULT_MS);
      else injectPollFault(context, socket);
    } else {
      lookUps += 1;
      socket.write(reply(200, pollAnswer(api, server.url, lookUps)));
    }
  };
  /** Acts on the first bytes, before the request is read. */
  const onConnection = (socket: Socket): void => {
    if (phase !== 'connect') return;
    socket.once('data', (bytes) => {
      if (!faulty.requests) return;
      faulty.requests = false;
      sent += 1;
      context.key = /(?:authorization: Bearer|x-api-key:) (\S+)/i.exec(bytes.toString('latin1'))?.[1] ?? '';
      context.stall(socket);
      injectRequestFault(context, socket);
    });
  };
  let server: RawServer = await rawServer(answer, onConnection, await lastingPort());
  if (fault === 'refused' && phase === 'connect') {
    faulty.requests = false;
    goDown(DOWN_MS);
    await transition;
  }
  return {
    url: server.url,
    elsewhere: other.url,
    sent: () => sent,
    bill: () => bill,
    transition: () => transition,
    thirdPartyRequests: () =>
      other.requests.map(({ method, path, headers, body }) => JSON.stringify({ method, path, headers, body })),
    async recover() {
      faulty.requests = false;
      faulty.lookUps = false;
      comeBack();
      await transition;
    },
    close: async () => {
      await transition;
      await Promise.all([server.close(), other.close()]);
    },
  };
}

const isPaidRequest = ({ method, path }: ReceivedRequest): boolean =>
  method === 'POST' && /\/v1\/chat\/completions$|\/submit\/\w+$/.test(path);

const isLookUp = (path: string): boolean => /^\/v1\/videos\/[^/]+$|\/task\/[^/]+\/fetch$/.test(path);

const keyIn = ({ headers }: ReceivedRequest): string =>
  (headers.authorization ?? headers['x-api-key'] ?? '').replace(/^Bearer /, '');

function completeStream(): Buffer {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
  return Buffer.concat([Buffer.from(head), ...SUBMIT_ANSWER.chat.map(chunk), Buffer.from('0\r\n\r\n')]);
}

function mediaReply({ path }: ReceivedRequest): Buffer {
  const media = Object.values(MEDIA).find((known) => path.endsWith(known.path));
  if (!media) return Buffer.from(reply(404, { error: { message: 'nothing here' } }));
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${media.type}\r\ncontent-length: ${media.bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), media.bytes]);
}
