import {
  type ChatRequest,
  type EditRequest,
  type MediaRef,
  mediaRefsOf,
  type StudioRequest,
  type VideoRequest,
} from './request.ts';
import type { Reason } from './result.ts';

/**
 * The rules that need to know what a request points at. The pages call this on their draft to explain a button that is off;
 * `jobs.enqueue` calls the same function on the request, so that neither can be talked round.
 */

/** What is known of the thing behind a {@link MediaRef}. */
export interface MediaFacts {
  /** `pending`: a job that is not done yet; its dimensions are checked when it is. */
  status: 'ready' | 'pending' | 'missing' | 'dead';
  type: 'image' | 'video' | 'other' | 'unknown';
  width?: number;
  height?: number;
  mime?: string;
  /** The model that made it, for the same-model rule (spec 2.2). */
  model?: string;
  /** Made as an image task of this profile, so that an edit can name its task (spec 4.4). */
  imageTask?: boolean;
  /** The service can still be pointed at it by URI, for an extension (spec 2.4). */
  remoteUri?: boolean;
  /** For a mask: every pixel is pure black or pure white (spec 2.6). Absent where it was not looked at. */
  pureMask?: boolean;
  /** For a mask: how many pixels are white. */
  whitePixels?: number;
}

export type PictureSize = Required<Pick<MediaFacts, 'width' | 'height'>>;

export type LookUpMedia = (ref: MediaRef) => MediaFacts;

export interface ReadinessLimits {
  contextTokens: number;
}

/** All that keeps a well-formed request from being sent, in the order of its fields; empty when it is ready. */
export function readiness(request: StudioRequest, lookUp: LookUpMedia, limits: ReadinessLimits): Reason[] {
  const missing = mediaRefsOf(request).flatMap(({ field, ref }) => existence(field, lookUp(ref)));
  if (missing.length > 0) return missing;
  switch (request.kind) {
    case 'chat':
      return chatReasons(request, limits);
    case 'video':
      return videoReasons(request, lookUp);
    case 'edit':
      return editReasons(request, lookUp);
    case 'imagine':
      return [];
  }
}

function existence(field: string, facts: MediaFacts): Reason[] {
  if (facts.status === 'missing')
    return [{ field, message: `${field}: there is no such asset or job in the library.` }];
  if (facts.status === 'dead')
    return [{ field, message: `${field}: that job failed or was canceled and has no result.` }];
  return [];
}

/** A rough count that a page can show: about four bytes a token for Latin text, one character a token elsewhere. */
export function approximateTokens(text: string): number {
  let ascii = 0;
  let other = 0;
  for (const character of text) {
    if (character.charCodeAt(0) < 128) ascii++;
    else other++;
  }
  return Math.ceil(ascii / 4) + other;
}

function chatReasons(request: ChatRequest, limits: ReadinessLimits): Reason[] {
  const tokens = request.messages.reduce((sum, message) => sum + approximateTokens(message.content) + 4, 0);
  if (tokens <= limits.contextTokens) return [];
  const over = (tokens - limits.contextTokens).toLocaleString('en-US');
  return [
    {
      field: 'messages',
      message: `messages: about ${over} tokens more than the ${limits.contextTokens.toLocaleString('en-US')} that fit.`,
    },
  ];
}

function videoReasons(request: VideoRequest, lookUp: LookUpMedia): Reason[] {
  const pictures = mediaRefsOf(request).filter(({ field }) => field !== 'video');
  const wrongType = pictures
    .filter(({ ref }) => !['image', 'unknown'].includes(lookUp(ref).type))
    .map(({ field }) => ({ field, message: `${field}: must be a picture.` }));
  return request.video ? [...wrongType, ...extensionReasons(request.model, lookUp(request.video))] : wrongType;
}

function extensionReasons(model: string, source: MediaFacts): Reason[] {
  const field = 'video';
  if (source.type === 'image' || source.type === 'other') return [{ field, message: 'video: must be a video.' }];
  if (source.model !== undefined && source.model !== model) {
    return [
      { field, message: `video: was made by ${source.model}; only the same model can extend it (chosen: ${model}).` },
    ];
  }
  if (source.status === 'ready' && source.remoteUri === false) {
    return [{ field, message: 'video: the service no longer holds this clip, so it cannot be extended.' }];
  }
  return [];
}

function editReasons(request: EditRequest, lookUp: LookUpMedia): Reason[] {
  const base = lookUp(request.base);
  if (base.imageTask === false) {
    return [{ field: 'base', message: 'base: must be an image made by this gateway, since an edit names its task.' }];
  }
  return maskReasons(base, lookUp(request.mask));
}

/** Longest edge of a mask in pixels: its rows are looked at one by one, and a narrow picture can have a great many of them. */
export const MASK_EDGE = 16_384;

/** Spec 2.6: a PNG of the picture's own size, only pure black and pure white, with something to repaint. */
export function maskReasons(base: MediaFacts, mask: MediaFacts): Reason[] {
  const field = 'mask';
  if (mask.mime !== undefined && mask.mime !== 'image/png') return [{ field, message: 'mask: must be a PNG.' }];
  if (mask.status === 'pending') return [{ field, message: 'mask: must be an asset that is already here.' }];
  if (Math.max(mask.width ?? 0, mask.height ?? 0) > MASK_EDGE)
    return [{ field, message: `mask: must be at most ${MASK_EDGE} pixels wide and high.` }];
  if (
    base.width !== undefined &&
    mask.width !== undefined &&
    (base.width !== mask.width || base.height !== mask.height)
  ) {
    const size = (facts: MediaFacts) => `${facts.width} × ${facts.height}`;
    return [{ field, message: `mask: must have the picture's size ${size(base)}, not ${size(mask)}.` }];
  }
  if (mask.pureMask === false)
    return [{ field, message: 'mask: must be pure black and white, without greys or transparency.' }];
  if (mask.whitePixels === 0) return [{ field, message: 'mask: must have something painted (white) to change.' }];
  return [];
}
