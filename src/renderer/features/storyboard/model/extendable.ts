import { factsOf } from '../../../../shared/modelFacts.ts';
import type { ProfileView } from '../../../../shared/profile.ts';
import type { TakeView } from './take.ts';

/**
 * Until when a kept take can be extended: its model alone can, from the clip as its gateway holds it, and one of the two is known to end.
 * Undefined where no end is known, and where it is over.
 */
export function extendableUntil(
  take: TakeView | undefined,
  profiles: readonly ProfileView[],
  now: number,
): number | undefined {
  const { job, clip } = take ?? {};
  if (!job || !clip || job.state !== 'succeeded' || job.verdict !== 'keep') return undefined;
  const profile = profiles.find(({ id }) => id === job.profileId);
  const { endsAt, extend } = profile ? factsOf(profile, job.model) : {};
  if (extend === false || typeof endsAt !== 'number') return undefined;
  const until = Math.min(endsAt, clip.expiresAt ?? endsAt);
  return until > now ? until : undefined;
}
