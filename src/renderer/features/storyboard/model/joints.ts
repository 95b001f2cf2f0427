import type { Asset } from '../../../../shared/asset.ts';
import type { Shot, ShotSource } from '../../../../shared/board.ts';
import type { Job, JobInput } from '../../../../shared/job.ts';
import { isRequestOf, KINDS } from '../../../../shared/kinds/index.ts';
import type { MediaRef } from '../../../../shared/mediaRef.ts';
import { type BoardEdit, patchShot } from './shots.ts';
import type { TakeView } from './take.ts';

/** What joins a shot to the one before it. */
export type Joint = 'cut' | 'continue' | 'transition' | 'extend';

export interface JointView {
  joint: Joint;
  /** The take that plays was made from something else than what plays before it now. */
  isStale: boolean;
  /** The shot itself says already that its next take starts from what plays before it. */
  isLinked: boolean;
}

type Field = 'image' | 'video';

const JOINT_FIELDS: Partial<Record<ShotSource, [Field, Joint]>> = {
  first: ['image', 'continue'],
  firstLast: ['image', 'transition'],
  extend: ['video', 'extend'],
};

interface Side {
  shot: Shot;
  takes: readonly TakeView[];
  active: TakeView | undefined;
}

const CUT: JointView = { joint: 'cut', isStale: false, isLinked: false };

/**
 * The joint between a shot and the one before. Whether it is stale is judged from what the take that plays was really made from; a
 * shot without one is judged from what its first take would be made from. Changing a slot alone changes no take.
 */
export function jointOf(before: Side, side: Side, assets: ReadonlyMap<string, Asset>): JointView {
  const planned = plannedInput(side.shot, assets);
  const made = isMade(side.active?.job) ? madeInput(side.active.job, assets) : undefined;
  const [, slotJoint] = (planned && isOf(planned, before, assets) && JOINT_FIELDS[side.shot.source]) || [];
  const joint = slotJoint ?? (made && isOf(made.input, before, assets) ? made.joint : undefined);
  if (!joint) return CUT;
  const playing = before.active;
  if (!playing) return { ...CUT, joint };
  const starts = (input: JobInput | undefined) => input !== undefined && startsFrom(input, playing, assets);
  const isLinked = slotJoint !== undefined && starts(planned);
  if (side.active && !side.active.job) return { joint, isStale: false, isLinked };
  return { joint, isStale: isMade(side.active?.job) ? !starts(made?.input) : !isLinked, isLinked };
}

const isMade = (job: Job | undefined): job is Job => job !== undefined && !['failed', 'canceled'].includes(job.state);

/** What a take was made from. If its inputs were not recorded (not sent yet, or made by an older version), its request says so. */
function madeInput(job: Job, assets: ReadonlyMap<string, Asset>): { input: JobInput; joint: Joint } | undefined {
  const { request } = job;
  if (!isRequestOf(KINDS.video, request)) return undefined;
  const field: Field = request.video ? 'video' : 'image';
  const ref = request[field];
  const input = job.inputs?.find((one) => one.field === field) ?? (ref && inputOf(field, ref, assets));
  const joint = request.video ? 'extend' : request.lastFrame ? 'transition' : 'continue';
  return input && { input, joint };
}

function plannedInput(shot: Shot, assets: ReadonlyMap<string, Asset>): JobInput | undefined {
  const [field] = JOINT_FIELDS[shot.source] ?? [];
  const ref = field && shot[field];
  return ref && inputOf(field, ref, assets);
}

function inputOf(field: Field, ref: MediaRef, assets: ReadonlyMap<string, Asset>): JobInput {
  if ('uri' in ref) return { field, uri: ref.uri };
  if ('jobId' in ref) return { field, jobId: ref.jobId, output: ('output' in ref && ref.output) || 0 };
  const { sha256, jobId } = assets.get(ref.assetId) ?? {};
  return { field, assetId: ref.assetId, ...(sha256 ? { sha256 } : {}), ...(jobId === undefined ? {} : { jobId }) };
}

/** Whether it is a clip of that shot, or the last frame of one. */
function isOf(input: JobInput, { shot, takes }: Side, assets: ReadonlyMap<string, Asset>): boolean {
  if (input.jobId !== undefined) return shot.takes.includes(input.jobId);
  return takes.some(({ clips }) => clips.some((clip) => isSame(input, clip, assets)));
}

/** `undefined` where neither the ids nor the hashes can tell. */
function isSame(input: JobInput, clip: Asset, assets: ReadonlyMap<string, Asset>): boolean | undefined {
  const id = input.field === 'video' ? clip.id : clip.lastFrameId;
  if (id !== undefined && input.assetId === id) return true;
  const hash = input.field === 'video' ? clip.sha256 : id === undefined ? undefined : assets.get(id)?.sha256;
  return input.sha256 && hash ? input.sha256 === hash : undefined;
}

function startsFrom(input: JobInput, playing: TakeView, assets: ReadonlyMap<string, Asset>): boolean {
  const isKnownSame = playing.clip && isSame(input, playing.clip, assets);
  return isKnownSame ?? (input.jobId === playing.jobId && (input.output ?? 0) === playing.clipIndex);
}

/** A job stands for its first clip's last frame; another candidate's frame is named by itself. */
export const lastFrameOf = ({ jobId, clip, clipIndex }: TakeView): MediaRef =>
  clipIndex > 0 && clip?.lastFrameId ? { assetId: clip.lastFrameId } : { jobId, frame: 'last' };

export const clipRefOf = ({ jobId, clipIndex }: TakeView): MediaRef =>
  clipIndex > 0 ? { jobId, output: clipIndex } : { jobId };

/** Lets the next take of a shot start from this take of the shot before it, in the way of the joint. */
export const relink = (shot: Shot, joint: Joint, take: TakeView): BoardEdit => {
  if (joint === 'extend') return patchShot(shot.id, { source: 'extend', video: clipRefOf(take) });
  const source = joint === 'transition' ? 'firstLast' : 'first';
  return joint === 'cut' ? (shots) => [...shots] : patchShot(shot.id, { source, image: lastFrameOf(take) });
};

/** The last frames that joints are judged by. */
export function framesOfJoints(
  shots: readonly { active: TakeView | undefined; joint: JointView | undefined }[],
): MediaRef[] {
  return shots.flatMap(({ active }, index) => {
    const id = active?.clip?.lastFrameId;
    const joint = shots[index + 1]?.joint?.joint ?? 'cut';
    return id !== undefined && joint !== 'cut' ? [{ assetId: id }] : [];
  });
}
