import { isPlayMoney, type Profile } from '../../../shared/gateway/profile.ts';
import type { Verdict } from '../../../shared/jobs/job.ts';
import type { VideoRequest } from '../../../shared/kinds/video.ts';
import { estimate } from '../ledger/index.ts';
import type { PreparedOutput } from '../library/index.ts';
import type { WriteDb } from '../store/index.ts';
import type { EngineDeps } from './deps.ts';
import { laneOf } from './limits/lanes.ts';
import { positionAtEnd } from './positions.ts';
import * as statements from './statements.ts';

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
export function writeMade(deps: Pick<EngineDeps, 'ids' | 'clock' | 'library'>, db: WriteDb, made: MadeClip): string {
  const { request, profile, projectId, name } = made;
  const id = deps.ids.id('job');
  const now = deps.clock.now();
  db.run(statements.insertJob, {
    id,
    kind: request.kind,
    state: 'succeeded',
    reason: null,
    request: JSON.stringify(request),
    profileId: profile.id,
    play: isPlayMoney(profile.id) ? 1 : 0,
    projectId,
    runId: null,
    model: request.model,
    lane: laneOf(profile, request),
    idempotencyKey: deps.ids.secret(),
    hookSecret: deps.ids.secret(),
    price: JSON.stringify(estimate(profile, request).price),
    estimateNano: 0,
    estimateLowNano: 0,
    confirmedNano: null,
    position: positionAtEnd(db),
    notBefore: null,
    createdAt: now,
  });
  db.run(statements.saveStatus, {
    id,
    state: 'succeeded',
    reason: null,
    progress: 100,
    error: null,
    nextAt: null,
    sentAt: null,
    tries: 0,
    finishedAt: now,
  });
  if (made.verdict) db.run(statements.saveVerdict, { id, verdict: made.verdict });
  deps.library.recordOutputs(db, { id, profileId: profile.id, projectId, model: request.model, name }, [made.output]);
  return id;
}
