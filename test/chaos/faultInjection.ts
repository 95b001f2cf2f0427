import type { Socket } from 'node:net';
import { chunk, reply, STREAM_END, STREAM_HEAD } from '../helpers/gateway/rawServer.ts';
import type { FaultContext } from './faultContext.ts';
import { SUBMIT_ANSWER } from './serviceAnswers.ts';

/** The faults on the wire. Answers repeat the key in every place and encoding that a bad gateway could use. */

/** Injects a fault into the answer to a request, after the part that has arrived in that phase. */
export function injectRequestFault(context: FaultContext, socket: Socket): void {
  switch (context.fault) {
    case 'refused':
    case 'reset':
    case 'stall':
    case 'truncated':
      return interrupt(context, socket, partialAnswer(context));
    case 'garbage':
      return garbageAnswer(context, socket);
    default:
      return statusAnswer(context, socket);
  }
}

/** Injects a fault into a poll, which is free and may be repeated. */
export function injectPollFault(context: FaultContext, socket: Socket): void {
  switch (context.fault) {
    case 'refused':
    case 'reset':
    case 'stall':
      return interrupt(context, socket, '');
    case 'truncated':
      return interrupt(context, socket, head(500, 'application/json') + half(leakedKeyText(context)));
    case 'garbage':
      return void socket.write(
        Buffer.concat([Buffer.from(head(randomBytes(context).length, 'application/json')), randomBytes(context)]),
      );
    case '5xx':
      return void socket.write(reply(500, errorBody(context, 'internal_error'), echo(context)));
    case '429':
      return void socket.write(reply(429, errorBody(context, 'slow down'), { 'retry-after': '7', ...echo(context) }));
    case 'redirect':
      return void socket.write(reply(302, '', { location: awayTo(context), ...echo(context) }));
  }
}

/** The part of a good answer that has arrived when the fault occurs. */
function partialAnswer({ api, phase }: FaultContext): Buffer | string {
  const [first] = SUBMIT_ANSWER[api];
  const chat = api === 'chat';
  switch (phase) {
    case 'connect':
      return '';
    case 'headers':
      return 'HTTP/1.1 200 OK\r\ncontent-ty';
    case 'first byte':
      return chat ? STREAM_HEAD : head(500, 'application/json');
    case 'mid-body':
      return chat
        ? Buffer.concat([Buffer.from(STREAM_HEAD), chunk(half(first))])
        : head(500, 'application/json') + half(first);
    default:
      return chat
        ? Buffer.concat([Buffer.from(STREAM_HEAD), chunk(first)])
        : head(first.length + 40, 'application/json') + first;
  }
}

/** Ends or stalls the connection once everything before is sent. */
function interrupt(context: FaultContext, socket: Socket, begun: Buffer | string): void {
  const strike = (): void => {
    if (context.fault === 'reset') socket.resetAndDestroy();
    else if (context.fault === 'stall') context.stall(socket);
    else if (context.fault === 'truncated' || context.phase === 'after the id') socket.end();
    if (context.fault === 'refused') context.goDown();
  };
  if (context.fault === 'stall') context.stall(socket);
  if (begun.length === 0) strike();
  else socket.write(begun, strike);
}

function garbageAnswer(context: FaultContext, socket: Socket): void {
  const { api, phase } = context;
  const [first] = SUBMIT_ANSWER[api];
  const bytes = randomBytes(context);
  if (phase === 'connect') return void socket.end(`SSH-2.0-OpenSSH_9.9 ${context.key}\r\n`);
  if (phase === 'headers') return void socket.end(bytes);
  const begun = phase === 'first byte' ? '' : phase === 'mid-body' ? half(first) : first;
  if (api === 'chat') {
    const pieces = [begun, bytes, '\n\n'].filter((piece) => piece.length > 0).map(chunk);
    return void socket.end(Buffer.concat([Buffer.from(STREAM_HEAD), ...pieces, Buffer.from(STREAM_END)]));
  }
  const body = Buffer.concat([Buffer.from(begun), bytes]);
  socket.end(Buffer.concat([Buffer.from(head(body.length, 'application/json')), body]));
}

/** Answers with an error status. In the connect phase it states Retry-After; in later phases the answer breaks off. */
function statusAnswer(context: FaultContext, socket: Socket): void {
  const { api, fault, phase } = context;
  if (phase === 'after the id' && api === 'chat') {
    const error = JSON.parse(errorBody(context, fault === '429' ? 'rate_limit_exceeded' : 'server_error')) as object;
    const pieces = [SUBMIT_ANSWER.chat[0], `data: ${JSON.stringify(error)}\n\n`].map(chunk);
    return void socket.end(Buffer.concat([Buffer.from(STREAM_HEAD), ...pieces, Buffer.from(STREAM_END)]));
  }
  const status = { '5xx': phase === 'connect' ? 503 : phase === 'headers' ? 502 : 500, '429': 429, redirect: 302 }[
    fault as '5xx' | '429' | 'redirect'
  ];
  const headers = {
    ...(fault === 'redirect' ? { location: awayTo(context) } : {}),
    ...(phase === 'connect' && fault !== 'redirect' ? { 'retry-after': '7' } : {}),
    ...echo(context),
  };
  if (phase === 'connect') return void socket.end(reply(status, errorBody(context, 'not now'), headers));
  if (phase === 'headers') return void socket.end(reply(status, '', headers));
  const promised = { ...headers, 'content-type': 'application/json', 'content-length': '900' };
  const lines = Object.entries(promised).map(([name, value]) => `${name}: ${value}\r\n`);
  const begun = phase === 'first byte' ? '' : half(errorBody(context, 'something broke'));
  socket.end(`HTTP/1.1 ${status} ${context.key}\r\n${lines.join('')}\r\n${begun}`);
}

const head = (length: number, type: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;

const half = (text: string): string => text.slice(0, Math.floor(text.length / 2));

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The key in headers. Request ids are stored and shown, so they are the likeliest way to the disk. */
const echo = ({ key }: FaultContext): Record<string, string> => ({
  'x-request-id': `req-${key}`,
  'x-debug-authorization': `Bearer ${key}`,
});

const awayTo = ({ elsewhere, key }: FaultContext): string => `${elsewhere}/v1/moved?api_key=${encodeURIComponent(key)}`;

const leakedKeyText = ({ key }: FaultContext): string =>
  `got your header Authorization: Bearer ${key} (${base64(`Bearer ${key}`)}), sorry for that`;

function errorBody(context: FaultContext, word: string): string {
  const message = `${word}: ${leakedKeyText(context)}`;
  return JSON.stringify({ error: { message, type: word, param: context.key }, request_id: `req-${context.key}` });
}

/** Neither HTTP, JSON nor text; contains the key as text, base64 and UTF-16. */
function randomBytes(context: FaultContext): Buffer {
  const bytes = Buffer.from(Array.from({ length: 96 }, (_, index) => 128 + ((index * 37) % 127)));
  return Buffer.concat([bytes, Buffer.from(leakedKeyText(context)), Buffer.from(context.key, 'utf16le'), bytes]);
}
