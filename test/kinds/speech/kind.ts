import { z } from 'zod';
import { registerKind } from '../../../src/shared/kinds/index.ts';
import type { Kind } from '../../../src/shared/kinds/kind.ts';
import type { Lane } from '../../../src/shared/kinds/lanes.ts';
import type { Pricing } from '../../../src/shared/kinds/pricings.ts';

/** A kind that the studio does not have: speech from a text. Nothing in `src` names it; this folder is all there is of it. */

const schema = z.strictObject({
  kind: z.literal('speech'),
  model: z.string().min(1, 'must not be empty'),
  text: z.string('must be text').min(1, 'must not be empty'),
  seconds: z.int('must be a whole number').min(1, 'must be 1 to 60').max(60, 'must be 1 to 60'),
});
export type SpeechRequest = z.infer<typeof schema>;

const pricing: Pricing = {
  name: 'speech',
  title: 'Speech',
  units: ['second'],
  byModel: true,
  hasPreviews: false,
  example: { short: '10 s is', sentence: '10 s is', quantity: { seconds: 10 } },
};

const lane: Lane = { name: 'speech', words: 'voice-overs', atOnce: () => 2 };

const speech: Kind<SpeechRequest> = {
  name: 'speech',
  schema,
  words: { title: 'Speech', made: 'Voice-over', billed: 'voice-over', untitled: 'Silence' },
  makes: 'audio',
  canBeEdited: false,
  filteredIsFree: false,
  usualMs: 20_000,
  pricing,
  table: { columns: { prompt: 'text', model: 'model', seconds: 'seconds' } },
  lanes: [lane],
  lane: () => lane,
  promptText: ({ text }) => text,
  shortened: (request, length) => ({ ...request, text: request.text.slice(0, length) }),
  facts: ({ seconds }) => `voice-over, ${seconds} s`,
  mediaRefs: () => [],
  reasons: ({ text, seconds }) =>
    text.length <= seconds * 20 ? [] : [{ field: 'text', message: 'is too long to be said in that time.' }],
  most: ({ seconds }) => ({ seconds }),
  made: ({ seconds }) => ({ seconds }),
  targetMs: () => undefined,
  seed: () => undefined,
  seeded: (request) => request,
};

/** Returns the function that removes it. */
export const addSpeech = (): (() => void) => registerKind(speech);
