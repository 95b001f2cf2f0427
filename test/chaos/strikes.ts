import type { Socket } from 'node:net';
import { chunk, reply, STREAM_END, STREAM_HEAD } from '../../src/main/core/gateway/testing/rawServer.ts';
import { ORDER_ANSWER } from './answers.ts';
import type { Scene } from './scene.ts';

/** How each fault looks on the wire. Whatever is said repeats the key in every place and spelling a careless service could find. */

/** Strikes an order at its phase: first what had come until then, then the fault. */
export function strikeOrder(scene: Scene, socket: Socket): void {
  switch (scene.fault) {
    case 'refused':
    case 'reset':
    case 'stall':
    case 'truncated':
      return breakOff(scene, socket, begunAnswer(scene));
    case 'garbage':
      return garbageAnswer(scene, socket);
    default:
      return statusAnswer(scene, socket);
  }
}

/** Strikes a look-up, which is free and may be asked again. */
export function strikeLookUp(scene: Scene, socket: Socket): void {
  switch (scene.fault) {
    case 'refused':
    case 'reset':
    case 'stall':
      return breakOff(scene, socket, '');
    case 'truncated':
      return breakOff(scene, socket, head(500, 'application/json') + half(noise(scene)));
    case 'garbage':
      return void socket.write(Buffer.concat([Buffer.from(head(junk(scene).length, 'application/json')), junk(scene)]));
    case '5xx':
      return void socket.write(reply(500, errorBody(scene, 'internal_error'), echo(scene)));
    case '429':
      return void socket.write(reply(429, errorBody(scene, 'slow down'), { 'retry-after': '7', ...echo(scene) }));
    case 'redirect':
      return void socket.write(reply(302, '', { location: awayTo(scene), ...echo(scene) }));
  }
}

/** What has come of a good answer when it strikes. */
function begunAnswer({ api, phase }: Scene): Buffer | string {
  const [first] = ORDER_ANSWER[api];
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

/** Ends the connection, or does not, once everything before is out. */
function breakOff(scene: Scene, socket: Socket, begun: Buffer | string): void {
  const strike = (): void => {
    if (scene.fault === 'reset') socket.resetAndDestroy();
    else if (scene.fault === 'stall') scene.stall(socket);
    else if (scene.fault === 'truncated' || scene.phase === 'after the id') socket.end();
    if (scene.fault === 'refused') scene.goDown();
  };
  if (scene.fault === 'stall') scene.stall(socket);
  if (begun.length === 0) strike();
  else socket.write(begun, strike);
}

function garbageAnswer(scene: Scene, socket: Socket): void {
  const { api, phase } = scene;
  const [first] = ORDER_ANSWER[api];
  const bytes = junk(scene);
  if (phase === 'connect') return void socket.end(`SSH-2.0-OpenSSH_9.9 ${scene.key}\r\n`);
  if (phase === 'headers') return void socket.end(bytes);
  const begun = phase === 'first byte' ? '' : phase === 'mid-body' ? half(first) : first;
  if (api === 'chat') {
    const pieces = [begun, bytes, '\n\n'].filter((piece) => piece.length > 0).map(chunk);
    return void socket.end(Buffer.concat([Buffer.from(STREAM_HEAD), ...pieces, Buffer.from(STREAM_END)]));
  }
  const body = Buffer.concat([Buffer.from(begun), bytes]);
  socket.end(Buffer.concat([Buffer.from(head(body.length, 'application/json')), body]));
}

/** Its status says no. In front of the service it comes with a time to come back; later it breaks off where the phase says. */
function statusAnswer(scene: Scene, socket: Socket): void {
  const { api, fault, phase } = scene;
  if (phase === 'after the id' && api === 'chat') {
    const error = JSON.parse(errorBody(scene, fault === '429' ? 'rate_limit_exceeded' : 'server_error')) as object;
    const pieces = [ORDER_ANSWER.chat[0], `data: ${JSON.stringify(error)}\n\n`].map(chunk);
    return void socket.end(Buffer.concat([Buffer.from(STREAM_HEAD), ...pieces, Buffer.from(STREAM_END)]));
  }
  const status = { '5xx': phase === 'connect' ? 503 : phase === 'headers' ? 502 : 500, '429': 429, redirect: 302 }[
    fault as '5xx' | '429' | 'redirect'
  ];
  const headers = {
    ...(fault === 'redirect' ? { location: awayTo(scene) } : {}),
    ...(phase === 'connect' && fault !== 'redirect' ? { 'retry-after': '7' } : {}),
    ...echo(scene),
  };
  if (phase === 'connect') return void socket.end(reply(status, errorBody(scene, 'not now'), headers));
  if (phase === 'headers') return void socket.end(reply(status, '', headers));
  const promised = { ...headers, 'content-type': 'application/json', 'content-length': '900' };
  const lines = Object.entries(promised).map(([name, value]) => `${name}: ${value}\r\n`);
  const begun = phase === 'first byte' ? '' : half(errorBody(scene, 'something broke'));
  socket.end(`HTTP/1.1 ${status} ${scene.key}\r\n${lines.join('')}\r\n${begun}`);
}

const head = (length: number, type: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;

const half = (text: string): string => text.slice(0, Math.floor(text.length / 2));

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The key in headers: request ids are kept and shown, so they are the likeliest way to the disk. */
const echo = ({ key }: Scene): Record<string, string> => ({
  'x-request-id': `req-${key}`,
  'x-debug-authorization': `Bearer ${key}`,
});

const awayTo = ({ elsewhere, key }: Scene): string => `${elsewhere}/v1/moved?api_key=${encodeURIComponent(key)}`;

const noise = ({ key }: Scene): string =>
  `got your header Authorization: Bearer ${key} (${base64(`Bearer ${key}`)}), sorry for that`;

function errorBody(scene: Scene, word: string): string {
  const message = `${word}: ${noise(scene)}`;
  return JSON.stringify({ error: { message, type: word, param: scene.key }, request_id: `req-${scene.key}` });
}

/** No HTTP, no JSON, no text; the key is in it as text, as base64 and as UTF-16. */
function junk(scene: Scene): Buffer {
  const bytes = Buffer.from(Array.from({ length: 96 }, (_, index) => 128 + ((index * 37) % 127)));
  return Buffer.concat([bytes, Buffer.from(noise(scene)), Buffer.from(scene.key, 'utf16le'), bytes]);
}
