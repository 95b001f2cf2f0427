import { shotTitle } from '../../../shared/board/board.ts';
import type { ModelDependent } from '../../../shared/gateway/modelCalls.ts';
import { kindsWhere } from '../../../shared/kinds/index.ts';
import { jobTable } from '../jobs/index.ts';
import { type ClipSource, clipSources } from '../library/index.ts';
import type { ReadDb } from '../store/index.ts';
import { type ShotWithTake, shotsWithTakes } from '../storyboard/index.ts';

/** The shots that hang on a model: a kept take can be extended only by the model that made it, from its clip at the gateway (spec 2.2). */

const MAX_KEPT = 20_000;

/** A shot with the model of its kept take. */
export interface DependentShot extends ModelDependent {
  model: string;
  /** The gateway does not hold the clip any more. */
  isGone: boolean;
}

/** Of every shot that has one, the kept take that would be extended: the one that plays, else the newest. Of one profile. */
export function dependentShots(db: ReadDb, profileId: string, now: number): DependentShot[] {
  const kinds = kindsWhere(({ makes }) => makes === 'video');
  const models = new Map(
    jobTable.keptByModel(db, profileId, { kinds, limit: MAX_KEPT }).map(({ id, model }) => [id, model]),
  );
  if (models.size === 0) return [];
  const shots = new Map<string, ShotWithTake>();
  for (const shot of shotsWithTakes(db, [...models.keys()])) {
    const key = `${shot.projectId} ${shot.shotId}`;
    // Takes come oldest first, so a later one replaces an earlier one unless that plays.
    if (shots.get(key)?.jobId !== shot.activeTake || shot.activeTake === null) shots.set(key, shot);
  }
  const chosen = [...shots.values()];
  const clips = Map.groupBy(
    clipSources(
      db,
      profileId,
      chosen.map(({ jobId }) => jobId),
    ),
    ({ jobId }) => jobId,
  );
  return chosen.flatMap((shot) => {
    const clip = clipOf(shot, clips.get(shot.jobId) ?? []);
    return clip ? [dependentOf(shot, clip, { model: models.get(shot.jobId) ?? '', now })] : [];
  });
}

function clipOf({ jobId, activeTake, activeOutput }: ShotWithTake, clips: readonly ClipSource[]) {
  const chosen = jobId === activeTake ? (activeOutput ?? 0) : 0;
  return clips.find(({ output }) => output === chosen) ?? clips[0];
}

function dependentOf(
  { projectId, project, shotId, place, title, prompt, jobId, take }: ShotWithTake,
  clip: ClipSource,
  { model, now }: { model: string; now: number },
): DependentShot {
  const { id, mime, state, thumbnailId, output, expiresAt, isHeld, isStorage } = clip;
  const knownEnd = isStorage === 0 && expiresAt !== null ? expiresAt : undefined;
  return {
    projectId,
    project,
    shotId,
    number: place + 1,
    title: shotTitle({ title, prompt }),
    jobId,
    take: take + 1,
    output,
    clip: { id, mime, state, ...(thumbnailId === null ? {} : { thumbnailId }) },
    model,
    isGone: isHeld === 0 || (knownEnd !== undefined && knownEnd <= now),
    ...(knownEnd === undefined ? {} : { until: knownEnd, endedBy: 'source' }),
    ...(knownEnd === undefined && isStorage === 0 ? { sourceUnknown: true } : {}),
  };
}

/** Until when the shot can be extended: its clip's address and its model both have to live. */
export function until(shot: DependentShot, endsAt: number | null | undefined): ModelDependent {
  const { model: _, isGone: __, ...dependent } = shot;
  const source = dependent.until;
  if (endsAt === undefined || endsAt === null || (source !== undefined && source < endsAt)) return dependent;
  return { ...dependent, until: endsAt, endedBy: 'model' };
}
