import type { z } from 'zod';
import type { Reason } from '../contract/result.ts';
import type { ModelFacts } from '../gateway/modelFacts.ts';
import type { LookUpMedia, MediaClass, MediaRef } from '../library/mediaRef.ts';
import type { Quantity } from '../money/quantity.ts';
import type { MediaProtocols } from '../wire/protocols.ts';
import type { Lane } from './lanes.ts';
import type { Pricing } from './pricings.ts';

/** The fields that requests of every kind have. */
export interface AnyRequest {
  kind: string;
  model?: string | undefined;
}

/** The columns of a table of requests that fill a field of the request itself. */
export const REQUEST_COLUMNS = [
  'prompt',
  'model',
  'mode',
  'seconds',
  'resolution',
  'aspect',
  'audio',
  'samples',
  'seed',
  'image',
  'last_frame',
  'references',
  'video',
  'mask',
  'timeout',
] as const;
export type RequestColumn = (typeof REQUEST_COLUMNS)[number];

/** One media reference of a request, and its field. */
export interface MediaInput {
  field: string;
  ref: MediaRef;
  /** Set if it is a mask over another medium of the request: it has that medium's size, and its pixels are checked. */
  maskOf?: MediaRef;
  /** Set if the service is told its address or its task, and never its bytes. */
  isNamed?: boolean;
}

/** What the validation of a request needs besides the request. */
export interface ReadinessContext {
  lookUp: LookUpMedia;
  contextTokens: number;
  /** What is known of the request's model; absent, nothing is. */
  facts?: ModelFacts;
  /** The API formats that it is sent in; absent, the specification's own. */
  protocols?: MediaProtocols;
}

/**
 * A kind of generation: everything that the studio and its pages need to know about it, in one object that does not compile unless it is
 * complete. What only the engine needs (how it is submitted and polled) is in `core/jobs/kinds`. Functions are pure.
 */
export interface Kind<R extends AnyRequest = AnyRequest> {
  /** The `kind` of its requests. */
  readonly name: R['kind'];
  /** The rules that need nothing but the request. */
  readonly schema: z.ZodType<R>;
  readonly words: {
    /** In a filter. */
    readonly title: string;
    /** One result: `Picture`. */
    readonly made: string;
    /** One result in a letter to a service: `image`. */
    readonly billed: string;
    /** The title of a request without a prompt. */
    readonly untitled: string;
  };
  /** What it makes. Text is the answer itself; everything else is a file of the library. */
  readonly makes: 'text' | MediaClass;
  /** The page that lists its results and shows how each job ends; undefined if another page reports that. */
  readonly gallery?: 'storyboard' | 'images';
  /** An edit can name the task that made it (spec 4.4). */
  readonly canBeEdited: boolean;
  /** A result that the service has filtered out costs nothing (spec 8). */
  readonly filteredIsFree: boolean;
  /** The usual duration of one, in milliseconds, used until one has been made here. */
  readonly usualMs: number;
  readonly pricing: Pricing;
  /**
   * The columns of a table of requests that this kind reads, and the field that each one fills; the others do not belong to it. `start` is
   * the request before its cells are read, and `aliases` are other fields that say the same as a column's.
   */
  readonly table: {
    readonly columns: Readonly<Partial<Record<RequestColumn, string>>>;
    readonly aliases?: Readonly<Partial<Record<RequestColumn, string>>>;
    readonly start?: () => Record<string, unknown>;
  };
  /** All lanes that its requests go to. */
  readonly lanes: readonly Lane[];
  /** The lane of this request. */
  lane(request: R, isPreview: (model: string) => boolean): Lane;
  /** The text by which it is found and listed. */
  promptText(request: R): string;
  /** Its prompt cut to `length` characters, and its rest to what a list shows. */
  shortened(request: R, length: number): R;
  /** The settings besides the prompt, in one line: `first frame, 8 s, 720p`. */
  facts(request: R): string;
  /** Every media reference and its field. */
  mediaRefs(request: R): MediaInput[];
  /** The reasons why it cannot be sent once every medium it names exists. */
  reasons(request: R, context: ReadinessContext): Reason[];
  /** The largest quantity it can produce. */
  most(request: R, limits: { outputTokens: number }): Quantity;
  /** The quantity to charge for this many results, each as it was requested. */
  made(request: R, results: number): Quantity;
  /** After this many milliseconds it is slower than the service promises (spec 8); undefined without a promise. */
  targetMs(request: R): number | undefined;
  /** Its seed, if it has one. */
  seed(request: R): number | undefined;
  /** The request with a random seed, if its kind has seeds and none is chosen. `roll` returns a uint32. */
  seeded(request: R, roll: () => number): R;
}
