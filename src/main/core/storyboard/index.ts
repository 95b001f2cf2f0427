import {
  type Board,
  boardSchema,
  missingOfShot,
  type Project,
  requestOfShot,
  type Shot,
} from '../../../shared/board.ts';
import type { StudioEvent } from '../../../shared/events.ts';
import type { Job } from '../../../shared/job.ts';
import { videoRequestSchema } from '../../../shared/request.ts';
import { fail, ok, parseInput, type Result, refuse } from '../../../shared/result.ts';
import type { Engine } from '../jobs/index.ts';
import type { Clock, Ids } from '../ports.ts';
import { type ReadDb, type Store, sql, type WriteDb } from '../store/index.ts';

/** Projects and their boards. A board is one document with a revision; takes are jobs that it names. */

const boardOf = sql('boards.get', 'SELECT * FROM boards WHERE project_id = $projectId');
const saveBoard = sql(
  'boards.save',
  `INSERT INTO boards (project_id, revision, shots) VALUES ($projectId, $revision, $shots)
   ON CONFLICT DO UPDATE SET revision = $revision, shots = $shots`,
);
const boardsNaming = sql('boards.naming', 'SELECT project_id AS projectId FROM boards WHERE instr(shots, $take) > 0');
const allProjects = sql(
  'projects.all',
  'SELECT id, name, created_at AS createdAt FROM projects ORDER BY created_at, id',
);
const oneProject = sql('projects.one', 'SELECT id, name, created_at AS createdAt FROM projects WHERE id = $id');
const insertProject = sql(
  'projects.insert',
  'INSERT INTO projects (id, name, created_at) VALUES ($id, $name, $createdAt)',
);
const renameProject = sql('projects.rename', 'UPDATE projects SET name = $name WHERE id = $id');

export interface StoryboardDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  engine: Engine;
  emit(event: StudioEvent): void;
}

const noSuchProject = fail('not_found', 'There is no such project.');
const noSuchShot = fail('not_found', 'There is no such shot.');

export class Storyboard {
  private readonly deps: StoryboardDeps;

  constructor(deps: StoryboardDeps) {
    this.deps = deps;
  }

  projects(): Project[] {
    return this.deps.store.read.all<Project>(allProjects);
  }

  createProject(name: string): Project {
    const project = { id: this.deps.ids.id('prj'), name, createdAt: this.deps.clock.now() };
    this.deps.store.transaction((db) => db.run(insertProject, { ...project }));
    this.deps.emit({ type: 'projects.changed' });
    return project;
  }

  renameProject(id: string, name: string): Result<Project> {
    this.deps.store.transaction((db) => db.run(renameProject, { id, name }));
    const project = this.deps.store.read.one<Project>(oneProject, { id });
    if (!project) return noSuchProject;
    this.deps.emit({ type: 'projects.changed' });
    return ok(project);
  }

  get(projectId: string): Result<Board> {
    const board = readBoard(this.deps.store.read, projectId);
    return board ? ok(board) : noSuchProject;
  }

  /** Whole, and only over the revision it was made from; takes that were made meanwhile are never dropped. */
  save(board: Board): Result<Board> {
    const result = this.deps.store.transaction((db): Result<Board> => {
      const known = readBoard(db, board.projectId);
      if (!known) return noSuchProject;
      if (known.revision !== board.revision) {
        return fail('conflict', 'The board has been changed elsewhere.', { revision: known.revision });
      }
      const ids = new Set(board.shots.map(({ id }) => id));
      if (ids.size !== board.shots.length)
        return fail('invalid_input', 'shots: two shots have the same id.', { field: 'shots' });
      return ok(writeBoard(db, board));
    });
    if (result.ok) this.changed(result.data);
    return result;
  }

  /** Enqueues what the shot says as a new take, and names it in the board, in one transaction. */
  async makeTake(projectId: string, shotId: string): Promise<Result<{ job: Job; board: Board }>> {
    const shot = readBoard(this.deps.store.read, projectId)?.shots.find(({ id }) => id === shotId);
    if (!shot) return noSuchShot;
    const [missing, ...more] = missingOfShot(shot);
    if (missing) return refuse([missing, ...more]);
    const request = parseInput(videoRequestSchema, requestOfShot(shot));
    if (!request.ok) return request;
    const input = { requests: [request.data], projectId };
    const judged = await this.deps.engine.judge(input);
    if (!judged.ok) return judged;
    const written = this.deps.store.transaction((db): Result<{ jobId: string; board: Board }> => {
      const board = readBoard(db, projectId);
      // The shot may have gone while its pictures were looked at: a take that no shot names would be paid for and not seen.
      if (!board?.shots.some(({ id }) => id === shotId)) return noSuchShot;
      const ids = this.deps.engine.write(db, input);
      if (!ids.ok) return ids;
      const [jobId = ''] = ids.data;
      const shots = board.shots.map((each) => (each.id === shotId ? withTake(each, jobId) : each));
      return ok({ jobId, board: writeBoard(db, { ...board, shots }) });
    });
    if (!written.ok) return written;
    this.deps.engine.announce([written.data.jobId]);
    this.changed(written.data.board);
    const job = this.deps.engine.get(written.data.jobId);
    return job.ok ? ok({ job: job.data, board: written.data.board }) : job;
  }

  /** A take was made again: the new one stands beside the old one in its shot. Returns what to say after the commit. */
  onMadeAgain(db: WriteDb, oldId: string, newId: string): () => void {
    for (const { projectId } of db.all<{ projectId: string }>(boardsNaming, { take: JSON.stringify(oldId) })) {
      const board = readBoard(db, projectId);
      if (!board?.shots.some(({ takes }) => takes.includes(oldId))) continue;
      const shots = board.shots.map((shot) => (shot.takes.includes(oldId) ? withTake(shot, newId, oldId) : shot));
      const saved = writeBoard(db, { ...board, shots });
      return () => this.changed(saved);
    }
    return () => undefined;
  }

  private changed(board: Board): void {
    this.deps.emit({ type: 'board.changed', projectId: board.projectId, revision: board.revision });
  }
}

/** The first take is the active one until the user says otherwise; one made again takes the place of the one that came to nothing. */
const withTake = (shot: Shot, jobId: string, insteadOf?: string): Shot => ({
  ...shot,
  takes: [...shot.takes, jobId],
  activeTake: shot.activeTake === undefined || shot.activeTake === insteadOf ? jobId : shot.activeTake,
});

function readBoard(db: ReadDb, projectId: string): Board | undefined {
  if (!db.one(oneProject, { id: projectId })) return undefined;
  const row = db.one<{ revision: number; shots: string }>(boardOf, { projectId });
  return boardSchema.parse({ projectId, revision: row?.revision ?? 0, shots: row ? JSON.parse(row.shots) : [] });
}

function writeBoard(db: WriteDb, board: Board): Board {
  const next = { ...board, revision: board.revision + 1 };
  db.run(saveBoard, { projectId: board.projectId, revision: next.revision, shots: JSON.stringify(board.shots) });
  return next;
}
