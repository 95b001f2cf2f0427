import { createHash } from 'node:crypto';
import fs from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { afterEach } from 'vitest';
import type { RemoteOutput } from '../../src/main/core/gateway/index.ts';
import type { Job } from '../../src/shared/jobs/job.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import type { Asset } from '../../src/shared/library/asset.ts';
import { acceptance, aVideo, type EngineHarness, startEngine } from './engineHarness.ts';
import { clientOf } from './gateway/client.ts';
import { type RawServer, type ReceivedRequest, rawServer, reply } from './gateway/rawServer.ts';
import { testPng } from './png.ts';
import { settle, type TestClock } from './testPorts.ts';

export { clientOf, type RawServer, reply };

/** Jobs whose results come from a scripted server. Engine, client and files are real. */

const closing: (() => Promise<void>)[] = [];

/** Closes after each test what the test opened. */
export function closeAfterEach(): void {
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
}

export const closeLater = (close: () => Promise<void>): number => closing.unshift(close);

export async function serve(
  answer: (request: ReceivedRequest, socket: Socket, count: number) => void,
  port?: number,
): Promise<RawServer> {
  const server = await rawServer(answer, undefined, port);
  closing.push(server.close);
  return server;
}

export const HOUR = 3_600_000;
export const PICTURE = testPng(64, 48);
/** A picture with bytes after its end, so that it arrives in chunks. */
export const LARGE = Buffer.concat([testPng(40, 40), Buffer.alloc(60_000, 7)]);
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A complete answer with these bytes. */
export function file(bytes: Buffer, headers: Record<string, string> = {}, status = 200): Buffer {
  const all = { 'content-type': 'image/png', 'content-length': String(bytes.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n`), bytes]);
}

/** The answer to a range request from an offset. */
export function rest(bytes: Buffer, from: number, headers: Record<string, string> = {}): Buffer {
  const range = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
  return file(bytes.subarray(from), { ...headers, ...range }, 206);
}

/** The offset of a range request; 0 without a range. */
export const askedFrom = (request: ReceivedRequest): number =>
  Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);

export interface DownloadHarnessOptions {
  dataDir?: string;
  clock?: TestClock;
  freeBytes?: () => number;
  hasKey?: () => boolean;
}

/** An engine whose downloads use the real client. `end` may be called before the test ends. */
export function startDownloadHarness(
  server: RawServer,
  options: DownloadHarnessOptions = {},
): EngineHarness & { end(): Promise<void> } {
  const { gateway } = clientOf(server.url);
  const harness = startEngine({ ...options, script: { gateway: { fetchMedia: gateway.fetchMedia } } });
  let ended: Promise<void> | undefined;
  const end = (): Promise<void> => {
    ended ??= harness.close();
    return ended;
  };
  closing.unshift(end);
  return Object.assign(harness, { end });
}

type Answer = Parameters<typeof rawServer>[0];
/** A path begins with the address of the server. */
type Output = string | Partial<RemoteOutput>;

const outputAt = (url: string, output: Output): RemoteOutput => {
  const given = typeof output === 'string' ? { uri: output } : output;
  const { uri = '' } = given;
  return { role: 'output', ...given, uri: uri.startsWith('/') ? url + uri : uri };
};

/** Creates a job whose results are at these addresses. */
export const made = (harness: EngineHarness, ...outputs: Output[]): Promise<string> =>
  madeOf(aVideo, harness, ...outputs);

export async function madeOf(request: StudioRequest, harness: EngineHarness, ...outputs: Output[]): Promise<string> {
  harness.script.submit.push(acceptance(harness.clock, `task-${harness.script.sent}`));
  harness.script.poll.push({ type: 'done', outputs: outputs.map((output) => outputAt('', output)) });
  const { id } = await harness.enqueue(request);
  return id;
}

export interface Downloading {
  server: RawServer;
  harness: ReturnType<typeof startDownloadHarness>;
  id: string;
  job(): Job;
  /** Its first result. */
  output(): Asset | undefined;
  ends(): Promise<Job>;
  until(wanted: () => boolean): Promise<void>;
  notices(): string[];
}

/** A job whose results are at a server that gives this answer, or these bytes each time. */
export async function downloading(
  answer: Answer | string | Buffer,
  {
    outputs = ['/a'],
    request = aVideo,
    ...options
  }: DownloadHarnessOptions & { outputs?: Output[]; request?: StudioRequest } = {},
): Promise<Downloading> {
  const server = await serve(typeof answer === 'function' ? answer : (_request, socket) => socket.end(answer));
  const harness = startDownloadHarness(server, options);
  const id = await madeOf(request, harness, ...outputs.map((output) => outputAt(server.url, output)));
  return {
    server,
    harness,
    id,
    job: () => harness.job(id),
    output: () => outputOf(harness, id),
    ends: () => ended(harness, id),
    until: (wanted) => until(harness, wanted),
    notices: () => harness.events.flatMap((event) => (event.type === 'notice' ? [event.text] : [])),
  };
}

/** Advances time in half-second steps, with all work done in between, until the condition holds. */
export async function until(harness: EngineHarness, wanted: () => boolean, turns = 8_000): Promise<void> {
  await settle();
  for (let turn = 0; turn < turns && !wanted(); turn++) await harness.clock.advance(500);
  if (!wanted()) throw new Error('it never came');
}

export async function ended(harness: EngineHarness, id: string): Promise<Job> {
  await until(harness, () => ['succeeded', 'failed'].includes(harness.job(id).state));
  return harness.job(id);
}

export const outputOf = (harness: EngineHarness, id: string): Asset | undefined => harness.job(id).outputs[0];

/** Partial files and their metadata. */
export function partsOf(harness: EngineHarness): string[] {
  const dir = path.join(harness.dataDir, 'library', 'parts');
  return fs.existsSync(dir) ? fs.readdirSync(dir).sort() : [];
}

/** Files under their final names. */
export function filesOf(harness: EngineHarness): string[] {
  const all = fs.readdirSync(path.join(harness.dataDir, 'library'), { recursive: true, withFileTypes: true });
  return all.filter((entry) => entry.isFile() && !entry.parentPath.endsWith('parts')).map((entry) => entry.name);
}
