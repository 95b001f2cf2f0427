import { requestOfShot, type Shot, type ShotToSend } from './board.ts';
import type { CastMember } from './cast.ts';
import { mentionsOf, withoutSigns } from './mentions.ts';
import { castUseOf, shareSlots } from './slotSharing.ts';

/**
 * A shot as it is sent: a member is sent by its name as written, its picture if it has a slot, and else by its words, each on a line of its
 * own behind the prompt.
 */
export function toSend(shot: Shot, cast: readonly CastMember[] = []): ShotToSend {
  const { shares, pictures } = shareSlots(shot, cast);
  const castUses = shares.map((share) => castUseOf(share, shot.source === 'references'));
  const prompt = withoutSigns(shot.prompt, mentionsOf(shot.prompt, cast));
  const lines = castUses.flatMap(({ name, words }) => (words === undefined ? [] : [`${name}: ${words}`]));
  const referenceImages = [...shot.referenceImages, ...pictures.map((assetId) => ({ assetId }))];
  return { ...shot, prompt: [prompt, ...lines].join('\n'), referenceImages, castUses };
}

/** What takes of these shots are made of: orders with the same content are one and the same. */
export const contentOfTakes = (shots: readonly Shot[], cast: readonly CastMember[] | undefined): string =>
  JSON.stringify(shots.map((shot) => requestOfShot(toSend(shot, cast))));
