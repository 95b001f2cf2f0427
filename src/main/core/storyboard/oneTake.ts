import type { Board, Shot } from '../../../shared/board.ts';
import { toSend } from '../../../shared/casting.ts';
import type { CallParsed } from '../../../shared/contract.ts';
import type { Job } from '../../../shared/job.ts';
import type { VideoRequest } from '../../../shared/kinds/video.ts';
import type { Profile } from '../../../shared/profile.ts';
import { promotedRequest } from '../../../shared/promotion.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Engine } from '../jobs/index.ts';
import type { Clock } from '../ports.ts';
import { earlierResult, type KeyedCall, keyedCall, onceByKey } from '../requestKeys/index.ts';
import type { Store, WriteDb } from '../store/index.ts';
import * as table from './boardTable.ts';
import { linkedShot, requestOf } from './boardTakes.ts';
import { withTake } from './takes.ts';

/** One more take of a shot: its job and the board that names it are written in one transaction. */

type MakeTake = CallParsed<'storyboard.makeTake'>;
type PromoteTake = CallParsed<'storyboard.promoteTake'>;

interface Deps {
  store: Store;
  clock: Clock;
  engine: Pick<Engine, 'commands' | 'queries'>;
  activeProfile(): Pick<Profile, 'name' | 'models' | 'omittedFields'>;
}

/** What the take is made of, and whether it still belongs to the board when it is written. */
interface Plan {
  requestFor(board: Board, shot: Shot): Result<VideoRequest>;
  belongsTo(shot: Shot): boolean;
  missing: Result<never>;
}

export interface TakeMade {
  job: Job;
  board: Board;
}

/** Enqueues a take of the shot as it is, with what its joint gives it. */
export const makeTake = (deps: Deps, order: MakeTake): Promise<Result<TakeMade>> =>
  orderTake(deps, order, keyedCall('storyboard.makeTake', order), {
    requestFor: (board, shot) => requestOf(toSend(linkedShot(deps, board, shot), board.cast)),
    belongsTo: () => true,
    missing: fail('not_found', 'There is no such shot.'),
  });

/** Enqueues one of the shot's takes once more in a better form, as it was sent. */
export const promoteTake = (deps: Deps, order: PromoteTake): Promise<Result<TakeMade>> =>
  orderTake(deps, order, keyedCall('storyboard.promoteTake', order), {
    requestFor() {
      const take = deps.engine.queries.get(order.jobId);
      return take.ok ? promotedRequest(take.data, order, deps.activeProfile()) : take;
    },
    belongsTo: ({ takes }) => takes.includes(order.jobId),
    missing: fail('not_found', 'jobId: there is no such take of this shot.', { field: 'jobId' }),
  });

async function orderTake(
  deps: Deps,
  order: MakeTake | PromoteTake,
  call: KeyedCall | undefined,
  plan: Plan,
): Promise<Result<TakeMade>> {
  const { store, clock, engine } = deps;
  const { projectId, night, shown } = order;
  const earlier = earlierResult<string>(store.read, call);
  if (earlier) return earlier.ok ? takeMade(deps, projectId, earlier.data) : earlier;
  const board = table.readOpenBoard(store.read, projectId);
  const shot = shotOf(board, order, plan);
  if (!board || !shot) return plan.missing;
  const request = plan.requestFor(board, shot);
  if (!request.ok) return request;
  const jobs = { requests: [request.data], projectId, night, shown };
  const validated = await engine.commands.validate(jobs);
  if (!validated.ok) return validated;
  const write = (db: WriteDb): Result<string> => {
    const current = table.readOpenBoard(db, projectId);
    // The shot may have been removed while its pictures were examined: a take that no shot names would be paid for and never seen.
    if (!current || !shotOf(current, order, plan)) return plan.missing;
    const ids = engine.commands.write(db, jobs);
    if (!ids.ok) return ids;
    const [jobId = ''] = ids.data;
    const shots = current.shots.map((each) => (each.id === order.shotId ? withTake(each, jobId) : each));
    table.writeBoard(db, { ...current, shots });
    return ok(jobId);
  };
  const written = store.transaction((db) => onceByKey(db, call, clock.now(), () => write(db)));
  if (!written.ok) return written;
  const { made, isRepeat } = written.data;
  if (!isRepeat) engine.commands.announce([made]);
  return takeMade(deps, projectId, made);
}

const shotOf = (board: Board | undefined, { shotId }: { shotId: string }, plan: Plan): Shot | undefined =>
  board?.shots.find((shot) => shot.id === shotId && plan.belongsTo(shot));

/** The take and its board as they are now, also where the project was removed since. */
function takeMade({ store, engine }: Deps, projectId: string, jobId: string): Result<TakeMade> {
  const board = table.readBoard(store.read, projectId);
  if (!board) return fail('not_found', 'There is no such project.');
  const job = engine.queries.get(jobId);
  return job.ok ? ok({ job: job.data, board }) : job;
}
