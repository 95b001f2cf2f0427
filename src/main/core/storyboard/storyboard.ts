import { type Direction, withRemovedTakes } from '../../../shared/board/applyChange.ts';
import {
  type Board,
  type BoardContent,
  type BoardSettings,
  type BoardStep,
  type BoardSteps,
  contentOf,
  MAX_SHOTS,
  type NewShot,
  type Project,
  type RemovedShot,
  type Shot,
  takesOf,
  wideOf,
} from '../../../shared/board/board.ts';
import { MAX_CAST } from '../../../shared/board/cast.ts';
import type { ShotListReading } from '../../../shared/board/shotList.ts';
import type { CallParsed } from '../../../shared/contract/contract.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import { KINDS, modelsFor } from '../../../shared/kinds/index.ts';
import { shortened } from '../../../shared/text/shortened.ts';
import { en } from '../../../shared/text/texts.ts';
import type { ChangedTriageLimits } from '../../../shared/triage/limits.ts';
import type { CoreEvents } from '../coreEvents.ts';
import type { Engine } from '../jobs/index.ts';
import type { Clock, Ids } from '../ports.ts';
import type { ReadDb, RestoreParticipant, Store, WriteDb } from '../store/index.ts';
import { preservingTakes, savedWide } from './boardChange.ts';
import { BoardHistory } from './boardHistory.ts';
import { boardsFromBackup, openPastProjects } from './boardsFromBackup.ts';
import * as table from './boardTable.ts';
import { makeTake, promoteTake, withTake } from './makeTake.ts';
import { makeTakes, noSuchShot } from './makeTakes.ts';
import { readShotList, refusalOfTrims, type ShotPlace, tooManyShots, withShots } from './readShotList.ts';

/** Projects and their boards. A board is one document with a revision; takes are jobs that it names. */

export interface StoryboardDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  engine: Pick<Engine, 'commands' | 'queries'>;
  /** The profile whose models new shots use. */
  activeProfile(): Pick<Profile, 'name' | 'models' | 'omittedFields'>;
  emit(event: StudioEvent): void;
  events: Pick<CoreEvents, 'on'>;
}

export const noSuchProject = fail('not_found', 'There is no such project.');
const tooManyInCast = fail('wrong_state', en`cast: a film has at most ${MAX_CAST} members; remove one first.`, {
  field: 'cast',
});

export class Storyboard {
  private readonly deps: StoryboardDeps;
  private readonly histories = new Map<string, BoardHistory>();

  constructor(deps: StoryboardDeps) {
    this.deps = deps;
    deps.store.onRevised('boards', (ids) => this.emitChanged(ids));
    deps.events.on('job.retriedAsNew', (db, oldId, newId) => this.followRetry(db, oldId, newId));
  }

  projects(): { projects: Project[]; removed: Project[] } {
    return table.readProjects(this.deps.store.read);
  }

  /** Undefined for a removed project. */
  projectName(id: string): string | undefined {
    return table.readProject(this.deps.store.read, id)?.name;
  }

  createProject(name: string): Project {
    const { project } = this.deps.store.transaction((db) => this.addProject(db, name));
    this.announceProjects();
    return project;
  }

  /** Adds a project with these shots in the caller's transaction; call {@link announceProjects} after its commit. */
  addProject(
    db: WriteDb,
    name: string,
    shotsOf: (projectId: string) => Shot[] = () => [],
    { id = this.deps.ids.id('prj'), ...wide }: BoardSettings & { id?: string } = {},
  ): { project: Project; shots: Shot[] } {
    const project = { id, name, createdAt: this.deps.clock.now() };
    table.addProject(db, project);
    const shots = shotsOf(project.id);
    if (shots.length > 0 || Object.keys(wide).length > 0)
      table.writeBoard(db, { ...wide, projectId: project.id, revision: 0, shots }, project.createdAt);
    return { project, shots };
  }

  announceProjects(): void {
    this.deps.emit({ type: 'projects.changed' });
  }

  /**
   * A new project with the same board. Its shots name the same takes: nothing is copied, sent or charged, and the ledger counts them in the
   * first project. Removed shots and takes stay there.
   */
  duplicateProject(id: string, name?: string): Result<Project> {
    const copy = this.deps.store.transaction((db) => {
      const [project, board] = [table.readProject(db, id), table.readBoard(db, id)];
      if (!project || !board) return undefined;
      return this.addCopy(db, board, name ?? copyName(project.name));
    });
    return this.changedProject(copy);
  }

  private addCopy(db: WriteDb, board: Board, name: string): Project {
    const { project } = this.addProject(db, name);
    const shots = board.shots.map((shot) => withRemovedTakes(shot, []));
    table.writeBoard(db, { ...board, shots, projectId: project.id, revision: 0 }, project.createdAt);
    return project;
  }

  /**
   * Like {@link duplicateProject}, for a project in a backup attached as `past`; undefined if it is not there. Call {@link announceProjects}
   * after the commit.
   */
  copyPastProject(db: WriteDb, id: string, name?: string): Project | undefined {
    const past = openPastProjects(db).find((project) => project.id === id);
    return past && this.addCopy(db, table.readPastBoard(db, id), name ?? copyName(past.name));
  }

  renameProject(id: string, name: string): Result<Project> {
    this.deps.store.transaction((db) => table.renameProject(db, id, name));
    return this.changedProject(table.readProject(this.deps.store.read, id));
  }

  /** Board, takes and files remain, and queued jobs are still made. */
  removeProject(id: string): Result<Project> {
    if (!table.readProject(this.deps.store.read, id)) return noSuchProject;
    return this.changedProject(this.deps.store.transaction((db) => table.setRemoved(db, id, this.deps.clock.now())));
  }

  restoreProject(id: string): Result<Project> {
    return this.changedProject(this.deps.store.transaction((db) => table.setRemoved(db, id, null)));
  }

  private changedProject(project: Project | undefined): Result<Project> {
    if (!project) return noSuchProject;
    this.deps.emit({ type: 'projects.changed' });
    return ok(project);
  }

  get(projectId: string): Result<Board> {
    const board = table.readOpenBoard(this.deps.store.read, projectId);
    return board ? ok(board) : noSuchProject;
  }

  /** `Shot 2, take 9`, by job id, for the takes of a board. */
  takeNames(projectId: string): ReadonlyMap<string, string> {
    const shots = table.readBoard(this.deps.store.read, projectId)?.shots ?? [];
    return new Map(
      shots.flatMap(({ title, takes }, at) =>
        takes.map((id, take): [string, string] => [id, `${title.trim() || `Shot ${at + 1}`}, take ${take + 1}`]),
      ),
    );
  }

  /** The takes of the same shot, this one included; none if it is no take of that board. */
  takesBeside(projectId: string, jobId: string): string[] {
    const board = table.readBoard(this.deps.store.read, projectId);
    const shot = board?.shots.find((one) => takesOf(one).includes(jobId));
    return shot ? takesOf(shot) : [];
  }

  /** Saves the whole board over the revision it was based on; takes made since are never dropped. */
  save(board: Board): Result<Board> {
    return this.edit(board.projectId, (known, db) => {
      if (known.revision !== board.revision) {
        return fail('conflict', en`The board has been changed elsewhere.`, { revision: known.revision });
      }
      const old = new Set(known.shots.map(({ id }) => id));
      if (hasSameId(board.shots))
        return fail('invalid_input', 'shots: two shots have the same id.', { field: 'shots' });
      if (hasSameId(board.cast ?? []))
        return fail('invalid_input', 'cast: two members have the same id.', { field: 'cast' });
      const wrongTrim = refusalOfTrims(known.shots, board.shots, (jobId) => this.deps.engine.queries.get(jobId));
      if (wrongTrim) return wrongTrim;
      const isNew = board.shots.some(({ id }) => !old.has(id));
      const removed = isNew ? table.removedShotsById(db, board.projectId) : new Map<string, Shot>();
      const wide = savedWide(wideOf(contentOf(known)), wideOf(contentOf(board)));
      return ok({ ...wide, shots: preservingTakes(known.shots, board.shots, removed) });
    });
  }

  /** The removed shots with their takes. */
  removed(projectId: string): Result<RemovedShot[]> {
    const { read } = this.deps.store;
    return table.readProject(read, projectId) ? ok(table.readRemoved(read, projectId)) : noSuchProject;
  }

  restore(projectId: string, shotId: string): Result<Board> {
    return this.edit(projectId, (known, db) => {
      const removed = table.readRemoved(db, projectId).find(({ shot }) => shot.id === shotId);
      if (!removed) return noSuchShot;
      return ok({ ...contentOf(known), shots: known.shots.toSpliced(removed.place, 0, removed.shot) });
    });
  }

  /** The shots of a list, with the errors of each row. */
  readShots(projectId: string, text: string, format: 'csv' | 'lines'): Result<ShotListReading> {
    const board = table.readOpenBoard(this.deps.store.read, projectId);
    if (!board) return noSuchProject;
    const models = modelsFor(KINDS.video, this.deps.activeProfile().models).map(({ id }) => id);
    return readShotList(text, format, { models, room: MAX_SHOTS - board.shots.length });
  }

  /** Adds shots before another one, in place of a blank one, or at the end. */
  addShots(projectId: string, added: readonly NewShot[], place: ShotPlace): Result<{ board: Board; ids: string[] }> {
    const shots = added.map((shot): Shot => ({ ...shot, id: shot.id ?? this.deps.ids.id('shot'), takes: [] }));
    const ids = shots.map(({ id }) => id);
    const edited = this.edit(projectId, (known, db) => {
      const all = withShots(known.shots, shots, { ...place, taken: table.removedShotsById(db, projectId) });
      return all.ok ? ok({ ...contentOf(known), shots: all.data }) : all;
    });
    return edited.ok ? ok({ board: edited.data, ids }) : edited;
  }

  /** Replaces the project's changed limits of the quality check. */
  setTriageLimits(projectId: string, triageLimits: ChangedTriageLimits): Result<Board> {
    return this.edit(projectId, (known) => {
      const { shots, ...wide } = contentOf(known);
      return ok({ ...savedWide(wide, { triageLimits }), shots });
    });
  }

  /** Applies an edit as an undo step. */
  private edit(projectId: string, change: (known: Board, db: WriteDb) => Result<BoardContent>): Result<Board> {
    const result = this.deps.store.transaction((db): Result<{ from: BoardContent; board: Board }> => {
      const known = table.readOpenBoard(db, projectId);
      if (!known) return noSuchProject;
      const content = change(known, db);
      return content.ok ? this.write(db, known, content.data) : content;
    });
    if (!result.ok) return result;
    const { from, board } = result.data;
    this.historyOf(projectId).record(from, contentOf(board));
    return ok(board);
  }

  private write(db: WriteDb, known: Board, to: BoardContent): Result<{ from: BoardContent; board: Board }> {
    if (to.shots.length > MAX_SHOTS) return tooManyShots;
    if ((to.cast?.length ?? 0) > MAX_CAST) return tooManyInCast;
    const { projectId, revision } = known;
    const now = this.deps.clock.now();
    table.syncRemovedShots(db, projectId, { before: known.shots, after: to.shots, now });
    return ok({ from: contentOf(known), board: table.writeBoard(db, { ...to, projectId, revision }, now) });
  }

  /** Undoes or redoes one step. Takes made since remain. */
  step(projectId: string, direction: Direction): Result<BoardStep> {
    const history = this.historyOf(projectId);
    const result = this.deps.store.transaction((db) => {
      const known = table.readOpenBoard(db, projectId);
      if (!known) return noSuchProject;
      const preview = history.preview(direction, contentOf(known), table.removedShotsById(db, projectId));
      if (!preview) return ok({ board: known, preview });
      const written = this.write(db, known, preview.content);
      return written.ok ? ok({ board: written.data.board, preview }) : written;
    });
    if (!result.ok) return result;
    const { board, preview } = result.data;
    if (preview) history.commit(direction, preview);
    const words = preview && { [direction === 'undo' ? 'undone' : 'redone']: preview.name };
    return ok({ board, ...words, ...this.nextSteps(board) });
  }

  /** Enqueues a take of each shot and adds them to the board, in one transaction. */
  async makeTakes(input: CallParsed<'storyboard.makeTakes'>): ReturnType<typeof makeTakes> {
    const made = await makeTakes(this.deps, input);
    if (made.ok) this.historyOf(input.projectId).seal();
    return made;
  }

  openBoard(db: ReadDb, projectId: string): Board | undefined {
    return table.readOpenBoard(db, projectId);
  }

  /**
   * Writes an edited board with takes of its shots, in the caller's transaction, which writes their jobs. The result, to be called after the
   * commit, makes the edit an undo step, without the takes.
   */
  writeWith(db: WriteDb, { edited, withTakes }: { edited: Board; withTakes: Board }): Result<() => void> {
    const known = table.readOpenBoard(db, edited.projectId);
    if (!known) return noSuchProject;
    const written = this.write(db, known, contentOf(withTakes));
    if (!written.ok) return written;
    const history = this.historyOf(edited.projectId);
    const { from } = written.data;
    return ok(() => {
      history.record(from, contentOf(edited));
      history.seal();
    });
  }

  steps(projectId: string): Result<BoardSteps> {
    const board = table.readOpenBoard(this.deps.store.read, projectId);
    return board ? ok(this.nextSteps(board)) : noSuchProject;
  }

  private nextSteps(board: Board): BoardSteps {
    const { projectId } = board;
    const history = this.historyOf(projectId);
    const removed = table.removedShotsById(this.deps.store.read, projectId);
    const [undo, redo] = (['undo', 'redo'] as const).map(
      (way) => history.preview(way, contentOf(board), removed)?.name,
    );
    return {
      canUndo: undo !== undefined,
      canRedo: redo !== undefined,
      ...(undo && { undo }),
      ...(redo && { redo }),
    };
  }

  /** The ids that undo and redo may restore. */
  namedInHistories(): string[] {
    return [...this.histories.values()].flatMap((history) => [...history.named(this.deps.store.read)]);
  }

  private historyOf(projectId: string): BoardHistory {
    const known = this.histories.get(projectId) ?? new BoardHistory();
    this.histories.set(projectId, known);
    return known;
  }

  /** Enqueues a take of the shot and adds it to the board, in one transaction. */
  async makeTake(input: CallParsed<'storyboard.makeTake'>): ReturnType<typeof makeTake> {
    const history = this.historyOf(input.projectId);
    const edited = (from: BoardContent, to: BoardContent) => history.record(from, to);
    const made = await makeTake({ ...this.deps, edited }, input);
    if (made.ok) history.seal();
    return made;
  }

  /** Enqueues a take again in higher quality, as another take of the shot. */
  async promoteTake(input: CallParsed<'storyboard.promoteTake'>): ReturnType<typeof promoteTake> {
    const made = await promoteTake(this.deps, input);
    if (made.ok) this.historyOf(input.projectId).seal();
    return made;
  }

  /** A take was retried as a new job, which joins the old one in every shot, even a removed one. */
  private followRetry(db: WriteDb, oldId: string, newId: string): void {
    for (const projectId of table.projectsWithTake(db, oldId)) {
      const board = table.readBoard(db, projectId);
      if (board?.shots.some((shot) => takesOf(shot).includes(oldId))) {
        const shots = board.shots.map((shot) => (takesOf(shot).includes(oldId) ? withTake(shot, newId, oldId) : shot));
        table.writeBoard(db, { ...board, shots }, this.deps.clock.now());
        this.historyOf(projectId).seal();
        continue;
      }
      const removed = table.readRemoved(db, projectId).find(({ shot }) => takesOf(shot).includes(oldId));
      if (removed) table.saveRemoved(db, projectId, { ...removed, shot: withTake(removed.shot, newId, oldId) });
    }
  }

  /** The part of a restore that concerns projects and boards; a board can be undone to what it was. */
  restoreParticipant(): RestoreParticipant {
    return boardsFromBackup({
      now: this.deps.clock.now,
      announceProjects: () => this.announceProjects(),
      write: (db, known, to) => {
        const { projectId, revision } = known;
        const now = this.deps.clock.now();
        table.syncRemovedShots(db, projectId, { before: known.shots, after: to.shots, now });
        const board = table.writeBoard(db, { ...to, projectId, revision }, now);
        return () => {
          const history = this.historyOf(projectId);
          history.seal();
          history.record(contentOf(known), contentOf(board));
          history.seal();
        };
      },
    });
  }

  private emitChanged(projectIds: readonly string[]): void {
    for (const projectId of projectIds) {
      const board = table.readBoard(this.deps.store.read, projectId);
      if (board) this.deps.emit({ type: 'board.changed', projectId, revision: board.revision });
    }
  }
}

const hasSameId = (list: readonly { id: string }[]): boolean => new Set(list.map(({ id }) => id)).size !== list.length;

/** A project name has at most 200 characters. */
const copyName = (name: string): string => `${shortened(name, 195)} copy`;
