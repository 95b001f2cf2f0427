import { factsOf } from '../gateway/modelFacts.ts';

type Fields = Record<string, unknown>;

/** The body with its model's extra parameters; they replace no field of ours. */
export const withExtra = (body: Fields, profile: Parameters<typeof factsOf>[0], model: string | undefined): Fields => ({
  ...factsOf(profile, model).extra,
  ...body,
});
