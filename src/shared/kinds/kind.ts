import type { z } from 'zod';
import type { Reason } from '../contract/result.ts';
import type { ModelFacts } from '../gateway/modelFacts.ts';
import type { LookUpMedia, MediaClass, MediaRef } from '../library/mediaRef.ts';
import type { Quantity } from '../money/quantity.ts';
import type { MediaProtocols } from '../wire/protocols.ts';
import type { Lane } from './lanes.ts';
import type { Pricing } from './pricings.ts';

export interface AnyRequest {
  kind: string;
  model?: string | undefined;
}

/** The columns of a request table that fill fields of the request itself. */
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

/** A media reference of a request and its field. */
export interface MediaInput {
  field: string;
  ref: MediaRef;
  /** For a mask: the medium that it covers. Sizes must match, and the mask's pixels are checked. */
  maskOf?: MediaRef;
  /** Sent as an address or a task, never as bytes. */
  isNamed?: boolean;
}

/** The facts that validation needs besides the request. */
export interface ReadinessContext {
  lookUp: LookUpMedia;
  contextTokens: number;
  /** The facts about the model; absent: unknown. */
  facts?: ModelFacts;
  /** The API formats in use; absent: the specification's. */
  protocols?: MediaProtocols;
}

/**
 * A kind of generation: everything that core and pages know about it, in one object that does not compile unless it is complete. What only
 * the engine needs (submitting, polling) is in `core/jobs/kinds`. All functions are pure.
 */
export interface Kind<R extends AnyRequest = AnyRequest> {
  /** The `kind` of its requests. */
  readonly name: R['kind'];
  /** The rules that depend on the request alone. */
  readonly schema: z.ZodType<R>;
  readonly words: {
    /** The label in filters. */
    readonly title: string;
    /** One result: `Picture`. */
    readonly made: string;
    /** One result, in a letter to a gateway: `image`. */
    readonly billed: string;
    /** The title of a request without a prompt. */
    readonly untitled: string;
  };
  /** The answer itself, or files of the library. */
  readonly makes: 'text' | MediaClass;
  /** The page that lists its results and shows how its jobs end; undefined if another page does. */
  readonly gallery?: 'storyboard' | 'images';
  /** An edit can name the task that made it (spec 4.4). */
  readonly canBeEdited: boolean;
  /** A result removed by the gateway's filter costs nothing (spec 8). */
  readonly filteredIsFree: boolean;
  /** The assumed duration in milliseconds until one has been made here. */
  readonly usualMs: number;
  readonly pricing: Pricing;
  /**
   * The table columns that this kind reads, and the field of each. `start`: the request before its cells are read; `aliases`: other fields
   * with the meaning of a column.
   */
  readonly table: {
    readonly columns: Readonly<Partial<Record<RequestColumn, string>>>;
    readonly aliases?: Readonly<Partial<Record<RequestColumn, string>>>;
    readonly start?: () => Record<string, unknown>;
  };
  readonly lanes: readonly Lane[];
  lane(request: R, isPreview: (model: string) => boolean): Lane;
  /** The text for lists and search. */
  promptText(request: R): string;
  /** The request as lists show it: the prompt cut to `length`. */
  shortened(request: R, length: number): R;
  /** Its settings in one line: `first frame, 8 s, 720p`. */
  facts(request: R): string;
  mediaRefs(request: R): MediaInput[];
  /** Why it cannot be sent although all its media exist. */
  reasons(request: R, context: ReadinessContext): Reason[];
  /** The largest quantity it can produce. */
  most(request: R, limits: { outputTokens: number }): Quantity;
  /** The quantity to charge for this many results, each as it was requested. */
  made(request: R, results: number): Quantity;
  /** The duration in milliseconds that the gateway promises (spec 8), if any. */
  targetMs(request: R): number | undefined;
  seed(request: R): number | undefined;
  /** The request with a random seed, if the kind has seeds and none is set. `roll` returns a uint32. */
  seeded(request: R, roll: () => number): R;
}
