import type { Dispatcher } from 'undici';
import type { ConnectionTest, FoundBy, FoundSetting } from '../../../shared/gateway/connection.ts';
import type { StatedModel } from '../../../shared/gateway/modelFacts.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import type { ChatResult, ErrorKind } from '../../../shared/jobs/job.ts';
import type { PriceKind } from '../../../shared/kinds/pricings.ts';
import type { OmittableField } from '../../../shared/kinds/videoConfig.ts';
import type { Nano } from '../../../shared/money/money.ts';
import type { PriceInterpretation } from '../../../shared/money/price.ts';
import type { ChatForm } from '../../../shared/wire/chat.ts';
import type { VideoForm } from '../../../shared/wire/families/index.ts';
import type { EditForm, ImageOptions, ImagineSubmitRequest, MaskField } from '../../../shared/wire/image.ts';
import type { Protocols } from '../../../shared/wire/protocols.ts';
import type { VideoDialect } from '../../../shared/wire/video.ts';
import type { Logger, Network } from '../ports.ts';

export type { ImagineSubmitRequest, VideoDialect };

/**
 * The types between the gateway and the other modules: the gateway speaks the service's language on one side and these shapes on the other,
 * and nothing of the wire form leaks. No function here throws for failures of a service: outcomes are values.
 */

export interface GatewayError {
  kind: ErrorKind;
  /** One sentence, the service's own if it sent one. */
  message: string;
  /** An identical request may succeed later. */
  retryable: boolean;
  /**
   * Whether the service accepted the request. `no`: it said so, or the request never reached it. `unknown`: the request was sent, and its
   * answer was lost or unreadable. `yes`: it was accepted and then failed.
   */
  accepted: 'no' | 'yes' | 'unknown';
  /** With `unknown`: the service has answered that the request failed, so it has ended; whether it is billed is unknown. */
  answered?: true;
  /** The answer is not from a gateway: a web page, or a redirect. */
  wrongAddress?: true;
  status?: number;
  requestId?: string;
  /** From `Retry-After` and similar headers, capped at five minutes. */
  retryAfterMs?: number;
}

/** A task that the service has accepted, as it is stored until it ends. */
export interface RemoteTask {
  /** As text with all its digits. */
  id: string;
  /** The calls that poll the task; `task`: those of its kind ({@link TaskPoll}). */
  kind: 'video' | 'image' | 'task';
  /** The path on the profile's own origin that the submit's answer said to poll. */
  pollPath?: string;
  acceptedAt: number;
  /** Addresses in our own request: an answer that repeats them does not name a result. */
  ownUris?: string[];
  /** The prose that named the id, shortened. The id may not be that of a task. */
  said?: string;
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

/** The cost that an answer states for its request. A claim: the ledger decides how far it counts. */
export interface StatedCost {
  /** The field or header. */
  by: string;
  /** The amount as it was stated, with its unit if that is known: `0.80 USD`, `12 credits`. */
  as: string;
  /** In nano-dollars, if unit and currency are known. */
  nano?: Nano;
  /** Only a part of the cost: the rest is on another bill. */
  part?: true;
}

export interface FilterNote {
  count: number;
  reasons: string[];
}

export type SubmitOutcome =
  | { type: 'accepted'; task: RemoteTask; requestId?: string; stated?: StatedCost; status?: number }
  | {
      type: 'done';
      remoteId?: string;
      /** `remoteId` identifies the answer, as that of a chat does. A repeated answer to the same request has another id. */
      ofAnswer?: true;
      outputs: RemoteOutput[];
      filtered?: FilterNote;
      requestId?: string;
      stated?: StatedCost;
      status?: number;
    }
  /**
   * A definite no, a failure whose cost is unknown, or an accepted request that failed at once; `billed: 'no'` if `error.accepted` is, but
   * for a refusal of content that states a cost.
   */
  | { type: 'refused'; error: GatewayError; billed: 'no' | 'unknown'; stated?: StatedCost }
  /** Sent, with an unknown result. `task`: the incomplete answer named it, so it can be polled. */
  | { type: 'unknown'; error: GatewayError; task?: RemoteTask; stated?: StatedCost };

export type PollOutcome =
  /**
   * `progress` is 0–100 if the service sends it; a preview is not a result. `said`: a sentence of the service that says something else too.
   */
  | { type: 'running'; progress?: number; said?: string }
  | { type: 'done'; outputs: RemoteOutput[]; filtered?: FilterNote; stated?: StatedCost }
  /** `canceled`: the task was stopped, by whatever name. */
  | { type: 'failed'; error: GatewayError; billed: 'no' | 'unknown'; canceled?: boolean; stated?: StatedCost }
  /**
   * The task is unknown (yet), or the answer was empty. `said`: a sentence of the service that says something else. `succeeded`: only the
   * file is missing.
   */
  | { type: 'missing'; error?: GatewayError; said?: string; succeeded?: true }
  /** The poll itself failed; this never ends the job. `lacksKey`: nothing was asked, because the profile has no key now. */
  | { type: 'unreachable'; error: GatewayError; lacksKey?: true };

export type ChatOutcome =
  /** `complete: false`: the answer broke off; `result` has the part that was received. */
  | {
      type: 'answered';
      result: ChatResult;
      complete: boolean;
      remoteId?: string;
      error?: GatewayError;
      requestId?: string;
      stated?: StatedCost;
      status?: number;
    }
  /** `billed` as for other requests. */
  | { type: 'refused'; error: GatewayError; billed: 'no' | 'unknown'; stated?: StatedCost }
  | { type: 'unknown'; error: GatewayError; stated?: StatedCost };

/** A picture or clip of a request: an address, or a file that is read when the body is built. */
export type WireMedia = { uri: string; file?: WireFile } | WireFile;
export interface WireFile {
  path: string;
  mime: string;
  /** The hash of the chosen bytes, in lower-case hex: other bytes under that path are not sent. Absent if unknown. */
  sha256?: string;
  /**
   * The picture as base64, turned upright and without an orientation tag; undefined if its own bytes already are. Throws if it cannot be
   * decoded.
   */
  upright?(): Promise<string | undefined>;
}

/** A chat request, with its pictures as addresses or files. */
export type ChatSubmitRequest = ChatForm<WireMedia>;

/** A video request, with its pictures as addresses or files. */
export interface VideoSubmitRequest extends Omit<VideoForm, 'image' | 'lastFrame' | 'referenceImages'> {
  image?: WireMedia;
  lastFrame?: WireMedia;
  referenceImages?: WireMedia[];
}

/** An edit request; the mask is a PNG file that is read when the body is built. */
export interface EditSubmitRequest extends Omit<EditForm, 'mask' | 'baseTaskId'>, ImageOptions {
  /** Absent for a picture that no task of this gateway has made. */
  baseTaskId?: string;
  /** The picture itself, for an API format that edits files. */
  base?: WireFile;
  maskPath: string;
  /** The mask as a PNG whose transparent pixels are repainted. Throws if it cannot be decoded. */
  alphaMask?(): Promise<Uint8Array>;
  /** The hash of the mask, as in a {@link WireFile}. */
  maskSha256?: string;
}

/** An answer about a task, parsed by a kind that defines its own wire form. */
export interface ParsedTask {
  /** Undefined if the answer has no state. */
  state: 'running' | 'succeeded' | 'failed' | 'canceled' | undefined;
  id?: string | undefined;
  /** 0 to 100. */
  progress?: number | undefined;
  outputs?: RemoteOutput[] | undefined;
  /** Why it failed, in the service's words. */
  message?: string | undefined;
  /** The address in the answer to poll. */
  pollUrl?: string | undefined;
}

/** A request of a kind that defines its own wire form. It is sent as JSON with the profile's key. */
export interface TaskSubmitRequest {
  /** Path under the profile's base URL: `/v1/audio/speech`. */
  path: `/${string}`;
  body: Record<string, unknown>;
  /** Texts and addresses in the body that an answer may repeat. */
  sent: string[];
  /** How long it may take until the answer begins, in milliseconds. */
  headerMs?: number;
  parse(answer: unknown): ParsedTask;
}

/** How a task of such a kind is polled. */
export interface TaskPoll {
  /** Path under the profile's base URL; `id` is one segment of it. */
  path(id: string): `/${string}`;
  parse(answer: unknown): ParsedTask;
}

export interface ChatDelta {
  channel: 'text' | 'reasoning';
  text: string;
}

/** What every paid request needs: the key that makes a second attempt safe, and a way to stop waiting. */
export interface SendOptions {
  idempotencyKey: string;
  signal?: AbortSignal;
  /** Called right before a request is sent again after a definite no: `false` once it was canceled, or Dailies quits. */
  mayRetry?(): boolean;
  /**
   * Receives each request of a task before it is sent; sending waits for the promise. Streams are left out, and so are tasks of a kind that
   * defines its own wire form. `false`: the request is not wanted any more and is not sent.
   */
  keep?(request: SentRequest): Promise<boolean>;
  /** Receives each request when it is sent, and the status of its answer. */
  witness?: Witness;
}

export interface Witness {
  /** `sha256` is that of the body, in lower-case hex. */
  sent(request: { bytes: number; sha256: string; key: string; path: string }): void;
  answered(status: number): void;
}

/** A paid request as it is sent, without any secret, so that the same bytes can be sent again under the same idempotency key. */
export interface SentRequest {
  /** The parser that its answer needs. */
  form: 'video' | 'imagine' | 'edits';
  /** The profile's address. */
  baseUrl: string;
  /** Path and query at the profile's origin. It is sent with POST. */
  path: string;
  /** All but those that carry secrets. */
  headers: Readonly<Record<string, string>>;
  /** The image endpoints' spelling of the key header (spec 5.3). */
  authHeader?: string;
  /** The value of `Idempotency-Key`. */
  key: string;
  /** Fields of a video's configuration that are left out, because the service does not accept them. */
  omitted?: readonly OmittableField[];
  /** Undefined if it holds a secret of the profile. */
  body: string | undefined;
  /** Identifies key, bot token and extra headers without revealing them ({@link Gateway.accountOf}). */
  account: string;
}

export interface RepeatOutcome {
  outcome: SubmitOutcome;
  /** The service says that this is its answer to the first request, a refusal included. */
  replayed: boolean;
}

/** The bytes of a result as a stream. The body must be consumed or destroyed. */
export interface MediaResponse {
  /** Iterating throws an `Error` with a sentence if the bytes break off or stop arriving. */
  body: AsyncIterable<Uint8Array>;
  mime?: string;
  /** The length of the whole file, if known. */
  bytes?: number;
  /** The start of the body: the requested `from` if the service honored the range, otherwise 0. */
  from: number;
  /** Identifies this content among later ones at the same address (a strong entity tag, or a date), for `ifRange`. */
  validator?: string;
}

export type MediaOutcome =
  | { type: 'ok'; media: MediaResponse }
  | {
      /**
       * `gone`: the link has expired (410, an expired signature). `missing`: 404, which may be temporary while a copy spreads. `stored`: in
       * object storage (gs://), not downloadable. `refused`: an address that is never fetched, such as file:// or a private one. `noFile`:
       * an answer that is not a file and says nothing about it, such as a page, a message or nothing. `wrong`: a refusal. `pending`: not
       * ready yet. `failed`: the service says that the result was refused or could not be made; final if not retryable. `unreachable`:
       * nothing is known.
       */
      type: 'gone' | 'missing' | 'stored' | 'refused' | 'noFile' | 'wrong' | 'failed' | 'pending' | 'unreachable';
      error: GatewayError;
    };

export interface FetchOptions {
  /** The number of bytes that are already stored. */
  from?: number;
  /** The `validator` of those bytes: if it has changed, the whole file is sent. */
  ifRange?: string;
  signal?: AbortSignal;
}

export type PricesOutcome =
  /** `from`: host and path of the list. Unclear prices are refused by name. */
  | {
      type: 'listed';
      from: string;
      prices: { model: string; kind: PriceKind; readings: PriceInterpretation[] }[];
      refused: { model: string; why: string }[];
    }
  | { type: 'none' }
  | { type: 'unreachable'; error: GatewayError };

/** Known facts about a host, remembered between runs; no secrets. */
export interface DialectMemory {
  /** The origin of the gateway that all of this describes. */
  origin?: string;
  /** The header spelling that the image endpoints accepted (spec 5.3). */
  imageAuthHeader?: string;
  /** The method that the fetch endpoint answered. */
  fetchMethod?: 'POST' | 'GET';
  /** The poll path with `{id}` that worked for videos. */
  videoPollPath?: string;
  maskField?: MaskField;
  /** The API formats that were found; the profile's own come first. */
  protocols?: Protocols;
  /** A spelling that was accepted after the profile's own (`insteadOf`) was refused. */
  videoDialect?: VideoDialect & { insteadOf: string };
  /** The spelling of video options in the last accepted request, even if it is the profile's own. */
  takenSpelling?: string;
  /** The path of the account's balance; empty if no endpoint has it. */
  balancePath?: string;
  /** The service refuses `stream_options`, so streams are requested without usage. */
  noStreamOptions?: boolean;
  /** How each of these was found, and when. */
  foundBy?: Partial<Record<LearntName, { by: FoundBy; at: number }>>;
}

export type LearntName = Exclude<keyof DialectMemory, 'origin' | 'foundBy'>;

export interface Secrets {
  apiKey?: string;
  botToken?: string;
  /** Extra headers of the profile; they are sent with every request to its own origin. */
  headers?: Readonly<Record<string, string>>;
}

export interface GatewayDeps {
  now(): number;
  /** Times the idle and header limits. */
  after(ms: number, run: () => void): () => void;
  /** If this throws, the next change is written together with the lost one. */
  remember(profileId: string, memory: DialectMemory): void;
  recall(profileId: string): DialectMemory;
  network?: Network;
  /** Takes the requests in place of connections. */
  dispatcher?: Dispatcher;
  log?: Pick<Logger, 'warn'>;
}

/** The client of one profile's service. */
export interface Gateway {
  /** `onPicture` gets each picture of the answer once, as it arrives; its bytes or address are not in the text. */
  chat(
    request: ChatSubmitRequest,
    send: SendOptions,
    onDelta: (delta: ChatDelta) => void,
    onPicture?: (output: RemoteOutput) => void,
  ): Promise<ChatOutcome>;
  submitVideo(request: VideoSubmitRequest, send: SendOptions): Promise<SubmitOutcome>;
  submitImagine(request: ImagineSubmitRequest, send: SendOptions): Promise<SubmitOutcome>;
  submitEdit(request: EditSubmitRequest, send: SendOptions): Promise<SubmitOutcome>;
  submitTask(request: TaskSubmitRequest, send: SendOptions): Promise<SubmitOutcome>;
  /** Sends the same bytes once more, under their key, and never in another spelling. */
  repeat(request: SentRequest & { body: string }): Promise<RepeatOutcome>;
  /** The same value for the same secrets and the same key of a request. */
  accountOf(key: string): string;
  /** `call`: for a kind that defines its own wire form. */
  poll(task: RemoteTask, signal?: AbortSignal, call?: TaskPoll): Promise<PollOutcome>;
  /** Fetches a result; the key is sent to the profile's own origin only. */
  fetchMedia(uri: string, options: FetchOptions): Promise<MediaOutcome>;
  /** The price list that the service publishes; sends nothing that is billed. */
  listPrices(): Promise<PricesOutcome>;
  /** The cost in the service's record of an answer, for ids of services that keep one; sends nothing that is billed. */
  recordedCost(id: string): Promise<StatedCost | undefined>;
  /** The facts that the service publishes about its models; sends nothing that is billed. */
  readModels(): Promise<ModelsOutcome>;
  /** The account's balance in nano-dollars, if the service has a free query for it. */
  balance(): Promise<Nano | undefined>;
  /** The steps of `profiles.testConnection`; sends nothing that is billed. */
  test(): Promise<ConnectionTest>;
  /** Settings that were found and differ from the profile, or fill a gap in it. */
  found(): FoundSetting[];
  /** Tries the key for pictures under each of these header names alone, by free requests; the first that is accepted. */
  tryImageHeaders(names: readonly string[]): Promise<string | undefined>;
  /** Lets running requests finish; later requests are not sent. */
  retire(): Promise<void>;
  /** Aborts running requests. */
  close(): Promise<void>;
}

/** The facts that a service states about its models. `from` is the host and path of the list. */
export type ModelsOutcome =
  | { type: 'listed'; from: string; models: (StatedModel & { id: string })[] }
  | { type: 'none' }
  | { type: 'unreachable'; error: GatewayError };

export type OpenGateway = (profile: Profile, secrets: Secrets) => Gateway;

/**
 * The client of a profile, or why there is none: its key is not stored yet, the keychain that may hold it is locked or does not answer, or
 * the profile does not exist.
 */
export type OpenedClient<Client = Gateway> =
  | { status: 'ready'; client: Client }
  | { status: 'no key' | 'unreadable' | 'gone' };
