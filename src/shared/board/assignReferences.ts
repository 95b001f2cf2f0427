import { requestOfShot, type Shot, type ShotToSend } from './board.ts';
import type { CastKind, CastMember, CastUse } from './cast.ts';
import { type Mention, mentionsOf, withoutMentionSigns } from './mentions.ts';

/**
 * A shot takes three reference images (spec 2.2). First come images that the user chose for the shot, then guaranteed members, then members
 * that appear with another, then the others by kind and by order of mention; each has one image.
 */

export const MAX_SLOTS = 3;

export interface Share {
  member: CastMember;
  /** From 1; undefined if no image is sent. */
  slot: number | undefined;
  /** The index of the image that is sent, or would be if a slot were free. */
  sheet: number | undefined;
  isHeld: boolean;
  /** The member has an image but no slot. */
  isLeftOut: boolean;
}

interface Sharing {
  shares: Share[];
  /** The cast's images in slot order, after those that the user chose. */
  pictures: string[];
}

interface Candidate {
  member: CastMember;
  sheet: number | undefined;
  /** Its place among the mentions. */
  place: number;
  isHeld: boolean;
  /** The member that it always appears with, if that one is in the shot. */
  with: CastMember | undefined;
}

/** Shares the slots among the cast; the same input always gives the same result. */
export function shareSlots(shot: Shot, cast: readonly CastMember[]): Sharing {
  const candidates = candidatesOf(shot, cast);
  if (shot.source !== 'references') return { shares: candidates.map((one) => shareOf(one, undefined)), pictures: [] };
  const byHand = shot.referenceImages.slice(0, MAX_SLOTS).map((ref) => ('assetId' in ref ? ref.assetId : undefined));
  const wanting = candidates.toSorted((a, b) => rankOf(a, shot) - rankOf(b, shot) || placeOf(a, b, shot));
  const seated = seat(wanting, byHand);
  const shown = wanting.filter((one) => seated.has(one)).toSorted((a, b) => placeOf(a, b, shot));
  const pictures = [...new Set(shown.flatMap((one) => seated.get(one) ?? []))].filter((id) => !byHand.includes(id));
  const slots = [...byHand, ...pictures];
  const shares = candidates.map((one) => {
    const asset = seated.get(one);
    const slot = asset === undefined ? undefined : slots.indexOf(asset) + 1;
    return shareOf(asset === undefined ? one : { ...one, sheet: referenceOf(one.member, asset) }, slot);
  });
  return { shares: shares.toSorted((a, b) => (a.slot ?? Infinity) - (b.slot ?? Infinity)), pictures };
}

const referenceOf = ({ sheets }: CastMember, asset: string): number =>
  sheets.findIndex(({ assetId }) => assetId === asset);

/** The members that get an image, and which one: no more than the free slots, no image twice. */
function seat(wanting: readonly Candidate[], byHand: readonly (string | undefined)[]): Map<Candidate, string> {
  const seated = new Map<Candidate, string>();
  const used = new Set(byHand.filter((asset) => asset !== undefined));
  let free = MAX_SLOTS - byHand.length;
  for (const one of wanting) {
    const own = one.member.sheets.map(({ assetId }) => assetId);
    const shared = own.find((asset) => used.has(asset));
    const asset = shared ?? (one.sheet === undefined ? undefined : own[one.sheet]);
    if (asset === undefined || (shared === undefined && free === 0)) continue;
    if (shared === undefined) free -= 1;
    used.add(asset);
    seated.set(one, asset);
  }
  return seated;
}

/** The named members and those that appear with them, each once. */
function candidatesOf(shot: Shot, cast: readonly CastMember[]): Candidate[] {
  const mentions = mentionsOf(shot.prompt, cast);
  const places = new Map<string, number>();
  for (const { member, at } of mentions) if (!places.has(member.id)) places.set(member.id, at);
  const byId = new Map(cast.map((member) => [member.id, member]));
  // Companions may form a chain.
  for (let grew = true; grew; ) {
    grew = false;
    for (const { id, with: other } of cast) {
      const place = other === undefined ? undefined : places.get(other);
      if (place === undefined || places.has(id)) continue;
      places.set(id, place + 0.5);
      grew = true;
    }
  }
  const held = new Set(shot.slots?.held);
  return [...places]
    .toSorted(([, a], [, b]) => a - b)
    .flatMap(([id, place]) => {
      const member = byId.get(id);
      if (!member) return [];
      const companion = member.with !== undefined && places.has(member.with) ? byId.get(member.with) : undefined;
      return [{ member, place, isHeld: held.has(id), with: companion, sheet: chosenReference(member, shot, mentions) }];
    });
}

/** The image chosen for this shot, else the first whose label is in the prompt, else the first. */
function chosenReference(member: CastMember, shot: Shot, mentions: readonly Mention[]): number | undefined {
  const { sheets } = member;
  if (sheets.length === 0) return undefined;
  const chosen = referenceOf(member, shot.slots?.sheets?.[member.id] ?? '');
  if (chosen >= 0) return chosen;
  const words = mentions.length > 0 ? shot.prompt.toLowerCase() : '';
  const labelled = sheets.findIndex(
    ({ label = '' }) => label.trim() !== '' && words.includes(label.trim().toLowerCase()),
  );
  return Math.max(0, labelled);
}

function rankOf({ member, isHeld, with: companion }: Candidate, { slots }: Shot): number {
  if (isHeld) return (slots?.held ?? []).indexOf(member.id) - MAX_RANK;
  return companion ? -1 : 0;
}
const MAX_RANK = 1_000;

const FIRST: Record<'people' | 'things', CastKind> = { people: 'person', things: 'thing' };

function placeOf(a: Candidate, b: Candidate, { slots }: Shot): number {
  const order = slots?.order ?? 'people';
  const groupOf = ({ member, isHeld }: Candidate) => {
    if (order !== 'hand') return member.kind === FIRST[order] ? 0 : 1;
    return isHeld ? (slots?.held ?? []).indexOf(member.id) - MAX_RANK : 0;
  };
  return groupOf(a) - groupOf(b) || a.place - b.place;
}

const shareOf = (one: Candidate, slot: number | undefined): Share => ({
  member: one.member,
  slot,
  sheet: one.sheet !== undefined && one.sheet >= 0 ? one.sheet : undefined,
  isHeld: one.isHeld,
  isLeftOut: slot === undefined && one.sheet !== undefined,
});

/** The part of a share that the job stores. The description is sent if no image is. */
export function castUseOf({ member, slot, sheet, isLeftOut }: Share, isReferences: boolean): CastUse {
  const words = member.words.trim();
  const asset = sheet === undefined ? undefined : member.sheets[sheet]?.assetId;
  return {
    memberId: member.id,
    name: member.name.trim(),
    kind: member.kind,
    ...(slot === undefined || sheet === undefined || asset === undefined
      ? {}
      : { slot, sheet: sheet + 1, assetId: asset }),
    ...(slot === undefined && words !== '' ? { words } : {}),
    ...(isLeftOut && isReferences ? { leftOut: true } : {}),
  };
}

/** The shot's choice with this member in place of the one seated last; undefined if no slot can be freed. */
export function swappedIn(shot: Shot, cast: readonly CastMember[], memberId: string): Shot['slots'] | undefined {
  const { shares } = shareSlots(shot, cast);
  const free = MAX_SLOTS - shot.referenceImages.length;
  if (free <= 0) return undefined;
  const seated = shares.filter(({ slot }) => slot !== undefined && slot > shot.referenceImages.length);
  const slots = [...new Set(seated.map(({ slot }) => slot))];
  // Members with the same image leave a slot together.
  const isHeldSlot = (slot: number | undefined) => seated.some((share) => share.slot === slot && share.isHeld);
  const out = slots.length < free ? undefined : (slots.findLast((slot) => !isHeldSlot(slot)) ?? slots.at(-1));
  const staying = seated.filter(({ slot }) => slot !== out).map(({ member }) => member.id);
  const others = (shot.slots?.held ?? []).filter((id) => staying.includes(id));
  return { ...shot.slots, held: [...others, memberId] };
}

/** A shot as it is sent. A member is sent by its name and its image; without a slot, by its description on a line behind the prompt. */
export function toSend(shot: Shot, cast: readonly CastMember[] = []): ShotToSend {
  const { shares, pictures } = shareSlots(shot, cast);
  const castUses = shares.map((share) => castUseOf(share, shot.source === 'references'));
  const prompt = withoutMentionSigns(shot.prompt, mentionsOf(shot.prompt, cast));
  const lines = castUses.flatMap(({ name, words }) => (words === undefined ? [] : [`${name}: ${words}`]));
  const referenceImages = [...shot.referenceImages, ...pictures.map((assetId) => ({ assetId }))];
  return { ...shot, prompt: [prompt, ...lines].join('\n'), referenceImages, castUses };
}

/** The content that takes of these shots are made from. Requests with equal content are the same request. */
export const contentOfTakes = (shots: readonly Shot[], cast: readonly CastMember[] | undefined): string =>
  JSON.stringify(shots.map((shot) => requestOfShot(toSend(shot, cast))));
