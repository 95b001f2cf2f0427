import { z } from 'zod';
import { t } from '../text/texts.ts';
import { OWN_PROTOCOLS } from '../wire/protocols.ts';
import { prompt } from './fields.ts';
import { imageFields, imageReasons } from './imageFields.ts';
import type { Kind } from './kind.ts';
import { imageLane } from './lanes.ts';
import { PRICINGS } from './pricings.ts';

export const IMAGE_MODES = ['fast', 'relax', 'turbo'] as const;

export const imagineRequestSchema = z.strictObject({
  kind: z.literal('imagine'),
  prompt,
  mode: z.enum(IMAGE_MODES).optional(),
  ...imageFields,
});
export type ImagineRequest = z.infer<typeof imagineRequestSchema>;

/** Target durations of the modes (spec 8). */
const TARGET_MS = { turbo: 60_000, fast: 90_000, relax: 600_000 };

/** A picture from a prompt (spec 4.2). */
export const imagine = {
  name: 'imagine',
  schema: imagineRequestSchema,
  words: { title: t`Image`, made: t`Picture`, billed: 'image', untitled: t`Untitled` },
  makes: 'image',
  gallery: 'images',
  canBeEdited: true,
  filteredIsFree: false,
  usualMs: 60_000,
  pricing: PRICINGS.image,
  table: { columns: { prompt: 'prompt', mode: 'mode' } },
  lanes: [imageLane],
  lane: () => imageLane,
  promptText: (request) => request.prompt,
  shortened: (request, length) => ({ ...request, prompt: request.prompt.slice(0, length) }),
  facts: (request) => [t`Image`, request.mode, request.model, request.size].filter(Boolean).join(', '),
  mediaRefs: () => [],
  reasons: (request, { protocols = OWN_PROTOCOLS }) => imageReasons(request, protocols.image),
  most: ({ n = 1 }) => ({ images: n }),
  // An image task counts as one, whatever the number of pictures in its sheet.
  made: ({ n = 1 }, results) => ({ images: Math.min(n, Math.max(1, results)) }),
  targetMs: (request) => TARGET_MS[request.mode ?? 'fast'],
  // Image requests have no field for a seed (spec 2.6).
  seed: () => undefined,
  seeded: (request) => request,
} as const satisfies Kind<ImagineRequest>;
