import { configOfShot, NEW_SHOT_CONFIG, type Shot } from '../../../../shared/board/board.ts';
import { isSame } from '../../../../shared/board/boardChanges.ts';
import { linkOfSource } from '../../../../shared/board/shotLinks.ts';
import { clipSeconds } from '../../../../shared/kinds/video.ts';
import type { MediaRef } from '../../../../shared/library/mediaRef.ts';

/** Changes of a board's shots as pure functions: applied at once, and again to a newer board if one was saved meanwhile. */

export type BoardEdit = (shots: readonly Shot[]) => Shot[];

export const emptyShot = (id: string, model: string): Shot => ({
  id,
  title: '',
  prompt: '',
  model,
  source: 'text',
  config: NEW_SHOT_CONFIG,
  referenceImages: [],
  takes: [],
});

/** A shot with the settings of another, without its prompt, pictures, takes and number of variations. */
export const shotLike = (id: string, other: Shot): Shot => {
  const { seed: _, sampleCount: __, numberOfVideos: ___, ...config } = other.config;
  return { ...emptyShot(id, other.model), config };
};

/** Changes one shot of a board. */
export const onShot =
  (id: string, change: (shot: Shot) => Shot): BoardEdit =>
  (shots) =>
    shots.map((shot) => (shot.id === id ? change(shot) : shot));

export const patchShot = (id: string, patch: Partial<Shot>): BoardEdit => onShot(id, (shot) => ({ ...shot, ...patch }));

export const patchConfig = (id: string, patch: Partial<Shot['config']>): BoardEdit =>
  onShot(id, (shot) => ({ ...shot, config: withoutUndefined({ ...shot.config, ...patch }) }));

export const withoutUndefined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as T;

/** Inserts a shot after another one, or at the end if that is gone. */
export const insertAfter =
  (shot: Shot, after: string | undefined): BoardEdit =>
  (shots) => {
    if (shots.some(({ id }) => id === shot.id)) return [...shots];
    const at = shots.findIndex(({ id }) => id === after);
    return at < 0 ? [...shots, shot] : [...shots.slice(0, at + 1), shot, ...shots.slice(at + 1)];
  };

/** Appends new shots; existing ones stay where they are. */
export const append =
  (added: readonly Shot[]): BoardEdit =>
  (shots) =>
    added.reduce((all, shot) => insertAfter(shot, undefined)(all), [...shots]);

/** Puts a removed shot back at the place it had. */
export const insertAt =
  (shot: Shot, at: number): BoardEdit =>
  (shots) =>
    shots.some(({ id }) => id === shot.id) ? [...shots] : [...shots.slice(0, at), shot, ...shots.slice(at)];

/** A copy of prompt, pictures and settings; takes belong to the original. */
export const duplicateOf = (shot: Shot, id: string): Shot => {
  const { activeTake: _, activeOutput: __, removedTakes: ___, trims: ____, ...rest } = shot;
  const { sampleCount: _____, numberOfVideos: ______, ...config } = shot.config;
  return { ...rest, config, id, takes: [] };
};

export const removeShot =
  (id: string): BoardEdit =>
  (shots) =>
    shots.filter((shot) => shot.id !== id);

/** Moves a shot to an index of the list without it. */
export const moveShot =
  (id: string, to: number): BoardEdit =>
  (shots) => {
    const moved = shots.find((shot) => shot.id === id);
    if (!moved) return [...shots];
    const others = shots.filter((shot) => shot.id !== id);
    const at = Math.max(0, Math.min(others.length, to));
    return [...others.slice(0, at), moved, ...others.slice(at)];
  };

/** The next shot, which begins with this picture. */
export const continuation = (id: string, shot: Shot, image: MediaRef): Shot => ({
  ...shotLike(id, shot),
  source: 'first',
  image,
});

/** The next shot, which extends this take by about seven seconds with the same model (spec 2.2, 8). */
export const extension = (id: string, shot: Shot, video: MediaRef, model: string): Shot => ({
  ...shotLike(id, shot),
  model,
  source: 'extend',
  video,
});

/** The seconds a shot will have when it is made: 7 when it extends (spec 2.3). */
export const plannedSeconds = (shot: Pick<Shot, 'source' | 'config'>): number =>
  clipSeconds({ config: configOfShot(shot) });

/** The manual start of a shot: its link stays only if the source is that of a link. */
export function startedByHand(shot: Shot, patch: Partial<Shot>): Partial<Shot> {
  const { source } = patch;
  const joint = source && shot.joint && shot.joint !== 'cut' ? linkOfSource(source) : undefined;
  return { ...patch, joint };
}

/** Skips a shot in the film, or includes it again. */
export const toggleSkipped = (id: string): BoardEdit =>
  onShot(id, ({ skipped, ...rest }) => (skipped ? rest : { ...rest, skipped: true }));

/** Removes a take from its shot, where it is kept aside; another one is selected. */
export const removeTake = (id: string, jobId: string): BoardEdit =>
  onShot(id, (shot) => {
    if (!shot.takes.includes(jobId)) return shot;
    const { activeTake, activeOutput, ...rest } = shot;
    const playing = activeTake === jobId ? {} : withoutUndefined({ activeTake, activeOutput });
    const takes = shot.takes.filter((take) => take !== jobId);
    return { ...rest, ...playing, takes, removedTakes: [...(shot.removedTakes ?? []), jobId] };
  });

/** Restores a removed take after the others. */
export const returnTake = (id: string, jobId: string): BoardEdit =>
  onShot(id, (shot) => {
    if (!shot.removedTakes?.includes(jobId)) return shot;
    const removedTakes = shot.removedTakes.filter((take) => take !== jobId);
    return { ...shot, takes: [...shot.takes.filter((take) => take !== jobId), jobId], removedTakes };
  });

/** All references of a shot, whether or not its source uses them. */
export function refsOfShot(shot: Shot): MediaRef[] {
  return [shot.image, shot.lastFrame, shot.video, ...shot.referenceImages].filter((ref) => ref !== undefined);
}

/** The pictures of a shot that are sent as they are; a link's picture differs with each take. */
export function picturesSent({ source, image, lastFrame, referenceImages, joint = 'cut' }: Shot): MediaRef[] {
  if (source === 'references') return referenceImages;
  const isFrame = source === 'first' || source === 'firstLast';
  return [isFrame && joint === 'cut' ? image : undefined, source === 'firstLast' ? lastFrame : undefined].filter(
    (ref) => ref !== undefined,
  );
}

export const MOST_REFERENCES = 3;

/** The target of a reference: it replaces the one that was there when it was chosen, which may have moved; without one it is appended. */
export interface ReferencePlace {
  index: number;
  was: MediaRef | undefined;
}

function indexOfPlace(refs: readonly MediaRef[], { index, was }: ReferencePlace): number {
  if (was === undefined) return -1;
  return isSame(refs[index], was) ? index : refs.findIndex((ref) => isSame(ref, was));
}

export const hasRoomFor = (refs: readonly MediaRef[], place: ReferencePlace): boolean =>
  refs.length < MOST_REFERENCES || indexOfPlace(refs, place) >= 0;

/**
 * Sets a reference among the shot's present ones; `undefined` removes it. `seen` is the shot as edited: on a newer board that already has
 * this edit, it does nothing.
 */
export function setReference(seen: Shot, place: ReferencePlace, ref: MediaRef | undefined): BoardEdit {
  const count = ({ referenceImages }: Shot, one: MediaRef | undefined) =>
    referenceImages.filter((other) => isSame(other, one)).length;
  const isDone = (shot: Shot) =>
    ref ? count(shot, ref) > count(seen, ref) : count(shot, place.was) < count(seen, place.was);
  return (shots) =>
    shots.map((shot) => (shot.id === seen.id && !isDone(shot) ? withReference(shot, place, ref) : shot));
}

function withReference(shot: Shot, place: ReferencePlace, ref: MediaRef | undefined): Shot {
  const { referenceImages } = shot;
  const at = indexOfPlace(referenceImages, place);
  if (ref && at >= 0) return { ...shot, referenceImages: referenceImages.with(at, ref) };
  if (ref && hasRoomFor(referenceImages, place)) return { ...shot, referenceImages: [...referenceImages, ref] };
  if (ref || at < 0) return shot;
  // The types after it move with their pictures.
  return { ...shot, referenceImages: referenceImages.toSpliced(at, 1), referenceType: withoutType(shot, at) };
}

/** The selected type of a reference; empty for the default. */
export function ownTypeAt({ referenceType }: Pick<Shot, 'referenceType'>, index: number): string {
  return (Array.isArray(referenceType) ? referenceType[index] : referenceType) ?? '';
}

/** The types with a new one for a reference. */
export const withType = (shot: Shot, index: number, type: string): Shot['referenceType'] =>
  typesOf([0, 1, 2].map((at) => (at === index ? type.trim() : ownTypeAt(shot, at))));

/** The types without that of a removed reference. */
export const withoutType = (shot: Shot, index: number): Shot['referenceType'] =>
  Array.isArray(shot.referenceType) ? typesOf(shot.referenceType.toSpliced(index, 1)) : shot.referenceType;

function typesOf(types: readonly string[]): Shot['referenceType'] {
  const used = types.slice(0, types.findLastIndex((type) => type !== '') + 1);
  return used.length === 0 ? undefined : used;
}
