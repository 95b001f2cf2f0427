import type { Reason } from '../../contract/result.ts';
import type { ModelFacts } from '../../gateway/modelFacts.ts';
import type { OmittableField, ReferenceTypes, VideoConfig } from '../../kinds/videoConfig.ts';
import { t } from '../../text/texts.ts';

/** How a gateway is asked for media: the requests of one API format, and the free signs by which a gateway shows that it speaks it. */

/** A video request whose pictures are addresses: `https:`, `gs:`, or `data:` with their bytes (spec 2.2). */
export interface VideoForm {
  model: string;
  prompt: string;
  config: VideoConfig;
  image?: string | undefined;
  lastFrame?: string | undefined;
  referenceImages?: string[] | undefined;
  referenceType?: ReferenceTypes | undefined;
  /** The address of an earlier clip of the same model (spec 2.2). */
  videoUri?: string | undefined;
}

export interface VideoBody {
  body: Record<string, unknown>;
  /** The fields of the configuration that the service does not take: they are not in it. */
  omitted: OmittableField[];
  /** Every address and text in it that an answer may repeat. */
  sent: string[];
}

/** What free queries show of the formats that a gateway speaks (wire-families, "How a family shows itself"). */
export interface Signs {
  /** Every word of `supported_endpoint_types` in the list of models (new-api). */
  endpointTypes: readonly string[];
  /** Every word of `architecture.output_modalities` in the list of models (OpenRouter). */
  outputs: readonly string[];
  /** Paths whose GET was answered as only that route answers: true. With the definite "no such route": false. */
  routes: Readonly<Record<string, boolean>>;
}

/** Whether the signs show that the gateway speaks a format; `sign` names what shows it. */
export type Match = { speaks: 'yes' | 'no'; sign: string } | { speaks: 'unknown' };

export const UNKNOWN: Match = { speaks: 'unknown' };

interface Family {
  readonly name: string;
  readonly label: string;
  match(signs: Signs): Match;
}

/** What a format has a field for; a reason is given for the rest before anything is sent. */
export interface VideoFields {
  image?: unknown;
  lastFrame?: unknown;
  referenceImages?: readonly unknown[] | undefined;
  video?: unknown;
  config?: VideoForm['config'] | undefined;
}

/** An API format for clips: a request, then a task that is polled. */
export interface VideoFamily extends Family {
  /** Path of the request under the base URL. */
  readonly path: `/${string}`;
  /** Where its task is polled, with `{id}`; absent if the answer or the profile says so. */
  readonly taskPath?: `/${string}`;
  /** Lengths in seconds where the model states none; absent: any. */
  readonly seconds?: readonly number[];
  /** The field in which a first frame of this machine goes as a file, the whole request then being a form. */
  readonly upload?: string;
  /** What of a request it has no field for. */
  lacks(request: VideoFields, facts: ModelFacts): Reason[];
  body(form: VideoForm): VideoBody;
}

/** A picture of a request as it is written in JSON: an address, or a `data:` address with the bytes. */
export interface ImageForm {
  model?: string | undefined;
  prompt: string;
  n?: number | undefined;
  size?: string | undefined;
  quality?: string | undefined;
}

/** One part of a form (RFC 7578). */
export interface FormPart {
  name: string;
  value: string | { filename: string; mime: string; bytes: Uint8Array };
}

/** The fields of a body as parts of a form: lists and objects as JSON. */
export const textParts = (fields: Record<string, unknown>): FormPart[] =>
  Object.entries(fields).map(([name, value]) => ({
    name,
    value: typeof value === 'object' ? JSON.stringify(value) : String(value),
  }));

export interface ImageEditForm extends ImageForm {
  /** PNG, JPEG or WebP. */
  image: { mime: string; bytes: Uint8Array };
  /** A PNG of the picture's size whose transparent pixels are repainted. */
  mask: Uint8Array;
}

/** An API format for pictures that answers in the same exchange: a lost answer cannot be looked up. */
export interface ImageFamily extends Family {
  readonly path: `/${string}`;
  /** The most pictures of one request. */
  readonly variations: number;
  /** Sizes and qualities to offer; empty where it has no field for one. */
  readonly sizes: readonly string[];
  readonly qualities: readonly string[];
  imagine(form: ImageForm): Record<string, unknown>;
  /** Absent where it edits no pictures by mask. */
  readonly edit?: { path: `/${string}`; parts(form: ImageEditForm): FormPart[] };
}

interface Has {
  last?: boolean;
  references?: number;
  extend?: boolean;
  variations?: number;
  resolutions?: readonly string[];
}

/** The parts of a request that a format has no field for. */
export function lacking(label: string, has: Has, request: VideoFields): Reason[] {
  const { config = {}, referenceImages = [] } = request;
  const count = Math.max(config.sampleCount ?? 1, config.numberOfVideos ?? 1);
  const { last = false, references = 0, extend = false, variations = 1, resolutions } = has;
  const reasons: (Reason | false)[] = [
    request.lastFrame !== undefined && !last && { field: 'lastFrame', message: t`${label} has no last frame.` },
    referenceImages.length > references && {
      field: 'referenceImages',
      message: references === 0 ? t`${label} has no references.` : t`${label} takes at most ${references} references.`,
    },
    request.video !== undefined && !extend && { field: 'video', message: t`${label} cannot extend clips.` },
    count > variations && {
      field: 'config.sampleCount',
      message: t`${label} makes at most ${variations} per request.`,
    },
    resolutions !== undefined &&
      config.resolution !== undefined &&
      !resolutions.includes(config.resolution) && {
        field: 'config.resolution',
        message: t`${label} has no ${config.resolution}.`,
      },
  ];
  return reasons.filter((reason) => reason !== false);
}

/** The fields with a value. */
export const present = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));

/** The texts and addresses of a request that an answer may repeat. */
export const sentTexts = ({ prompt, image, lastFrame, videoUri, referenceImages = [] }: VideoForm): string[] =>
  [prompt, image, lastFrame, videoUri, ...referenceImages].filter((text) => text !== undefined);

/** Those of the named fields that the configuration has. */
export const withValue = (config: VideoForm['config'], fields: readonly OmittableConfig[]): OmittableConfig[] =>
  fields.filter((field) => config[field] !== undefined);

type OmittableConfig = Extract<VideoBody['omitted'][number], keyof VideoForm['config']>;
