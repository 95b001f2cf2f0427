import type { Reason } from '../../contract/result.ts';
import type { ModelFacts } from '../../gateway/modelFacts.ts';
import type { OmittableField, ReferenceTypes, VideoConfig } from '../../kinds/videoConfig.ts';
import { t } from '../../text/texts.ts';

/** The requests of one API format for media, and the free signs that a gateway supports it. */

/** A video request with pictures as addresses: `https:`, `gs:`, or `data:` with their bytes (spec 2.2). */
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
  /** Configuration fields that the gateway does not take, left out of the body. */
  omitted: OmittableField[];
  /** Every address and text in it that an answer may repeat. */
  sent: string[];
}

/** Evidence from free queries about a gateway's formats (wire-families, "How a family shows itself"). */
export interface FormatEvidence {
  /** The words of `supported_endpoint_types` in the list of models (new-api). */
  endpointTypes: readonly string[];
  /** The words of `architecture.output_modalities` in the list of models (OpenRouter). */
  outputs: readonly string[];
  /** Routes by path: true if the answer to a GET proves the route, false after a definite "no such route". */
  routes: Readonly<Record<string, boolean>>;
}

/** Whether a gateway supports a format; `sign`: the evidence. */
export type Match = { speaks: 'yes' | 'no'; sign: string } | { speaks: 'unknown' };

export const UNKNOWN: Match = { speaks: 'unknown' };

interface Family {
  readonly name: string;
  readonly label: string;
  match(signs: FormatEvidence): Match;
}

/** Fields that a format supports; a request with others is refused with a reason before it is sent. */
export interface VideoFields {
  image?: unknown;
  lastFrame?: unknown;
  referenceImages?: readonly unknown[] | undefined;
  video?: unknown;
  config?: VideoForm['config'] | undefined;
}

/** An API format for clips: a request, then a polled task. */
export interface VideoFamily extends Family {
  /** Path of the request under the base URL. */
  readonly path: `/${string}`;
  /** The path for polling, with `{id}`; absent if the answer or the profile states it. */
  readonly taskPath?: `/${string}`;
  /** Lengths in seconds if the model states none; absent: any. */
  readonly seconds?: readonly number[];
  /** The field for a first frame as a file, which makes the whole request a form. */
  readonly upload?: string;
  /** The parts of a request that it has no field for. */
  lacks(request: VideoFields, facts: ModelFacts): Reason[];
  body(form: VideoForm): VideoBody;
}

/** A picture in JSON: an address, or a `data:` address with the bytes. */
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

/** The fields of a body as form parts; lists and objects as JSON. */
export const formFields = (fields: Record<string, unknown>): FormPart[] =>
  Object.entries(fields).map(([name, value]) => ({
    name,
    value: typeof value === 'object' ? JSON.stringify(value) : String(value),
  }));

export interface ImageEditForm extends ImageForm {
  /** PNG, JPEG or WebP. */
  image: { mime: string; bytes: Uint8Array };
  /** A PNG of the picture's size; its transparent pixels are repainted. */
  mask: Uint8Array;
}

/** An API format for pictures that answers in the same exchange: a lost reply cannot be looked up. */
export interface ImageFamily extends Family {
  readonly path: `/${string}`;
  readonly variations: number;
  /** Offered sizes and qualities; empty without such a field. */
  readonly sizes: readonly string[];
  readonly qualities: readonly string[];
  imagine(form: ImageForm): Record<string, unknown>;
  /** Absent if it has no edits by mask. */
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

/** The object without undefined fields. */
export const definedFields = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));

/** Texts and addresses of a request that an answer may repeat. */
export const sentTexts = ({ prompt, image, lastFrame, videoUri, referenceImages = [] }: VideoForm): string[] =>
  [prompt, image, lastFrame, videoUri, ...referenceImages].filter((text) => text !== undefined);

/** The named fields that the configuration has. */
export const withValue = (config: VideoForm['config'], fields: readonly OmittableConfig[]): OmittableConfig[] =>
  fields.filter((field) => config[field] !== undefined);

type OmittableConfig = Extract<VideoBody['omitted'][number], keyof VideoForm['config']>;
