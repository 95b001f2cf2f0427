import { factsOf } from '../../shared/gateway/modelFacts.ts';
import type { ProfileView } from '../../shared/gateway/profile.ts';

/** So long before a model ends it is told of. */
const AHEAD_MS = 10 * 86_400_000;

export interface Ending {
  model: string;
  endsAt: number;
}

/** Models of a gateway that end soon, the first one first. */
export function endingModels(profile: ProfileView | undefined, now: number): Ending[] {
  const ends = (profile?.models ?? []).flatMap(({ id }) => {
    const { endsAt } = profile ? factsOf(profile, id) : {};
    return typeof endsAt === 'number' && endsAt > now && endsAt <= now + AHEAD_MS ? [{ model: id, endsAt }] : [];
  });
  return ends.toSorted((a, b) => a.endsAt - b.endsAt);
}
