import { type FilmShot, type FilmTake, isDead, lastFrameId } from '../film/film.ts';
import type { Job, JobInput } from '../jobs/job.ts';
import { isRequestOf, KINDS, mediaRefsOf } from '../kinds/index.ts';
import type { Asset } from '../library/asset.ts';
import type { MediaRef } from '../library/mediaRef.ts';
import { type Shot, type ShotLink, type ShotSource, takesOf } from './board.ts';
import type { CastMember } from './cast.ts';
import { outOfUse } from './castReferences.ts';

/** How each shot is linked to the one before it, and whether its active take is outdated. Pages and core use the same functions. */

export interface LinkView {
  kind: ShotLink;
  /** The active take was not made from the take now shown before it; without a take, the next one would not be. */
  isStale: boolean;
  /** The next take of the shot will start from the take shown before it. */
  isLinked: boolean;
  /** The user chose the link, or the source implies it; else only the active take was made so. */
  isPlanned: boolean;
}

/**
 * Why a shot is outdated: the film now shows another take of that shot, the link to it was chosen later, or a take there was sent with an
 * image that this cast member no longer has.
 */
export type StaleCause = { shotId: string; why: 'take' | 'joint' } | { shotId: string; why: 'sheet'; memberId: string };

export interface ShotState {
  /** Undefined for the first shot of the film and for a skipped one. */
  link: LinkView | undefined;
  /** The active take, or a take that it was made from, was made from something that the film no longer shows. */
  isStale: boolean;
  /** The shot is outdated, and the user keeps it as it is. */
  isKept: boolean;
  causes: StaleCause[];
}

type Field = 'image' | 'video';
type Assets = ReadonlyMap<string, Asset>;

export interface JudgedBy {
  assets: Assets;
  cast: readonly CastMember[] | undefined;
}

const LINK_FIELDS: Partial<Record<ShotSource, [Field, ShotLink]>> = {
  first: ['image', 'continue'],
  firstLast: ['image', 'transition'],
  extend: ['video', 'extend'],
};

export function statesOf(film: readonly FilmShot[], { assets, cast }: JudgedBy): ShotState[] {
  const facts = factsOf(film, assets, cast);
  const own = film.map((_, index) => ownState(facts, index));
  return own.map(({ link, isKept }, index) => {
    const causes = causesThrough(own, index);
    const before = indexBefore(film, index);
    const isThrough =
      before !== undefined && own[index]?.from.includes(before) && causesThrough(own, before).length > 0;
    return {
      link: link && { ...link, isStale: (link.isStale && !isKept) || isThrough === true },
      isStale: causes.length > 0,
      isKept,
      causes,
    };
  });
}

/** The causes of a shot and of everything it was made from. Each shot counts once: takes may be made from each other in a circle. */
function causesThrough(own: readonly OwnState[], index: number): StaleCause[] {
  const seen = new Set([index]);
  const causes: StaleCause[] = [];
  for (const at of seen) {
    const { isKept = true, causes: direct = [], from = [] } = own[at] ?? {};
    if (!isKept) causes.push(...direct);
    for (const source of from) seen.add(source);
  }
  return uniqueCauses(causes);
}

interface Facts {
  film: readonly FilmShot[];
  assets: Assets;
  cast: readonly CastMember[];
  owners: ReadonlyMap<string, number>;
}

const factsOf = (film: readonly FilmShot[], assets: Assets, cast: readonly CastMember[] = []): Facts => ({
  film,
  assets,
  cast,
  owners: new Map(film.flatMap(({ shot }, index) => takesOf(shot).map((take): [string, number] => [take, index]))),
});

/** The index of the shot that made a picture, clip or frame; undefined if no shot did. */
function ownerOf(input: JobInput, { film, assets, owners }: Facts): number | undefined {
  if (input.jobId !== undefined) return owners.get(input.jobId);
  const owner = film.findIndex((other) => isOf(input, other, assets));
  return owner < 0 ? undefined : owner;
}

export type OwnerOf = (ref: MediaRef, isClip: boolean) => number | undefined;

export function ownersOf(film: readonly FilmShot[], assets: Assets): OwnerOf {
  const facts = factsOf(film, assets);
  return (ref, isClip) => ownerOf(inputOf(isClip ? 'video' : 'image', ref, assets), facts);
}

const uniqueCauses = (causes: readonly StaleCause[]): StaleCause[] => [
  ...new Map(causes.map((cause) => [JSON.stringify(cause), cause])).values(),
];

/** The index of the shot before this one in the film; skipped shots do not count. */
export function indexBefore(film: readonly { shot: Shot }[], index: number): number | undefined {
  if (film[index]?.shot.skipped) return undefined;
  const before = film.slice(0, index).findLastIndex(({ shot }) => !shot.skipped);
  return before < 0 ? undefined : before;
}

/**
 * Marks an outdated shot as kept, until the film shows another take of it or of what it was made from. Undefined if the shot itself is up
 * to date.
 */
export function acceptedStaleMark(
  film: readonly FilmShot[],
  index: number,
  { assets, cast }: JudgedBy,
): string[] | undefined {
  const facts = factsOf(film, assets, cast);
  const { causes } = judged(facts, index);
  return causes.length === 0 ? undefined : markOf(facts, index, causes);
}

function markOf({ film, cast }: Facts, index: number, causes: readonly StaleCause[]): string[] {
  const nameOf = ({ active }: FilmShot) =>
    [active?.jobId ?? '', active?.clipIndex ?? 0, active?.trim?.outMs].filter((part) => part !== undefined).join(' ');
  const upstream = causes.flatMap((cause) => {
    if (cause.why === 'sheet') return [referenceMark(cause.memberId, cast)];
    const source = film.find(({ shot }) => shot.id === cause.shotId);
    return source ? [`${cause.why} ${cause.shotId} ${nameOf(source)}`] : [];
  });
  const side = film[index];
  return [side ? `${nameOf(side)} ${side.shot.joint ?? ''}` : '', ...upstream.toSorted()];
}

const referenceMark = (memberId: string, cast: readonly CastMember[]): string => {
  const { sheets = [] } = cast.find(({ id }) => id === memberId) ?? {};
  return ['sheet', memberId, ...sheets.map(({ assetId }) => assetId.slice(-120))].join(' ');
};

interface Judgement {
  link: LinkView | undefined;
  causes: StaleCause[];
  /** The shots that its clips or frames come from. */
  from: number[];
}

interface OwnState extends Judgement {
  isKept: boolean;
}

function ownState(facts: Facts, index: number): OwnState {
  const judgement = judged(facts, index);
  const kept = facts.film[index]?.shot.kept?.join('\n');
  const isKept =
    kept !== undefined && judgement.causes.length > 0 && kept === markOf(facts, index, judgement.causes).join('\n');
  return { ...judgement, isKept };
}

function judged(facts: Facts, index: number): Judgement {
  const { film, assets, cast } = facts;
  const side = film[index];
  if (!side) return { link: undefined, causes: [], from: [] };
  const at = indexBefore(film, index);
  const before = at === undefined ? undefined : film[at];
  const made = madeOf(side.active?.job, assets);
  const link = before && linkOf(before, side, assets);
  const ofLink = before && link ? causesOfLink(before, side, { link, made, assets }) : [];
  const isJudgedByLink = link && (link.kind !== 'cut' || side.shot.joint);
  const ofOthers = made.inputs.flatMap((input): StaleCause[] => {
    const owner = film[ownerOf(input, facts) ?? -1];
    if (!owner?.active || owner === side || (isJudgedByLink && !isNoStart(input))) return [];
    return startsFrom(input, owner.active, assets) ? [] : [{ shotId: owner.shot.id, why: 'take' }];
  });
  const from = made.inputs.flatMap((input) => {
    const owner = ownerOf(input, facts);
    if (owner === undefined || owner === index) return [];
    const isOfChosen = side.shot.joint !== 'cut' && owner === at;
    return !link || !side.shot.joint || isNoStart(input) || isOfChosen ? [owner] : [];
  });
  const used = made.isMade ? outOfUse(side.active?.job, cast, assets) : [];
  const ofReferences = used.map(({ memberId }): StaleCause => ({ shotId: side.shot.id, why: 'sheet', memberId }));
  return { link, causes: uniqueCauses([...ofLink, ...ofOthers, ...ofReferences]), from };
}

const isNoStart = ({ field }: JobInput): boolean => field !== 'image' && field !== 'video';

interface Made {
  inputs: JobInput[];
  link: ShotLink;
  isMade: boolean;
}

interface LinkFacts {
  link: LinkView;
  made: Made;
  assets: Assets;
}

function causesOfLink(before: FilmShot, side: FilmShot, { link, made, assets }: LinkFacts): StaleCause[] {
  if (!made.isMade || !link.isStale) return [];
  const isOtherTake = made.inputs.some((input) => !isNoStart(input) && isOf(input, before, assets));
  const isAsChosen = side.shot.joint === undefined || (side.shot.joint === made.link && isOtherTake);
  return [{ shotId: before.shot.id, why: isAsChosen ? 'take' : 'joint' }];
}

/** The inputs of a take; if they were not recorded (not sent yet, or an older version), those of its request. */
function madeOf(job: Job | undefined, assets: Assets): Made {
  if (!job || isDead(job) || !isRequestOf(KINDS.video, job.request)) return { inputs: [], link: 'cut', isMade: false };
  const { request } = job;
  const inputs = mediaRefsOf(request).map(
    ({ field, ref }) => job.inputs?.find((one) => one.field === field) ?? inputOf(field, ref, assets),
  );
  const fromImage = request.lastFrame ? 'transition' : request.image ? 'continue' : 'cut';
  return { inputs, link: request.video ? 'extend' : fromImage, isMade: true };
}

/**
 * The link to the shot before: the chosen one, else what the slot says, else what the take was made from. Whether it is outdated depends on
 * what the active take was made from: changing a slot changes no take.
 */
function linkOf(before: FilmShot, side: FilmShot, assets: Assets): LinkView {
  const { shot, active } = side;
  const made = madeOf(active?.job, assets);
  const start = made.inputs.find((input) => !isNoStart(input));
  const starts = (input: JobInput | undefined) =>
    input !== undefined && before.active !== undefined && startsFrom(input, before.active, assets);
  if (shot.joint !== undefined) {
    const isWrong = made.isMade && before.active !== undefined && !(made.link === shot.joint && starts(start));
    return { kind: shot.joint, isStale: shot.joint !== 'cut' && isWrong, isLinked: true, isPlanned: true };
  }
  const planned = plannedInput(shot, assets);
  const [, linkInSlot] = (planned && isOf(planned, before, assets) && LINK_FIELDS[shot.source]) || [];
  const kind = linkInSlot ?? (start && isOf(start, before, assets) ? made.link : undefined);
  if (!kind) return { kind: 'cut', isStale: false, isLinked: false, isPlanned: false };
  const isPlanned = linkInSlot !== undefined;
  const isLinked = isPlanned && starts(planned);
  if (!before.active || (active && !active.job)) return { kind, isStale: false, isLinked, isPlanned };
  return { kind, isStale: made.isMade ? !starts(start) : !isLinked, isLinked, isPlanned };
}

function plannedInput(shot: Shot, assets: Assets): JobInput | undefined {
  const [field] = LINK_FIELDS[shot.source] ?? [];
  const ref = field && shot[field];
  return ref && inputOf(field, ref, assets);
}

function inputOf(field: string, ref: MediaRef, assets: Assets): JobInput {
  if ('uri' in ref) return { field, uri: ref.uri };
  if ('jobId' in ref) {
    const outMs = 'frame' in ref ? ref.outMs : undefined;
    return { field, jobId: ref.jobId, output: ref.output ?? 0, ...(outMs === undefined ? {} : { outMs }) };
  }
  const { sha256, jobId, outMs } = assets.get(ref.assetId) ?? {};
  return {
    ...{ field, assetId: ref.assetId },
    ...(sha256 ? { sha256 } : {}),
    ...(jobId === undefined ? {} : { jobId }),
    ...(outMs === undefined ? {} : { outMs }),
  };
}

/** Whether the input is a clip of that shot or the last frame of one. */
function isOf(input: JobInput, { shot, takes }: FilmShot, assets: Assets): boolean {
  if (input.jobId !== undefined) return takesOf(shot).includes(input.jobId);
  return takes.some(({ clips }) => clips.some((clip) => isSame(input, clip, assets)));
}

/** Undefined if neither ids nor hashes tell. */
function isSame(input: JobInput, clip: Asset, assets: Assets): boolean | undefined {
  const id = input.field === 'video' ? clip.id : lastFrameId(clip, input.outMs);
  if (id !== undefined && input.assetId === id) return true;
  const hash = input.field === 'video' ? clip.sha256 : id === undefined ? undefined : assets.get(id)?.sha256;
  return input.sha256 && hash ? input.sha256 === hash : undefined;
}

/**
 * Two extractions of the same last frame differ in bytes, so the clip that was recorded decides; an input named only by asset is compared by
 * hash. If the clip plays to an out point, only a frame taken there is its end, and an extension never starts from it.
 */
function startsFrom(input: JobInput, playing: FilmTake, assets: Assets): boolean {
  if (input.outMs !== playing.trim?.outMs) return false;
  const isOfJob = input.jobId === playing.jobId && (input.output ?? 0) === playing.clipIndex;
  if (isOfJob && input.output !== undefined) return true;
  return (playing.clip && isSame(input, playing.clip, assets)) ?? isOfJob;
}

export const lastFrameOf = ({ jobId, clipIndex, trim }: Pick<FilmTake, 'jobId' | 'clipIndex' | 'trim'>): MediaRef => ({
  jobId,
  frame: 'last',
  ...(clipIndex > 0 ? { output: clipIndex } : {}),
  ...(trim?.outMs === undefined ? {} : { outMs: trim.outMs }),
});

export const clipRefOf = ({ jobId, clipIndex }: Pick<FilmTake, 'jobId' | 'clipIndex'>): MediaRef =>
  clipIndex > 0 ? { jobId, output: clipIndex } : { jobId };

const SOURCES: Record<Exclude<ShotLink, 'cut'>, ShotSource> = {
  continue: 'first',
  transition: 'firstLast',
  extend: 'extend',
};

/** The clip that an extension starts from; undefined for a take with an out point, since a clip is extended from its own end. */
export const extendedFrom = (take: Pick<FilmTake, 'jobId' | 'clipIndex' | 'trim'>): MediaRef | undefined =>
  take.trim?.outMs === undefined ? clipRefOf(take) : undefined;

/** The link that a source implies if it starts from the shot before. */
export const linkOfSource = (source: ShotSource): ShotLink | undefined => LINK_FIELDS[source]?.[1];

/** The shot started from this take of the shot before it. The slot is emptied if there is no take, or none that can be used. */
export function startedFrom(
  shot: Shot,
  joint: ShotLink,
  take: Pick<FilmTake, 'jobId' | 'clipIndex' | 'trim'> | undefined,
): Shot {
  if (joint === 'cut') return shot;
  const field = joint === 'extend' ? 'video' : 'image';
  const { [field]: _, ...rest } = shot;
  const ref = take && (joint === 'extend' ? extendedFrom(take) : lastFrameOf(take));
  return { ...rest, source: SOURCES[joint], ...(ref ? { [field]: ref } : {}) };
}

/** How the next take would be linked. A start chosen after the active take links nothing. */
export const plannedLink = (view: LinkView | undefined): ShotLink | undefined =>
  view?.isPlanned ? view.kind : undefined;

/**
 * The shot with the chosen link: source and start follow, and an extension takes the model of the clip. `now`: how its next take would have
 * been linked; `from`: the take shown before it.
 */
export function withShotLink(
  shot: Shot,
  joint: ShotLink,
  { now, from }: { now: ShotLink | undefined; from: FilmTake | undefined },
): Shot {
  if (joint === 'cut') {
    const isOnItsOwn = now === undefined || now === 'cut';
    const source = shot.referenceImages.length > 0 ? 'references' : 'text';
    return { ...shot, joint, ...(isOnItsOwn ? {} : { source }) };
  }
  const started = startedFrom(shot, joint, from);
  const model = joint === 'extend' ? (from?.job?.model ?? shot.model) : shot.model;
  return { ...started, joint, model };
}

/** The last frames needed to judge shots. */
export function framesToCompare(film: readonly FilmShot[], assets: Assets): MediaRef[] {
  const facts = factsOf(film, assets);
  const judgedBy = film.flatMap((_, index) => {
    const { link, from } = judged(facts, index);
    const before = link && link.kind !== 'cut' ? indexBefore(film, index) : undefined;
    return before === undefined ? from : [...from, before];
  });
  return [...new Set(judgedBy)].flatMap((index) => {
    const { clip, trim } = film[index]?.active ?? {};
    const id = lastFrameId(clip, trim?.outMs);
    return id === undefined ? [] : [{ assetId: id }];
  });
}
