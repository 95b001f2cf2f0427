import type { ChatResult, ErrorKind } from '../../../shared/job.ts';
import type { PriceKind } from '../../../shared/kinds/pricings.ts';
import type { Nano } from '../../../shared/money.ts';
import type { PriceInterpretation } from '../../../shared/price.ts';
import type { Profile } from '../../../shared/profile.ts';
import type { ChatSubmitRequest } from '../../../shared/wire/chat.ts';
import type { EditForm, ImagineSubmitRequest, MaskField } from '../../../shared/wire/image.ts';
import type { VideoDialect, VideoForm } from '../../../shared/wire/video.ts';

export type { ChatSubmitRequest, ImagineSubmitRequest, VideoDialect };

/**
 * What the gateway module hands to the others. It speaks the service's language on one side and these shapes on the other;
 * nothing of the wire leaks past them. No function here throws for what a service does: outcomes are values.
 */

export interface GatewayError {
  kind: ErrorKind;
  /** One sentence, from the service where it said something. */
  message: string;
  /** A later, identical request may succeed. */
  retryable: boolean;
  /**
   * Whether the service took the order: `no`: it said so, or the request never reached it; `unknown`: the request was sent
   * and its answer was lost or unreadable; `yes`: it was accepted and then went wrong.
   */
  accepted: 'no' | 'yes' | 'unknown';
  /** With `unknown`: the service has answered that the order failed, so it is over; whether it is billed is open. */
  answered?: true;
  /** What answered is no service of this kind: a web page, or a redirect. */
  wrongPlace?: true;
  status?: number;
  requestId?: string;
  /** From `Retry-After` and its relatives, capped at five minutes. */
  retryAfterMs?: number;
}

/** A task the service has accepted, as it is kept in the database until it is over. */
export interface RemoteTask {
  /** As text with all its digits. */
  id: string;
  /** By which calls it is followed; `task`: by those that its kind brings ({@link TaskPoll}). */
  kind: 'video' | 'image' | 'task';
  /** Path on the profile's own origin where the answer said to poll. */
  pollPath?: string;
  acceptedAt: number;
  /** Addresses that our own request carried: an answer that repeats them does not name a result. */
  ownUris?: string[];
}

/** A result as the service names it. */
export interface RemoteOutput {
  /** http(s), gs:// or another storage address, or `data:`. */
  uri: string;
  mime?: string;
  role: 'output' | 'grid';
  /** Milliseconds since 1970. */
  expiresAt?: number;
}

/** What an answer states as the cost of its order. A claim: the ledger decides what it is worth. */
export interface StatedCost {
  /** The field or header. */
  by: string;
  /** As it was stated, with its unit where that is known: `0.80 USD`, `12 credits`. */
  as: string;
  /** In nano-dollars, where unit and currency are known. */
  nano?: Nano;
  /** Only a part of what the order costs: the rest is on another bill. */
  part?: true;
}

export interface FilterNote {
  count: number;
  reasons: string[];
}

export type SubmitOutcome =
  | { type: 'accepted'; task: RemoteTask; requestId?: string; stated?: StatedCost }
  | {
      type: 'done';
      remoteId?: string;
      outputs: RemoteOutput[];
      filtered?: FilterNote;
      requestId?: string;
      stated?: StatedCost;
    }
  /** A definite no, a failure whose cost is open, or an acceptance that failed at once; `billed: 'no'` where `error.accepted` is. */
  | { type: 'refused'; error: GatewayError; billed: 'no' | 'unknown'; stated?: StatedCost }
  /** Sent, and nobody knows (DESIGN "uncertain"). `task`: what broke off still named it, so it can be looked up. */
  | { type: 'unknown'; error: GatewayError; task?: RemoteTask; stated?: StatedCost };

export type PollOutcome =
  /** `progress` 0–100 where the service tells; a preview is not a result. */
  | { type: 'running'; progress?: number }
  | { type: 'done'; outputs: RemoteOutput[]; filtered?: FilterNote; stated?: StatedCost }
  /** `canceled`: it was stopped, whatever the service calls that. */
  | { type: 'failed'; error: GatewayError; billed: 'no' | 'unknown'; canceled?: boolean; stated?: StatedCost }
  /** The service does not know the id (yet), or answered nothing. */
  | { type: 'missing'; error?: GatewayError }
  /** The poll itself did not work; never the end of the job. */
  | { type: 'unreachable'; error: GatewayError };

export type ChatOutcome =
  /** `complete: false`: cut off; what came is in `result`. */
  | {
      type: 'answered';
      result: ChatResult;
      complete: boolean;
      remoteId?: string;
      error?: GatewayError;
      requestId?: string;
      stated?: StatedCost;
    }
  /** `billed` as for other orders. */
  | { type: 'refused'; error: GatewayError; billed: 'no' | 'unknown'; stated?: StatedCost }
  | { type: 'unknown'; error: GatewayError; stated?: StatedCost };

/** A picture or clip as it goes on the wire: an address, or bytes that are read when the body is built. */
export type WireMedia = { uri: string } | { path: string; mime: string };

/** Its pictures as addresses or files. */
export interface VideoSubmitRequest extends Omit<VideoForm, 'image' | 'lastFrame' | 'referenceImages'> {
  image?: WireMedia;
  lastFrame?: WireMedia;
  referenceImages?: WireMedia[];
}

/** The mask is a PNG file, read when the body is built. */
export interface EditSubmitRequest extends Omit<EditForm, 'mask'> {
  maskPath: string;
}

/** What an answer says of a task, as a kind that brings its own wire form reads it. */
export interface ParsedTask {
  /** Undefined where the answer does not say. */
  state: 'running' | 'succeeded' | 'failed' | 'canceled' | undefined;
  id?: string | undefined;
  /** 0 to 100. */
  progress?: number | undefined;
  outputs?: RemoteOutput[] | undefined;
  /** Why it failed, in the service's words. */
  message?: string | undefined;
  /** Where the answer says to ask. */
  pollUrl?: string | undefined;
}

/** An order of a kind that brings its own wire form. It is sent as JSON with the profile's key. */
export interface TaskSubmitRequest {
  /** Behind the profile's base URL: `/v1/audio/speech`. */
  path: `/${string}`;
  body: Record<string, unknown>;
  /** Texts and addresses of ours in the body, which an answer may repeat. */
  sent: string[];
  /** How long it may take until its answer begins. */
  headerMs?: number;
  parse(answer: unknown): ParsedTask;
}

/** How a task of such a kind is asked for. */
export interface TaskPoll {
  /** Behind the profile's base URL; `id` is one segment of a path. */
  path(id: string): `/${string}`;
  parse(answer: unknown): ParsedTask;
}

export interface ChatDelta {
  channel: 'text' | 'reasoning';
  text: string;
}

/** What every paid request carries: the id that lets a service answer twice safely, and a way to stop waiting. */
export interface SendOptions {
  idempotencyKey: string;
  signal?: AbortSignal;
  /** Asked before a definite no is followed by the same order in other words: `false` once it was canceled, or Dailies ends. */
  mayRetry?(): boolean;
}

/** Bytes of a result, streaming. The body must be consumed or destroyed. */
export interface MediaResponse {
  /** Iterating throws an `Error` with a sentence where the bytes break off or go silent. */
  body: AsyncIterable<Uint8Array>;
  mime?: string;
  /** Total length of the whole file where known. */
  bytes?: number;
  /** Where the body starts: the asked `from` when the service honoured the range, else 0. */
  from: number;
  /** What tells this content from a later one under the same address (a strong entity tag, or a date), for `ifRange`. */
  validator?: string;
}

export type MediaOutcome =
  | { type: 'ok'; media: MediaResponse }
  | {
      /**
       * `gone`: the link has ended, and says so (410, an expired signature). `missing`: 404, which may pass while a copy spreads.
       * `stored`: in object storage (gs://), not for downloading. `refused`: an address that is never fetched, such as file:// or
       * a private one. `wrong`: an answer that is no file: a page, a message, a refusal. `pending`: not ready yet, and says so.
       * `failed`: the service says there that the result was refused or that making it failed, for good where not retryable.
       * `unreachable`: nothing can be said.
       */
      type: 'gone' | 'missing' | 'stored' | 'refused' | 'wrong' | 'failed' | 'pending' | 'unreachable';
      error: GatewayError;
    };

export interface FetchOptions {
  /** Bytes that are here already. */
  from?: number;
  /** The `validator` they came with: where it has changed, the whole file comes. */
  ifRange?: string;
  signal?: AbortSignal;
}

export type PricesOutcome =
  /** `from`: host and path of the list. What is not clear is refused by name. */
  | {
      type: 'listed';
      from: string;
      prices: { model: string; kind: PriceKind; readings: PriceInterpretation[] }[];
      refused: { model: string; why: string }[];
    }
  | { type: 'none' }
  | { type: 'unreachable'; error: GatewayError };

/** What has been learnt of a host and is remembered between runs: nothing secret. */
export interface DialectMemory {
  /** The host that all this was learnt of. */
  origin?: string;
  /** The header spelling that the image endpoints took (spec 5.3). */
  imageAuthHeader?: string;
  /** The method that fetch answered to. */
  fetchMethod?: 'POST' | 'GET';
  /** The poll path with `{id}` that worked for videos. */
  videoPollPath?: string;
  maskField?: MaskField;
  /** Taken where the profile's own spelling (`insteadOf`) was refused. */
  videoDialect?: VideoDialect & { insteadOf: string };
  /** Where the service publishes its prices, as a path on its host. */
  pricesPath?: string;
  /** Where it tells what is left on the account; empty where no place does. */
  balancePath?: string;
  /** The service refuses `stream_options`, so a stream is asked for without its usage. */
  noStreamOptions?: boolean;
}

export interface Secrets {
  apiKey?: string;
  botToken?: string;
  /** Extra headers of the profile; they go with every request to its own origin. */
  headers?: Readonly<Record<string, string>>;
}

export interface GatewayDeps {
  now(): number;
  /** Idle and header limits are timed with it. */
  after(ms: number, run: () => void): () => void;
  remember(profileId: string, memory: DialectMemory): void;
  recall(profileId: string): DialectMemory;
  proxy?: string;
}

/** The client of one profile's service. */
export interface Gateway {
  chat(request: ChatSubmitRequest, send: SendOptions, onDelta: (delta: ChatDelta) => void): Promise<ChatOutcome>;
  submitVideo(request: VideoSubmitRequest, send: SendOptions): Promise<SubmitOutcome>;
  submitImagine(request: ImagineSubmitRequest, send: SendOptions): Promise<SubmitOutcome>;
  submitEdit(request: EditSubmitRequest, send: SendOptions): Promise<SubmitOutcome>;
  submitTask(request: TaskSubmitRequest, send: SendOptions): Promise<SubmitOutcome>;
  /** `call`: of a kind that brings its own wire form. */
  poll(task: RemoteTask, signal?: AbortSignal, call?: TaskPoll): Promise<PollOutcome>;
  /** Fetches a result; the key goes along on the profile's own origin only. */
  fetchMedia(uri: string, options: FetchOptions): Promise<MediaOutcome>;
  /** The price list that the service publishes; sends nothing that is billed. */
  listPrices(): Promise<PricesOutcome>;
  /** What the service's record of an answer states as its cost, for ids of services that keep one; sends nothing that is billed. */
  recordedCost(id: string): Promise<StatedCost | undefined>;
  /** What is left on the account in nano-dollars, where the service tells it for nothing. */
  balance(): Promise<Nano | undefined>;
  /** The steps of `profiles.testConnection`; sends nothing that is billed. */
  test(): Promise<ConnectionReport>;
  /** What is under way ends in its time; whatever is asked from now on is not sent. */
  retire(): Promise<void>;
  /** Cuts off what is under way. */
  close(): Promise<void>;
}

export interface ConnectionReport {
  steps: {
    name: 'dns' | 'connect' | 'tls' | 'key' | 'protocol' | 'model';
    ok: boolean;
    message: string;
    ms?: number;
  }[];
}

export type OpenGateway = (profile: Profile, secrets: Secrets) => Gateway;

/** The client of a profile, or why there is none: its key is not stored yet, or there is no such profile. */
export type OpenedClient<Client = Gateway> = { status: 'ready'; client: Client } | { status: 'no key' | 'gone' };
