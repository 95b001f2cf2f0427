import { type FilmFacts, type FilmShot, type FilmTake, filmToCome } from '../film/film.ts';
import type { MediaRef } from '../library/mediaRef.ts';
import type { Shot, ShotLink } from './board.ts';
import { extendedFrom, indexBefore, lastFrameOf, type OwnerOf, ownersOf, startedFrom } from './shotLinks.ts';

/** Shots whose takes are made together, each from the take before it, which need not be done yet. */

export interface ChainLink {
  index: number;
  shot: Shot;
  /** The job of the take that will be made. */
  jobId: string;
}

interface ChainOptions {
  newId: (shotId: string) => string;
  /** Also slots that the user filled with frames or clips of other shots get the newly made takes. */
  isWhole: boolean;
}

type Start = Pick<FilmTake, 'jobId' | 'clipIndex' | 'trim'>;

/** The shots of a chain in the order in which their takes must be made; each starts from takes of this chain, else from active takes. */
export function linkChain(
  film: readonly FilmShot[],
  shotIds: ReadonlySet<string>,
  assets: FilmFacts['assets'],
  { newId, isWhole }: ChainOptions,
): ChainLink[] {
  const toCome = filmToCome(film);
  const ownerOf = ownersOf(toCome, assets);
  const made = new Map<number, Start>();
  const links: ChainLink[] = [];
  const startAt = (index: number): Start | undefined => made.get(index) ?? toCome[index]?.active;
  const follow = (ref: MediaRef, isClip: boolean, self: number): MediaRef | undefined => {
    const owner = ownerOf(ref, isClip);
    const start = owner === undefined || owner === self ? undefined : startAt(owner);
    return start ? (isClip ? extendedFrom(start) : lastFrameOf(start)) : ref;
  };
  const visited = new Set<number>();
  const visit = (index: number) => {
    const side = toCome[index];
    // Shots made from each other in a circle keep the film's order.
    if (!side || visited.has(index) || !shotIds.has(side.shot.id)) return;
    visited.add(index);
    const before = chosenStart(toCome, index);
    if (before !== undefined) visit(before);
    if (isWhole) for (const owner of ownersOfSlots(side.shot, ownerOf)) visit(owner);
    const started = before === undefined ? side.shot : startedFrom(side.shot, linkOf(side.shot), startAt(before));
    const shot = isWhole ? withSlots(started, (ref, isClip) => follow(ref, isClip, index)) : started;
    const jobId = newId(shot.id);
    made.set(index, { jobId, clipIndex: 0 });
    links.push({ index, shot, jobId });
  };
  for (const index of toCome.keys()) visit(index);
  return links;
}

const linkOf = (shot: Shot): ShotLink => shot.joint ?? 'cut';

/** The shot that a chosen link starts this one from. */
function chosenStart(film: readonly FilmShot[], index: number): number | undefined {
  const side = film[index];
  return side && linkOf(side.shot) !== 'cut' ? indexBefore(film, index) : undefined;
}

function ownersOfSlots(shot: Shot, ownerOf: OwnerOf): number[] {
  const owners: number[] = [];
  withSlots(shot, (ref, isClip) => {
    const owner = ownerOf(ref, isClip);
    if (owner !== undefined) owners.push(owner);
    return ref;
  });
  return owners;
}

/** The shot with every slot of its source filled by `fill`; a clip that cannot be extended is removed. */
function withSlots(shot: Shot, fill: (ref: MediaRef, isClip: boolean) => MediaRef | undefined): Shot {
  const picture = (ref: MediaRef) => fill(ref, false) ?? ref;
  const { source, image, lastFrame, video, referenceImages } = shot;
  if (source === 'extend') return video ? { ...shot, video: fill(video, true) } : shot;
  if (source === 'references') return { ...shot, referenceImages: referenceImages.map(picture) };
  if (source === 'text') return shot;
  return {
    ...shot,
    ...(image ? { image: picture(image) } : {}),
    ...(lastFrame && source === 'firstLast' ? { lastFrame: picture(lastFrame) } : {}),
  };
}
