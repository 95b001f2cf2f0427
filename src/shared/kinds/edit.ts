import { z } from 'zod';
import type { Reason } from '../contract/result.ts';
import { type MediaFacts, mediaRefSchema } from '../library/mediaRef.ts';
import { en, t } from '../text/texts.ts';
import { imageFamily, protocolLabel } from '../wire/families/index.ts';
import { OWN_PROTOCOLS } from '../wire/protocols.ts';
import { prompt } from './fields.ts';
import { imageFields, imageReasons } from './imageFields.ts';
import type { Kind } from './kind.ts';
import { imageLane } from './lanes.ts';
import { PRICINGS } from './pricings.ts';

export const editRequestSchema = z.strictObject({
  kind: z.literal('edit'),
  base: mediaRefSchema,
  mask: mediaRefSchema,
  prompt: prompt.optional(),
  /** Sent as it is: the specification does not define its unit (spec 2.6). */
  timeout: z.int().min(1).max(86_400).optional(),
  ...imageFields,
});
export type EditRequest = z.infer<typeof editRequestSchema>;

/** The longest edge of a mask in pixels: rows are checked one by one, and a narrow picture can have very many. */
export const MASK_EDGE = 16_384;

/** An edit of one of four would be sent as an edit of all four, or of the first. */
export const ONE_OF_SEVERAL = en`must be the only picture of its task, or the sheet of several, since an edit names the task alone.`;

/** Spec 2.6: a PNG of the picture's own size, only pure black and pure white, with something to repaint. */
function maskReasons(base: MediaFacts, mask: MediaFacts): Reason[] {
  const field = 'mask';
  if (mask.mime !== undefined && mask.mime !== 'image/png') return [{ field, message: en`must be a PNG.` }];
  if (mask.status === 'pending') return [{ field, message: en`must be an asset that is already here.` }];
  if (Math.max(mask.width ?? 0, mask.height ?? 0) > MASK_EDGE)
    return [{ field, message: en`must be at most ${MASK_EDGE} pixels wide and high.` }];
  if (
    base.width !== undefined &&
    mask.width !== undefined &&
    (base.width !== mask.width || base.height !== mask.height)
  ) {
    const size = (facts: MediaFacts) => `${facts.width} × ${facts.height}`;
    return [{ field, message: en`must have the picture's size ${size(base)}, not ${size(mask)}.` }];
  }
  if (mask.pureMask === false)
    return [{ field, message: en`must be pure black and white, without greys or transparency.` }];
  if (mask.whitePixels === 0) return [{ field, message: en`must have something painted (white) to change.` }];
  return [];
}

/** An image task edits only pictures of image tasks. */
function taskReasons(base: MediaFacts): Reason[] {
  if (base.imageTask === false)
    return [{ field: 'base', message: en`must be an image made by this gateway, since an edit names its task.` }];
  return base.isOneOfSeveral === true ? [{ field: 'base', message: ONE_OF_SEVERAL }] : [];
}

/** Other formats edit any picture on this machine. */
function uploadReasons({ prompt: words }: EditRequest, base: MediaFacts, protocol: string): Reason[] {
  const edits = imageFamily(protocol)?.edit !== undefined;
  if (!edits) return [{ field: 'mask', message: t`${protocolLabel(protocol)} cannot edit with a mask.` }];
  if (base.status === 'ready' && base.isGone === true) return [{ field: 'base', message: en`is not on this disk.` }];
  return words === undefined ? [{ field: 'prompt', message: 'must not be empty.' }] : [];
}

/** A picture with the white parts of a mask repainted (spec 2.6, 4.4). */
export const edit = {
  name: 'edit',
  schema: editRequestSchema,
  words: { title: t`Edit`, made: t`Edit`, billed: 'image edit', untitled: t`Untitled` },
  makes: 'image',
  gallery: 'images',
  canBeEdited: true,
  filteredIsFree: false,
  usualMs: 60_000,
  pricing: PRICINGS.image,
  table: { columns: { prompt: 'prompt', image: 'base', mask: 'mask', timeout: 'timeout' } },
  lanes: [imageLane],
  lane: () => imageLane,
  promptText: (request) => request.prompt ?? '',
  shortened: (request, length) => ({ ...request, prompt: (request.prompt ?? '').slice(0, length) }),
  facts: () => t`Edit`,
  mediaRefs: ({ base, mask }) => [
    { field: 'base', ref: base, isNamed: true },
    { field: 'mask', ref: mask, maskOf: base },
  ],
  reasons(request, { lookUp, protocols = OWN_PROTOCOLS }) {
    const base = lookUp(request.base);
    const own = imageFamily(protocols.image) ? uploadReasons(request, base, protocols.image) : taskReasons(base);
    return [
      ...imageReasons(request, protocols.image),
      ...(own.length > 0 ? own : maskReasons(base, lookUp(request.mask))),
    ];
  },
  most: ({ n = 1 }) => ({ images: n }),
  made: ({ n = 1 }, results) => ({ images: Math.min(n, Math.max(1, results)) }),
  targetMs: () => undefined,
  seed: () => undefined,
  seeded: (request) => request,
} as const satisfies Kind<EditRequest>;
