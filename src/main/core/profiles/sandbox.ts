import { isDeepStrictEqual } from 'node:util';
import { ownFacts, type StatedModel } from '../../../shared/gateway/modelFacts.ts';
import {
  DEFAULT_MODELS,
  type Profile,
  type ProfileInput,
  profileSchema,
  SANDBOX_PROFILE_ID,
} from '../../../shared/gateway/profile.ts';
import { KINDS, modelsFor } from '../../../shared/kinds/index.ts';
import { DEFAULT_PRICES, type Price, SANDBOX_PRICES } from '../../../shared/money/price.ts';

/** The profile of the built-in sandbox: the address of this run, the rest set by the user. */

/** The sandbox's prices, except entries that the user has set. */
const withItsPrices = (own: readonly Price[]): Price[] => [
  ...own,
  ...SANDBOX_PRICES.filter((price) => !own.some((entry) => entry.kind === price.kind && entry.model === price.model)),
];

/** From the settings: before the sandbox stated its units, a price could be saved with both interpretations open. */
export const withoutOpenPrices = (saved: Profile): Profile => ({
  ...saved,
  prices: saved.prices.filter((price) => !DEFAULT_PRICES.some((open) => isDeepStrictEqual(open, price))),
});

/** The sandbox with the user's prices, limits and model facts. */
export function ownSandbox(sandbox: Profile, { prices, limits, idempotency, models }: Profile): Profile {
  const set = (id: string) => ownFacts(models.find((model) => model.id === id) ?? {});
  const own = sandbox.models.map((model) => ({ ...model, ...set(model.id) }));
  return { ...sandbox, prices: withItsPrices(prices), limits, idempotency, models: own };
}

/** The content of the sandbox's own list, known before it is read. */
const STATED: Record<string, StatedModel> = Object.fromEntries(
  modelsFor(KINDS.chat, DEFAULT_MODELS).map(({ id }) => [
    id,
    { facts: { pictures: true }, by: { pictures: 'architecture.input_modalities' } },
  ]),
);

/** The profile of the built-in sandbox. */
export function sandboxProfile(at: {
  baseUrl: string;
  imagePrefix: string;
  vendor: string;
  imageAuthHeaders: string[];
}): Profile {
  const input: ProfileInput = { id: SANDBOX_PROFILE_ID, name: 'Sandbox', prices: withItsPrices([]), ...at };
  return { ...profileSchema.parse(input), id: SANDBOX_PROFILE_ID, name: 'Sandbox', stated: STATED };
}
