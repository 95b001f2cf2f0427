import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { serve } from '@hono/node-server';
import { type BillReport, billReport } from './bill.ts';
import type { Clock, Gateway, Settings } from './context.ts';
import { type FaultRule, Faults } from './faults.ts';
import { ImageWork } from './images/imageWork.ts';
import { RateLimit } from './rateLimit.ts';
import { RenderPool } from './render/pool.ts';
import { type RequestEntry, RequestLog } from './requestLog.ts';
import { createApp } from './server.ts';
import { Files } from './state/files.ts';
import { State } from './state/state.ts';
import { VideoWork } from './video/videoWork.ts';

export type { BillReport } from './bill.ts';
export type { FaultRule } from './faults.ts';
export type { RequestEntry } from './requestLog.ts';

export interface SandboxOptions {
  /** 0 or omitted: any free port. */
  port?: number;
  /** Seeds the texts of chat answers. Requests seed their own pictures and clips. */
  seed?: number;
  /** 1 is demo pace, 2 twice as fast; 'fast' has no artificial latency and no rate limit. */
  speed?: number | 'fast';
  /** See faults.ts. */
  faults?: FaultRule[];
  /** If false, any key or none is accepted. */
  requireKey?: boolean;
  /** Connections for which this is true are refused. Asked once per connection, as soon as it opens. */
  isStranger?: (socket: Socket) => boolean;
  apiKey?: string;
  /** Where work, media, bill and idempotency keys survive restarts. Without it they end with the sandbox. */
  stateDir?: string;
  videoAnswer?: 'operation' | 'immediate';
  /** 'tiny' renders at an eighth of width and height, for programs that need many results and no quality. */
  media?: 'full' | 'tiny';
  /** If false, a repeated `Idempotency-Key` is a new request, executed and billed. */
  honoursKeys?: boolean;
  /** The price of a picture in nano-dollars; 0 by default, since the specification lists none. */
  imageNano?: number;
  /** If true, the model list states what is billed. */
  statesPrices?: boolean;
  imagePrefix?: string;
  vendor?: string;
  /** Epoch milliseconds. */
  now?: () => number;
  delay?: Clock['delay'];
}

export interface Sandbox {
  /** `http://127.0.0.1:PORT` */
  baseUrl: string;
  apiKey: string;
  imagePrefix: string;
  vendor: string;
  imageAuthHeaders: string[];
  bill(): BillReport;
  requests(): RequestEntry[];
  /** Stops answering. Unfinished work stays in `stateDir`; the next start resumes it. */
  close(): Promise<void>;
}

const VIDEO_REQUESTS_A_MINUTE = 10;
const TINY_SHRINK = 8;

/** Starts the sandbox gateway on loopback: the gateway's side of the whole specification, with real media, faults and a bill. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = settingsFrom(options);
  const clock: Clock = { now: options.now ?? Date.now, delay: options.delay ?? delay };
  const folder = options.stateDir ?? mkdtempSync(join(tmpdir(), 'dailies-sandbox-'));
  const state = new State(folder, clock.now());
  const closing = new AbortController();
  const renderer = new RenderPool();
  const log = new RequestLog();
  const strangers = new WeakSet<Socket>();
  let baseUrl = '';
  const gateway: Gateway = {
    settings,
    state,
    files: new Files(folder),
    renderer,
    clock,
    faults: new Faults(options.faults ?? []),
    videoLimit: new RateLimit(VIDEO_REQUESTS_A_MINUTE, settings.speed === 'fast' ? 0 : 60_000 / settings.speed),
    closing: closing.signal,
    isStranger: (socket) => strangers.has(socket),
    baseUrl: () => baseUrl,
  };
  const work = { videos: new VideoWork(gateway), images: new ImageWork(gateway) };
  const server = await listen(createApp(gateway, work, log).fetch, options.port ?? 0).catch((error: unknown) => {
    state.close();
    throw error;
  });
  // Asked when the connection opens: a stranger may close it before the request is read, and then its program is unknown.
  server.on('connection', (socket: Socket) => void (options.isStranger?.(socket) && strangers.add(socket)));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  dropExpired(gateway);
  gateway.files.keepInputs(inputsInUse(state));
  work.videos.resume();
  work.images.resume();
  return {
    baseUrl,
    apiKey: settings.apiKey,
    imagePrefix: settings.imagePrefix,
    vendor: settings.vendor,
    imageAuthHeaders: settings.imageAuthHeaders,
    bill: () => billReport(state.bill),
    requests: () => log.list(),
    async close() {
      closing.abort();
      const closed = new Promise<void>((done) => server.close(() => done()));
      if ('closeAllConnections' in server) server.closeAllConnections();
      await renderer.close();
      await closed;
      state.close();
      if (options.stateDir === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function settingsFrom(options: SandboxOptions): Settings {
  const vendor = options.vendor ?? 'sandbox';
  return {
    imagePrefix: options.imagePrefix ?? 'image',
    vendor,
    apiKey: options.apiKey ?? 'sk-sandbox-0123456789',
    requireKey: options.requireKey ?? true,
    imageAuthHeaders: ['X-API-Key', `${vendor.toUpperCase()}-API-KEY`, `${vendor.toUpperCase()}-KEY`],
    speed: options.speed ?? 1,
    videoAnswer: options.videoAnswer ?? 'operation',
    seed: options.seed ?? 0,
    shrink: options.media === 'tiny' ? TINY_SHRINK : 1,
    honoursKeys: options.honoursKeys ?? true,
    imageNano: options.imageNano ?? 0,
    statesPrices: options.statesPrices ?? false,
  };
}

function listen(fetch: (request: Request, env: never) => unknown, port: number): Promise<ReturnType<typeof serve>> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: fetch as never, hostname: '127.0.0.1', port }, () => resolve(server));
    server.on('error', reject);
  });
}

async function delay(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await wait(Math.min(ms, 2_147_483_647), undefined, { signal });
  else signal.throwIfAborted();
}

/** Deletes results that can no longer be downloaded. */
function dropExpired({ state, files, clock }: Gateway): void {
  for (const { id, extension, expiresAt } of state.media.values()) {
    if (expiresAt > clock.now()) continue;
    files.removeMedia(`${id}.${extension}`);
    files.removeMedia(`${id}.last.png`);
  }
}

/** Inputs of unfinished work. */
function inputsInUse(state: State): Set<string> {
  const names = new Set<string>();
  for (const { state: phase, plan } of state.videos.values()) {
    if (phase !== 'running') continue;
    for (const name of [plan.image, plan.lastFrame, ...plan.references]) if (name) names.add(name);
  }
  for (const { state: phase, plan } of state.images.values()) {
    if (phase === 'running' && plan.kind === 'edit') names.add(plan.mask);
  }
  return names;
}
