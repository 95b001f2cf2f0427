import type { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Endpoint, FaultAction, Faults } from './faults.ts';
import type { RateLimit } from './rateLimit.ts';
import type { Renderer } from './render/pool.ts';
import type { Files } from './state/files.ts';
import type { State } from './state/state.ts';

/** The sandbox's time; both functions can be replaced. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects when the signal aborts. */
  delay(ms: number, signal: AbortSignal): Promise<void>;
}

/** How this sandbox was started. */
export interface Settings {
  imagePrefix: string;
  vendor: string;
  apiKey: string;
  requireKey: boolean;
  imageAuthHeaders: string[];
  /** 1 is demo pace, 2 twice as fast; 'fast' has no artificial latency and no rate limit. */
  speed: number | 'fast';
  videoAnswer: 'operation' | 'immediate';
  seed: number;
  /** Divides each side of a picture or clip. */
  shrink: number;
  /** True: a repeated `Idempotency-Key` returns the work that it first started. False: it is a new request, as at most gateways. */
  honoursKeys: boolean;
  /** The billed price of a picture in nano-dollars; the specification lists none. */
  imageNano: number;
  /** Whether the model list states prices with their unit. The specification leaves it open. */
  statesPrices: boolean;
}

/** What the sandbox's modules share. */
export interface Gateway {
  settings: Settings;
  state: State;
  files: Files;
  renderer: Renderer;
  clock: Clock;
  faults: Faults;
  videoLimit: RateLimit;
  /** Aborts when the sandbox closes. */
  closing: AbortSignal;
  /** Whether the connection comes from a program that must not be answered. */
  isStranger(socket: Socket): boolean;
  /** The current `http://127.0.0.1:PORT`. */
  baseUrl(): string;
}

/** What the middleware sets for a handler. */
export interface Variables {
  /** The parsed JSON body, or undefined when there was none. */
  body: unknown;
  /** sha256 of the raw body, for `Idempotency-Key`. */
  bodyHash: string;
  endpoint: Endpoint | null;
  /** The scripted fault in the work of this request (filtered, failure, defect, slow, hook). */
  fault: FaultAction | null;
  requestId: string;
}

export type Env = { Bindings: HttpBindings; Variables: Variables };
export type RequestContext = Context<Env>;

/** The rendered size of a requested size. A reduced size is even, as H.264 in 4:2:0 requires. */
export function renderedSize<Size extends { width: number; height: number }>({ shrink }: Settings, size: Size): Size {
  const side = (pixels: number) => (shrink === 1 ? pixels : Math.max(2, 2 * Math.round(pixels / shrink / 2)));
  return { ...size, width: side(size.width), height: side(size.height) };
}

/** Milliseconds of demo-pace latency at this sandbox's speed. */
export function scaledLatency(settings: Settings, ms: number): number {
  return settings.speed === 'fast' ? 0 : ms / settings.speed;
}
