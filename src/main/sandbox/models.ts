import { statedPrice } from './bill.ts';

/** The sandbox's models (spec 2.5). Image models are chosen by a flag in the prompt, not by name (spec 9). */
export const MODELS = [
  { id: 'language', kind: 'chat' },
  { id: 'language-exp', kind: 'chat' },
  { id: 'language-exp-nothinking', kind: 'chat' },
  { id: 'language-exp-thinking', kind: 'chat' },
  { id: 'video-standard', kind: 'video' },
  { id: 'video-pro', kind: 'video' },
] as const;

const CREATED = 1_735_689_600;

/** `GET /v1/models` in OpenAI's format, with each model's kind, and its price if this sandbox states prices. */
export function modelList(statesPrices: boolean) {
  return {
    object: 'list',
    data: MODELS.map(({ id, kind }) => ({
      id,
      object: 'model',
      created: CREATED,
      owned_by: 'sandbox',
      kind,
      // In OpenRouter's format.
      ...(kind === 'chat'
        ? { architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] } }
        : {}),
      ...(statesPrices ? { pricing: statedPrice(id) } : {}),
    })),
  };
}

/** Whether the model sends its reasoning. */
export const isThinking = (model: string): boolean => model.endsWith('-thinking');

export function kindOfModel(model: unknown): 'chat' | 'video' | null {
  return MODELS.find(({ id }) => id === model)?.kind ?? null;
}
