import { toSend } from '../../../shared/board/assignReferences.ts';
import { type Board, type BoardContent, contentOf, type Shot } from '../../../shared/board/board.ts';
import { promotedRequest } from '../../../shared/board/promotion.ts';
import type { CallParsed } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import type { VideoRequest } from '../../../shared/kinds/video.ts';
import type { Engine } from '../jobs/index.ts';
import type { Clock } from '../ports.ts';
import { earlierResult, type KeyedCall, keyedCall, onceByKey } from '../requestKeys/index.ts';
import type { ReadDb, Store, WriteDb } from '../store/index.ts';
import * as table from './boardTable.ts';
import { linkedShot, requestOf } from './makeTakes.ts';
import { withShots } from './readShotList.ts';

/** One more take of a shot: its job and the board are written in one transaction. */

type MakeTake = CallParsed<'storyboard.makeTake'>;
type PromoteTake = CallParsed<'storyboard.promoteTake'>;

interface Deps {
  store: Store;
  clock: Clock;
  engine: Pick<Engine, 'commands' | 'queries'>;
  activeProfile(): Pick<Profile, 'name' | 'models' | 'omittedFields'>;
}

/** How the take is made, and whether it still belongs to the board when it is written. */
interface Plan {
  /** The board that the take is made from, which is written with it. */
  boardFor(db: ReadDb, board: Board): Result<Board>;
  /** The user's change of the board was written. */
  edited(from: BoardContent, to: BoardContent): void;
  requestFor(board: Board, shot: Shot): Result<VideoRequest>;
  belongsTo(shot: Shot): boolean;
  missing: Result<never>;
}

interface TakeMade {
  job: Job;
  board: Board;
}

/** Enqueues a take of the shot, with the input's changes and its link. */
export const makeTake = (deps: Deps & Pick<Plan, 'edited'>, input: MakeTake): Promise<Result<TakeMade>> =>
  requestTake(deps, input, keyedCall('storyboard.makeTake', input), {
    boardFor: (db, board) => changedBoard(db, board, input),
    edited: deps.edited,
    requestFor: (board, shot) => requestOf(toSend(linkedShot(deps, board, shot), board.cast)),
    belongsTo: () => true,
    missing: fail('not_found', 'There is no such shot.'),
  });

/** Enqueues a take again in higher quality, as it was sent. */
export const promoteTake = (deps: Deps, input: PromoteTake): Promise<Result<TakeMade>> =>
  requestTake(deps, input, keyedCall('storyboard.promoteTake', input), {
    boardFor: (_, board) => ok(board),
    edited: () => undefined,
    requestFor() {
      const take = deps.engine.queries.get(input.jobId);
      return take.ok ? promotedRequest(take.data, input, deps.activeProfile()) : take;
    },
    belongsTo: ({ takes }) => takes.includes(input.jobId),
    missing: fail('not_found', 'jobId: there is no such take of this shot.', { field: 'jobId' }),
  });

async function requestTake(
  deps: Deps,
  input: MakeTake | PromoteTake,
  call: KeyedCall | undefined,
  plan: Plan,
): Promise<Result<TakeMade>> {
  const { store, clock, engine } = deps;
  const { projectId, night, shown } = input;
  const earlier = earlierResult<string>(store.read, call);
  if (earlier) return earlier.ok ? takeMade(deps, projectId, earlier.data) : earlier;
  const planned = boardOf(store.read, input, plan);
  if (!planned.ok) return planned;
  const request = plan.requestFor(planned.data.board, planned.data.shot);
  if (!request.ok) return request;
  const jobs = { requests: [request.data], projectId, night, shown };
  const validated = await engine.commands.validate(jobs);
  if (!validated.ok) return validated;
  let edit: { from: BoardContent; to: BoardContent } | undefined;
  const write = (db: WriteDb): Result<string> => {
    // The shot may have been removed while its pictures were examined: a take that no shot refers to would be paid for and never seen.
    const current = boardOf(db, input, plan);
    if (!current.ok) return current;
    const ids = engine.commands.write(db, validated.data, jobs);
    if (!ids.ok) return ids;
    const [jobId = ''] = ids.data;
    const { board, known } = current.data;
    edit = { from: contentOf(known), to: contentOf(board) };
    const shots = board.shots.map((each) => (each.id === input.shotId ? withTake(each, jobId) : each));
    table.writeBoard(db, { ...board, shots }, clock.now());
    return ok(jobId);
  };
  const written = store.transaction((db) => onceByKey(db, call, clock.now(), () => write(db)));
  if (!written.ok) return written;
  const { made, isRepeat } = written.data;
  if (edit) plan.edited(edit.from, edit.to);
  if (!isRepeat) engine.commands.announce();
  return takeMade(deps, projectId, made);
}

interface Planned {
  known: Board;
  /** The board with the changes for this take. */
  board: Board;
  shot: Shot;
}

function boardOf(db: ReadDb, { projectId, shotId }: MakeTake | PromoteTake, plan: Plan): Result<Planned> {
  const known = table.readOpenBoard(db, projectId);
  if (!known) return plan.missing;
  const board = plan.boardFor(db, known);
  if (!board.ok) return board;
  const shot = board.data.shots.find(({ id }) => id === shotId);
  return shot && plan.belongsTo(shot) ? ok({ known, board: board.data, shot }) : plan.missing;
}

/** The board with the shot that the input adds and the start that it sets. */
function changedBoard(db: ReadDb, board: Board, { projectId, shotId, start, added }: MakeTake): Result<Board> {
  const taken = added ? table.removedShotsById(db, projectId) : new Map<string, Shot>();
  const news = added ? [{ ...added.shot, id: shotId, takes: [] }] : [];
  const shots = withShots(board.shots, news, { before: added?.before, taken });
  if (!shots.ok) return shots;
  if (!start) return ok({ ...board, shots: shots.data });
  return ok({ ...board, shots: shots.data.map((shot) => (shot.id === shotId ? { ...shot, ...start } : shot)) });
}

/** The take and its present board, even of a removed project. */
function takeMade({ store, engine }: Deps, projectId: string, jobId: string): Result<TakeMade> {
  const board = table.readBoard(store.read, projectId);
  if (!board) return fail('not_found', 'There is no such project.');
  const job = engine.queries.get(jobId);
  return job.ok ? ok({ job: job.data, board }) : job;
}

/** The first take is active until the user chooses another; a retried take replaces a failed active one. */
export const withTake = (shot: Shot, jobId: string, insteadOf?: string): Shot => ({
  ...shot,
  takes: [...shot.takes, jobId],
  activeTake: shot.activeTake === undefined || shot.activeTake === insteadOf ? jobId : shot.activeTake,
});
