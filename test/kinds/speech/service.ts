import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A small speech service: it accepts a request, is polled twice, and returns a tone of some seconds. */
export interface SpeechService {
  url: string;
  /** Every request: `POST /v1/audio/speech`. */
  got: { line: string; authorization: string | undefined; key: string | undefined; body: string }[];
  close(): Promise<void>;
}

const RATE = 8_000;

/** Eight-bit mono PCM in a RIFF file. */
function toneOf(seconds: number): Buffer {
  const data = Buffer.alloc(RATE * seconds, 128);
  for (let at = 0; at < data.length; at += 1)
    data[at] = 128 + Math.round(60 * Math.sin((at * 440 * 2 * Math.PI) / RATE));
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

/** `makes`: the seconds of its result, if they differ from the request. `says`: its answer to a submit, instead of a task. */
export async function startSpeechService({
  makes,
  says,
}: {
  makes?: number;
  says?: { status: number; body: object };
} = {}): Promise<SpeechService> {
  const got: SpeechService['got'] = [];
  let looks = 0;
  let asked = 1;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const { authorization, 'idempotency-key': key } = request.headers;
    got.push({ line: `${request.method} ${request.url}`, authorization, key: key?.toString(), body });
    const json = (status: number, answer: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    if (request.method === 'POST') {
      if (says) return json(says.status, says.body);
      asked = (JSON.parse(body) as { seconds: number }).seconds;
      return json(202, { id: 'voice-7', state: 'waiting' });
    }
    if (request.url?.endsWith('.wav')) {
      const sound = toneOf(makes ?? asked);
      return response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': sound.length }).end(sound);
    }
    looks += 1;
    if (looks === 1) return json(200, { id: 'voice-7', state: 'waiting', percent: 40 });
    return json(200, { id: 'voice-7', state: 'ready', audio: { url: `${url}/made/voice-7.wav` } });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () =>
    new Promise<void>((done) => {
      server.closeAllConnections();
      server.close(() => done());
    });
  return { url, got, close };
}
