import type { BundleJob } from '../../../../shared/bundle/document.ts';
import { isPlayMoney, type Profile } from '../../../../shared/gateway/profile.ts';
import type { Verdict } from '../../../../shared/jobs/job.ts';
import { ELSEWHERE_PROFILE_ID } from '../../../../shared/jobs/jobElsewhere.ts';
import { kindOf } from '../../../../shared/kinds/index.ts';
import type { VideoRequest } from '../../../../shared/kinds/video.ts';
import { estimate } from '../../ledger/index.ts';
import type { PreparedOutput } from '../../library/index.ts';
import type { Ids } from '../../ports.ts';
import { type ReadDb, sql, type WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { saveOmitted } from '../jobRepository.ts';
import { laneOf } from '../limits/lanes.ts';
import { positionAtEnd } from '../positions.ts';
import * as statements from '../queries/jobSql.ts';

/** A clip that came with the program, as if it had been made by this request. */
export interface MadeClip {
  request: VideoRequest;
  profile: Profile;
  projectId: string;
  /** The name of its file in the library. */
  name: string;
  output: PreparedOutput;
  verdict?: Verdict | undefined;
}

/**
 * Writes an ended job whose result is on this machine already. Nothing was sent for it: it has no task, no attempt, no reservation and no
 * entry in the ledger, and every figure of its money is 0.
 */
export function writeSampleJob(
  deps: Pick<EngineDeps, 'ids' | 'clock' | 'library'>,
  db: WriteDb,
  made: MadeClip,
): string {
  const { request, profile, projectId, name } = made;
  const id = deps.ids.id('job');
  const now = deps.clock.now();
  writeEnded(deps.ids, db, {
    ...{ id, request, projectId, state: 'succeeded', verdict: made.verdict, createdAt: now },
    profileId: profile.id,
    isPlay: isPlayMoney(profile.id),
    lane: laneOf(profile, request),
    price: JSON.stringify(estimate(profile, request).price),
  });
  deps.library.recordOutputs(db, { id, profileId: profile.id, projectId, model: request.model, name }, [made.output]);
  return id;
}

/** A job that another library made, under an id of this one. */
export interface ImportedJob extends Omit<BundleJob, 'id'> {
  id: string;
  projectId: string;
}

/**
 * Writes an ended job as history. It has no gateway, task, attempt, reservation, price or entry in the ledger, and every figure of its
 * money is 0: its cost elsewhere is stored separately.
 */
export function writeImportedJob({ ids }: { ids: Ids }, db: WriteDb, job: ImportedJob): void {
  const { id, request, omitted, elsewhere } = job;
  writeEnded(ids, db, {
    ...job,
    profileId: ELSEWHERE_PROFILE_ID,
    isPlay: elsewhere.play === true,
    lane: `${kindOf(request).lane(request, () => false).name}:${ELSEWHERE_PROFILE_ID}`,
    price: 'null',
  });
  db.run(statements.saveElsewhere, { id, elsewhere: JSON.stringify(elsewhere) });
  saveOmitted(db, { id, omitted: null }, omitted);
}

type Ended = 'id' | 'request' | 'projectId' | 'state' | 'createdAt' | 'finishedAt' | 'verdict' | 'error';
type EndedJob = Pick<ImportedJob, Ended> & { profileId: string; isPlay: boolean; lane: string; price: string };

function writeEnded(ids: Ids, db: WriteDb, job: EndedJob): void {
  const { id, request, state, createdAt, finishedAt = createdAt, verdict, error, isPlay, ...row } = job;
  db.run(statements.insertJob, {
    id,
    kind: request.kind,
    state,
    reason: null,
    request: JSON.stringify(request),
    profileId: row.profileId,
    play: isPlay ? 1 : 0,
    projectId: row.projectId,
    runId: null,
    model: ('model' in request ? request.model : undefined) ?? null,
    lane: row.lane,
    idempotencyKey: ids.secret(),
    hookSecret: ids.secret(),
    price: row.price,
    estimateNano: 0,
    estimateLowNano: 0,
    confirmedNano: null,
    position: positionAtEnd(db),
    notBefore: null,
    createdAt,
  });
  db.run(statements.saveStatus, {
    id,
    state,
    reason: null,
    progress: state === 'succeeded' ? 100 : 0,
    error: error ? JSON.stringify(error) : null,
    nextAt: null,
    sentAt: null,
    tries: 0,
    finishedAt,
  });
  if (verdict) db.run(statements.saveVerdict, { id, verdict });
}

const unseenOfProject = sql(
  'jobs.unseenOfProject',
  `SELECT seq FROM jobs WHERE project_id = $projectId AND elsewhere IS NOT NULL AND profile_id = '${ELSEWHERE_PROFILE_ID}' LIMIT $limit`,
);
const removeJob = sql('jobs.removeUnseen', 'DELETE FROM jobs WHERE seq = $seq');

/** Removes jobs of a project that was never completed. Nobody saw them, and they cost nothing. False once there are none. */
export function removeHiddenJobs(db: WriteDb, projectId: string, limit: number): boolean {
  const rows = db.all<{ seq: number }>(unseenOfProject, { projectId, limit });
  for (const { seq } of rows) db.run(removeJob, { seq });
  return rows.length > 0;
}

const endedOfProject = sql(
  'jobs.endedOfProject',
  `SELECT id FROM jobs WHERE project_id = $projectId AND state IN ('succeeded', 'failed', 'canceled') ORDER BY seq`,
);

/** The ended jobs of a project, oldest first. */
export const endedJobsOf = (db: ReadDb, projectId: string): string[] =>
  db.all<{ id: string }>(endedOfProject, { projectId }).map(({ id }) => id);

const priceOf = sql('jobs.priceOf', 'SELECT price FROM jobs WHERE id = $id');

/** The price that a job was made at, as JSON; `null` where it is unknown. */
export const priceOfJob = (db: ReadDb, id: string): unknown =>
  JSON.parse(db.one<{ price: string }>(priceOf, { id })?.price ?? 'null');
