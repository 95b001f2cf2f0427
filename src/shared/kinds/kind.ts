import type { z } from 'zod';
import type { LookUpMedia, MediaClass, MediaRef } from '../mediaRef.ts';
import type { Quantity } from '../quantity.ts';
import type { Reason } from '../result.ts';
import type { Lane } from './lanes.ts';
import type { Pricing } from './pricings.ts';

/** As much of a request as those of every kind have. */
export interface AnyRequest {
  kind: string;
  model?: string | undefined;
}

/** One media reference of a request, and the field that it stands in. */
export interface MediaInput {
  field: string;
  ref: MediaRef;
  /** It is a mask over this other medium of the request: it has that one's size, and its pixels are looked at. */
  maskOf?: MediaRef;
}

/** What a request is judged by besides itself. */
export interface ReadinessContext {
  lookUp: LookUpMedia;
  contextTokens: number;
}

/**
 * A kind of generation: all that the studio and its pages have to know of it, in one object, complete or it does not compile. What only
 * the engine needs (how it is sent and followed) is in `core/jobs/kinds`. Functions are pure.
 */
export interface Kind<R extends AnyRequest = AnyRequest> {
  /** As a request's `kind` says it. */
  readonly name: R['kind'];
  /** The rules that one request can be judged by alone. */
  readonly schema: z.ZodType<R>;
  readonly words: {
    /** In a filter. */
    readonly title: string;
    /** One thing that it made: `Picture`. */
    readonly made: string;
    /** What one without words is called. */
    readonly untitled: string;
  };
  /** What it makes. Text is the answer itself; all else are files of the library. */
  readonly makes: 'text' | MediaClass;
  /** The page that lists what it makes and shows how each ends; none where it is told elsewhere. */
  readonly gallery?: 'storyboard' | 'images';
  /** An edit can name the task that made it (spec 4.4). */
  readonly canBeEdited: boolean;
  /** A result that the service has filtered out costs nothing (spec 8). */
  readonly filteredIsFree: boolean;
  /** Milliseconds that one usually takes, while none has been made here. */
  readonly usualMs: number;
  readonly pricing: Pricing;
  /** All lanes that its requests go to. */
  readonly lanes: readonly Lane[];
  /** What this request shares a limit with. */
  lane(request: R, isPreview: (model: string) => boolean): Lane;
  /** The words it is found by and listed under. */
  promptText(request: R): string;
  /** Its prompt cut to `length` characters, and its rest to what a list shows. */
  shortened(request: R, length: number): R;
  /** In one line, what is ordered besides the prompt: `first frame, 8 s, 720p`. */
  facts(request: R): string;
  /** Every media reference with the field it stands in. */
  mediaRefs(request: R): MediaInput[];
  /** What keeps it from being sent, once every medium it names is there. */
  reasons(request: R, context: ReadinessContext): Reason[];
  /** The most it can come to. */
  most(request: R, limits: { outputTokens: number }): Quantity;
  /** What is charged where so many results came, each as it was ordered. */
  made(request: R, results: number): Quantity;
  /** Past this many milliseconds it is slower than the service says (spec 8); undefined where it says nothing. */
  targetMs(request: R): number | undefined;
  /** The seed it is made with, where it has one. */
  seed(request: R): number | undefined;
  /** With a seed rolled where it takes one and none is chosen. `roll` gives a uint32. */
  seeded(request: R, roll: () => number): R;
}
