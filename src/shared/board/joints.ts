import { type FilmShot, type FilmTake, isDead, lastFrameId } from '../film/film.ts';
import type { Job, JobInput } from '../jobs/job.ts';
import { isRequestOf, KINDS, mediaRefsOf } from '../kinds/index.ts';
import type { Asset } from '../library/asset.ts';
import type { MediaRef } from '../library/mediaRef.ts';
import { type Joint, type Shot, type ShotSource, takesOf } from './board.ts';
import type { CastMember } from './cast.ts';
import { outOfUse } from './castSheets.ts';

/**
 * How each shot joins the one before it, and whether what plays was made from what plays before it now. Pages and the studio judge with
 * these functions, so that both always agree.
 */

export interface JointView {
  joint: Joint;
  /** The take that plays was made from something else than what plays before it now; without a take, its next one would be. */
  isStale: boolean;
  /** The next take of the shot will start from what plays before it. */
  isLinked: boolean;
  /** It is chosen, or what the shot starts from says it; else only the take that plays was made so. */
  isPlanned: boolean;
}

/**
 * What made a shot stale: another take of that shot plays now, the joint to it was chosen after the take was made, or what plays in that
 * shot was sent with a picture that this member of the cast does not have any more.
 */
export type StaleCause = { shotId: string; why: 'take' | 'joint' } | { shotId: string; why: 'sheet'; memberId: string };

export interface ShotState {
  /** Undefined for the first shot of the film, and for one that is skipped. */
  joint: JointView | undefined;
  /** What plays was made from something that does not play now, itself or through the shots that it was made from. */
  isStale: boolean;
  /** It does not start from what plays now, and the user keeps it as it is. */
  isKept: boolean;
  causes: StaleCause[];
}

type Field = 'image' | 'video';
type Assets = ReadonlyMap<string, Asset>;

/** What takes are judged by beside the takes that play. */
export interface JudgedBy {
  assets: Assets;
  cast: readonly CastMember[] | undefined;
}

const JOINT_FIELDS: Partial<Record<ShotSource, [Field, Joint]>> = {
  first: ['image', 'continue'],
  firstLast: ['image', 'transition'],
  extend: ['video', 'extend'],
};

/** The state of every shot, in the order of the film. */
export function statesOf(film: readonly FilmShot[], { assets, cast }: JudgedBy): ShotState[] {
  const facts = factsOf(film, assets, cast);
  const own = film.map((_, index) => ownState(facts, index));
  return own.map(({ joint, isKept }, index) => {
    const causes = causesThrough(own, index);
    const before = indexBefore(film, index);
    const isThrough =
      before !== undefined && own[index]?.from.includes(before) && causesThrough(own, before).length > 0;
    return {
      joint: joint && { ...joint, isStale: (joint.isStale && !isKept) || isThrough === true },
      isStale: causes.length > 0,
      isKept,
      causes,
    };
  });
}

/** The causes of a shot and of all that it was made from, each shot once: they may have been made from each other in a circle. */
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
  /** The index of the shot that a take belongs to. */
  owners: ReadonlyMap<string, number>;
}

const factsOf = (film: readonly FilmShot[], assets: Assets, cast: readonly CastMember[] = []): Facts => ({
  film,
  assets,
  cast,
  owners: new Map(film.flatMap(({ shot }, index) => takesOf(shot).map((take): [string, number] => [take, index]))),
});

/** The index of the shot that a picture or clip is a result of, or a frame of one; undefined if it comes from elsewhere. */
function ownerOf(input: JobInput, { film, assets, owners }: Facts): number | undefined {
  if (input.jobId !== undefined) return owners.get(input.jobId);
  const owner = film.findIndex((other) => isOf(input, other, assets));
  return owner < 0 ? undefined : owner;
}

/** Finds the shot that the picture or clip of a slot is a result of. */
export type OwnerOf = (ref: MediaRef, isClip: boolean) => number | undefined;

export function ownersOf(film: readonly FilmShot[], assets: Assets): OwnerOf {
  const facts = factsOf(film, assets);
  return (ref, isClip) => ownerOf(inputOf(isClip ? 'video' : 'image', ref, assets), facts);
}

const uniqueCauses = (causes: readonly StaleCause[]): StaleCause[] => [
  ...new Map(causes.map((cause) => [JSON.stringify(cause), cause])).values(),
];

/** The index of the shot before one in the film: a skipped shot is before none, and comes after none. */
export function indexBefore(film: readonly { shot: Shot }[], index: number): number | undefined {
  if (film[index]?.shot.skipped) return undefined;
  const before = film.slice(0, index).findLastIndex(({ shot }) => !shot.skipped);
  return before < 0 ? undefined : before;
}

/** What marks a stale shot as kept as it is, until another take plays in it or in what it was made from. Undefined if it is not stale itself. */
export function keptMark(film: readonly FilmShot[], index: number, { assets, cast }: JudgedBy): string[] | undefined {
  const facts = factsOf(film, assets, cast);
  const { causes } = judged(facts, index);
  return causes.length === 0 ? undefined : markOf(facts, index, causes);
}

function markOf({ film, cast }: Facts, index: number, causes: readonly StaleCause[]): string[] {
  const nameOf = ({ active }: FilmShot) =>
    [active?.jobId ?? '', active?.clipIndex ?? 0, active?.trim?.outMs].filter((part) => part !== undefined).join(' ');
  const upstream = causes.flatMap((cause) => {
    if (cause.why === 'sheet') return [sheetMark(cause.memberId, cast)];
    const source = film.find(({ shot }) => shot.id === cause.shotId);
    return source ? [`${cause.why} ${cause.shotId} ${nameOf(source)}`] : [];
  });
  const side = film[index];
  return [side ? `${nameOf(side)} ${side.shot.joint ?? ''}` : '', ...upstream.toSorted()];
}

/** The sheets that a member has, in at most 500 characters. */
const sheetMark = (memberId: string, cast: readonly CastMember[]): string => {
  const { sheets = [] } = cast.find(({ id }) => id === memberId) ?? {};
  return ['sheet', memberId, ...sheets.map(({ assetId }) => assetId.slice(-120))].join(' ');
};

interface Judgement {
  joint: JointView | undefined;
  /** Of the take that plays itself. */
  causes: StaleCause[];
  /** The shots whose clips or frames it was made from. */
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
  if (!side) return { joint: undefined, causes: [], from: [] };
  const at = indexBefore(film, index);
  const before = at === undefined ? undefined : film[at];
  const made = madeOf(side.active?.job, assets);
  const joint = before && jointOf(before, side, assets);
  const ofJoint = before && joint ? causesOfJoint(before, side, { joint, made, assets }) : [];
  const isJudgedByJoint = joint && (joint.joint !== 'cut' || side.shot.joint);
  const ofOthers = made.inputs.flatMap((input): StaleCause[] => {
    const owner = film[ownerOf(input, facts) ?? -1];
    if (!owner?.active || owner === side || (isJudgedByJoint && !isNoStart(input))) return [];
    return startsFrom(input, owner.active, assets) ? [] : [{ shotId: owner.shot.id, why: 'take' }];
  });
  const from = made.inputs.flatMap((input) => {
    const owner = ownerOf(input, facts);
    if (owner === undefined || owner === index) return [];
    const isOfChosen = side.shot.joint !== 'cut' && owner === at;
    return !joint || !side.shot.joint || isNoStart(input) || isOfChosen ? [owner] : [];
  });
  const used = made.isMade ? outOfUse(side.active?.job, cast, assets) : [];
  const ofSheets = used.map(({ memberId }): StaleCause => ({ shotId: side.shot.id, why: 'sheet', memberId }));
  return { joint, causes: uniqueCauses([...ofJoint, ...ofOthers, ...ofSheets]), from };
}

const isNoStart = ({ field }: JobInput): boolean => field !== 'image' && field !== 'video';

interface Made {
  inputs: JobInput[];
  /** How it was made to join the shot before. */
  joint: Joint;
  isMade: boolean;
}

interface JointFacts {
  joint: JointView;
  made: Made;
  assets: Assets;
}

function causesOfJoint(before: FilmShot, side: FilmShot, { joint, made, assets }: JointFacts): StaleCause[] {
  if (!made.isMade || !joint.isStale) return [];
  const isOtherTake = made.inputs.some((input) => !isNoStart(input) && isOf(input, before, assets));
  const isAsChosen = side.shot.joint === undefined || (side.shot.joint === made.joint && isOtherTake);
  return [{ shotId: before.shot.id, why: isAsChosen ? 'take' : 'joint' }];
}

/** What a take was made from. What was not recorded (not sent yet, or made by an older version) is told by its request. */
function madeOf(job: Job | undefined, assets: Assets): Made {
  if (!job || isDead(job) || !isRequestOf(KINDS.video, job.request)) return { inputs: [], joint: 'cut', isMade: false };
  const { request } = job;
  const inputs = mediaRefsOf(request).map(
    ({ field, ref }) => job.inputs?.find((one) => one.field === field) ?? inputOf(field, ref, assets),
  );
  const fromImage = request.lastFrame ? 'transition' : request.image ? 'continue' : 'cut';
  return { inputs, joint: request.video ? 'extend' : fromImage, isMade: true };
}

/**
 * The joint between a shot and the one before. One that was chosen is as chosen; else it is what the shot's slot says, or what its take
 * was made from. Whether it is stale is judged from what the take that plays was really made from: changing a slot changes no take.
 */
function jointOf(before: FilmShot, side: FilmShot, assets: Assets): JointView {
  const { shot, active } = side;
  const made = madeOf(active?.job, assets);
  const start = made.inputs.find((input) => !isNoStart(input));
  const starts = (input: JobInput | undefined) =>
    input !== undefined && before.active !== undefined && startsFrom(input, before.active, assets);
  if (shot.joint !== undefined) {
    const isWrong = made.isMade && before.active !== undefined && !(made.joint === shot.joint && starts(start));
    return { joint: shot.joint, isStale: shot.joint !== 'cut' && isWrong, isLinked: true, isPlanned: true };
  }
  const planned = plannedInput(shot, assets);
  const [, slotJoint] = (planned && isOf(planned, before, assets) && JOINT_FIELDS[shot.source]) || [];
  const joint = slotJoint ?? (start && isOf(start, before, assets) ? made.joint : undefined);
  if (!joint) return { joint: 'cut', isStale: false, isLinked: false, isPlanned: false };
  const isPlanned = slotJoint !== undefined;
  const isLinked = isPlanned && starts(planned);
  if (!before.active || (active && !active.job)) return { joint, isStale: false, isLinked, isPlanned };
  return { joint, isStale: made.isMade ? !starts(start) : !isLinked, isLinked, isPlanned };
}

function plannedInput(shot: Shot, assets: Assets): JobInput | undefined {
  const [field] = JOINT_FIELDS[shot.source] ?? [];
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

/** Whether it is a clip of that shot, or the last frame of one. */
function isOf(input: JobInput, { shot, takes }: FilmShot, assets: Assets): boolean {
  if (input.jobId !== undefined) return takesOf(shot).includes(input.jobId);
  return takes.some(({ clips }) => clips.some((clip) => isSame(input, clip, assets)));
}

/** `undefined` where neither the ids nor the hashes can tell. */
function isSame(input: JobInput, clip: Asset, assets: Assets): boolean | undefined {
  const id = input.field === 'video' ? clip.id : lastFrameId(clip, input.outMs);
  if (id !== undefined && input.assetId === id) return true;
  const hash = input.field === 'video' ? clip.sha256 : id === undefined ? undefined : assets.get(id)?.sha256;
  return input.sha256 && hash ? input.sha256 === hash : undefined;
}

/**
 * A last frame of that very clip may be taken twice, with other bytes the second time: what was sent says which clip it was of. What an
 * asset names does not, and is told by its hash. Where the clip plays to an out point, only what ends there is where it ends: an extension,
 * which begins at the clip's own end, never does.
 */
function startsFrom(input: JobInput, playing: FilmTake, assets: Assets): boolean {
  if (input.outMs !== playing.trim?.outMs) return false;
  const isOfJob = input.jobId === playing.jobId && (input.output ?? 0) === playing.clipIndex;
  if (isOfJob && input.output !== undefined) return true;
  return (playing.clip && isSame(input, playing.clip, assets)) ?? isOfJob;
}

/** The last frame of the candidate of a take that plays. */
export const lastFrameOf = ({ jobId, clipIndex, trim }: Pick<FilmTake, 'jobId' | 'clipIndex' | 'trim'>): MediaRef => ({
  jobId,
  frame: 'last',
  ...(clipIndex > 0 ? { output: clipIndex } : {}),
  ...(trim?.outMs === undefined ? {} : { outMs: trim.outMs }),
});

export const clipRefOf = ({ jobId, clipIndex }: Pick<FilmTake, 'jobId' | 'clipIndex'>): MediaRef =>
  clipIndex > 0 ? { jobId, output: clipIndex } : { jobId };

const SOURCES: Record<Exclude<Joint, 'cut'>, ShotSource> = {
  continue: 'first',
  transition: 'firstLast',
  extend: 'extend',
};

/** What an extension starts from: undefined of a take that ends at an out point, since a clip is extended from its own end. */
export const extendedFrom = (take: Pick<FilmTake, 'jobId' | 'clipIndex' | 'trim'>): MediaRef | undefined =>
  take.trim?.outMs === undefined ? clipRefOf(take) : undefined;

/** The joint that a source means where the shot before it is what it starts from. */
export const jointOfSource = (source: ShotSource): Joint | undefined => JOINT_FIELDS[source]?.[1];

/**
 * The shot with its start taken from this take of the shot before it, in the way of the joint; with nothing there where it has no take, or
 * where none can be made of it.
 */
export function startedFrom(
  shot: Shot,
  joint: Joint,
  take: Pick<FilmTake, 'jobId' | 'clipIndex' | 'trim'> | undefined,
): Shot {
  if (joint === 'cut') return shot;
  const field = joint === 'extend' ? 'video' : 'image';
  const { [field]: _, ...rest } = shot;
  const ref = take && (joint === 'extend' ? extendedFrom(take) : lastFrameOf(take));
  return { ...rest, source: SOURCES[joint], ...(ref ? { [field]: ref } : {}) };
}

/** How the next take would join the shot before. A start that was chosen since the take that plays was made joins nothing. */
export const plannedJoint = (view: JointView | undefined): Joint | undefined =>
  view?.isPlanned ? view.joint : undefined;

/**
 * The shot with a joint that was chosen: its source and its start follow, and an extension takes the model of the clip. `now` is how its
 * next take would join the shot before until then, and `from` what plays there.
 */
export function joinedBy(
  shot: Shot,
  joint: Joint,
  { now, from }: { now: Joint | undefined; from: FilmTake | undefined },
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

/** The last frames of what plays that shots are judged by. */
export function framesToJudge(film: readonly FilmShot[], assets: Assets): MediaRef[] {
  const facts = factsOf(film, assets);
  const judgedBy = film.flatMap((_, index) => {
    const { joint, from } = judged(facts, index);
    const before = joint && joint.joint !== 'cut' ? indexBefore(film, index) : undefined;
    return before === undefined ? from : [...from, before];
  });
  return [...new Set(judgedBy)].flatMap((index) => {
    const { clip, trim } = film[index]?.active ?? {};
    const id = lastFrameId(clip, trim?.outMs);
    return id === undefined ? [] : [{ assetId: id }];
  });
}
