import { JOINTS, type Joint, type Shot } from '../../../../shared/board.ts';
import type { CastMember } from '../../../../shared/cast.ts';
import { type FilmFacts, filmToCome } from '../../../../shared/film.ts';
import { clipRefOf, indexBefore, joinedBy, plannedJoint } from '../../../../shared/joints.ts';
import { EXTENSION_SECONDS } from '../../../../shared/kinds/video.ts';
import type { LookUpMedia } from '../../../../shared/mediaRef.ts';
import { t } from '../../../../shared/texts.ts';
import type { BoardEdit } from '../model/shots.ts';
import type { TakeView } from '../model/take.ts';
import { type ShotView, viewOf } from '../model/view.ts';

/** What each joint to the shot before would mean for a shot, and why one is not possible. */

export const JOINT_NAMES: Record<Joint, string> = {
  cut: t`Cut`,
  continue: t`Continue`,
  transition: t`Transition`,
  extend: t`Extend`,
};

export interface JointChoice {
  joint: Joint;
  /** One sentence: what the shot would start from. */
  words: string;
  /** Why it is not possible, as the end of a sentence; then another joint comes nearest. */
  off: string | undefined;
  /** The shot as its next take would be made. */
  shot: Shot;
}

export interface JointChoices {
  before: ShotView;
  view: ShotView;
  /** The take that the shot would start from: what plays before it, or what will once it is made. */
  from: TakeView | undefined;
  choices: JointChoice[];
}

interface Facts {
  lookUp: LookUpMedia;
  profileId: string | undefined;
  /** The video models of the active profile. */
  models: readonly string[];
}

/** Undefined for a shot that follows none. */
export function jointChoices(shots: readonly ShotView[], index: number, facts: Facts): JointChoices | undefined {
  const at = indexBefore(shots, index);
  const [before, view] = [at === undefined ? undefined : shots[at], shots[index]];
  if (!before || !view) return undefined;
  const from = filmToCome([before])[0]?.active;
  const choices = JOINTS.map((joint): JointChoice => {
    const off = joint === 'extend' ? whyNotExtended(before, view, from, facts) : undefined;
    const shot = joinedBy(view.shot, joint, { now: plannedJoint(view.joint), from });
    return { joint, off, words: wordsOf(joint, before, view, from), shot };
  });
  return { before, view, from, choices };
}

function wordsOf(joint: Joint, before: ShotView, { number, shot }: ShotView, from: TakeView | undefined): string {
  const clip = from ? t`${before.number}, take ${from.number}` : t`${before.number}, once it has a take`;
  if (joint === 'cut') return t`Nothing is shared. Each shot starts on its own.`;
  if (joint === 'continue') return t`Shot ${number} starts from the last frame of ${clip}.`;
  if (joint === 'extend') return t`Goes on from ${clip}, with its model, ${EXTENSION_SECONDS} s a step.`;
  return t`Last frame of ${clip}, to ${shot.lastFrame ? t`the last frame that you chose` : t`a last frame that you choose next`}.`;
}

function whyNotExtended(
  before: ShotView,
  { number, shot }: ShotView,
  from: TakeView | undefined,
  { lookUp, profileId, models }: Facts,
): string | undefined {
  if (shot.source === 'firstLast' && shot.lastFrame)
    return t`shot ${number} ends on a frame you chose, and an extension takes none.`;
  const clip = t`${before.number}, take ${from?.number}`;
  const job = from?.job;
  if (!job) return undefined;
  if (profileId !== undefined && job.profileId !== profileId)
    return t`${clip} was made at another gateway, and only that one can extend it.`;
  if (job.model !== undefined && !models.includes(job.model))
    return t`${clip} was made by ${job.model}, which this gateway does not list; only the same model can extend it.`;
  const { status, remoteUri } = lookUp(clipRefOf(from));
  return status === 'ready' && remoteUri === false
    ? t`the gateway no longer holds ${clip}, so it cannot be extended.`
    : undefined;
}

/** Chooses a joint, in one step that can be undone. */
export const chooseJoint =
  ({ view, from }: Pick<JointChoices, 'view' | 'from'>, joint: Joint): BoardEdit =>
  (shots) =>
    shots.map((shot) =>
      shot.id === view.shot.id ? joinedBy(shot, joint, { now: plannedJoint(view.joint), from }) : shot,
    );

interface JudgedBoard {
  shots: readonly ShotView[];
  media: FilmFacts;
  cast: readonly CastMember[] | undefined;
}

/** What another joint than the present one means for the take that plays: it may fit only then, or no more. */
export function afterwards({ shots, media, cast }: JudgedBoard, choices: JointChoices, joint: Joint): string {
  const { view } = choices;
  const edited = chooseJoint(choices, joint)(shots.map(({ shot }) => shot));
  const isStale = viewOf(edited, media, {}, cast).some(({ shot, state }) => shot.id === view.shot.id && state.isStale);
  const { number, state } = view;
  if (!isStale)
    return state.isStale ? t`With it the take of shot ${number} is stale no longer.` : t`Choosing costs nothing.`;
  return state.isStale
    ? t`Shot ${number} stays stale. Its take stays.`
    : t`Changing it makes shot ${number} stale. Its take stays.`;
}

/** When a clip can be extended no more; undefined where the gateway does not say. */
export const possibleUntil = (from: TakeView | undefined): number | undefined => from?.clip?.expiresAt;
