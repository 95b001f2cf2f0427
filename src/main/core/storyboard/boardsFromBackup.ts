import { sameOrder } from '../../../shared/board/applyChange.ts';
import { type Board, type BoardContent, contentOf, type Shot, shotTitle, wideOf } from '../../../shared/board/board.ts';
import { isSame } from '../../../shared/board/boardChanges.ts';
import type { RestoredItem } from '../../../shared/contract/backupCalls.ts';
import type { ReadDb, RestoreParticipant, WriteDb } from '../store/index.ts';
import { preservingTakes } from './boardChange.ts';
import * as table from './boardTable.ts';

/**
 * Sets projects and boards back, by the rules of any change of a board: newer takes stay with their shots as removed takes; newer shots and
 * projects are removed and can be restored.
 */

/** Writes a board by those rules; call the result after the commit. */
type WriteBoard = (db: WriteDb, known: Board, to: BoardContent) => () => void;

interface RestorableDeps {
  now(): number;
  write: WriteBoard;
  announceProjects(): void;
}

export const boardsFromBackup = ({ now, write, announceProjects }: RestorableDeps): RestoreParticipant => ({
  unknown(db) {
    const known = new Set(table.readAllProjects(db).map(({ id }) => id));
    return table.readPastProjects(db).filter(({ id }) => !known.has(id)).length;
  },
  preview(db) {
    const { gone, back, renamed } = comparedProjects(db);
    const changed = { shot: 0, board: 0 };
    for (const past of table.readPastProjects(db)) {
      const known = past.removedAt === null ? table.readBoard(db, past.id) : undefined;
      if (!known) continue;
      const before = table.readPastBoard(db, past.id);
      gone.push(...shotsOnlyIn(known, before));
      back.push(...shotsOnlyIn(before, known));
      const to = contentFrom(db, known, before);
      changed.shot += shotsChanged(known.shots, to.shots);
      if (isBoardChanged(contentOf(known), to)) changed.board += 1;
    }
    const counts = [
      { type: 'project', count: renamed },
      { type: 'board', count: changed.board },
      { type: 'shot', count: changed.shot },
    ] as const;
    return { gone, back, changed: [...counts] };
  },
  restore(db) {
    const pasts = table.readPastProjects(db);
    const before = new Set(pasts.map(({ id }) => id));
    const all = new Map(table.readAllProjects(db).map((project) => [project.id, project]));
    for (const project of all.values())
      if (!before.has(project.id) && project.removedAt === null) table.setRemoved(db, project.id, now());
    const written = pasts.flatMap((past) => {
      const is = all.get(past.id);
      if (is && (is.name !== past.name || is.removedAt !== past.removedAt)) table.setProject(db, past);
      return restoreBoard(db, past.id, write) ?? [];
    });
    return () => {
      for (const done of written) done();
      announceProjects();
    };
  },
});

/** Projects that were not removed at the time of the backup. */
export const openPastProjects = (db: ReadDb): { id: string; name: string }[] =>
  table.readPastProjects(db).flatMap(({ id, name, removedAt }) => (removedAt === null ? { id, name } : []));

function restoreBoard(db: WriteDb, projectId: string, write: WriteBoard): (() => void) | undefined {
  const known = table.readBoard(db, projectId);
  if (!known) return undefined;
  const to = contentFrom(db, known, table.readPastBoard(db, projectId));
  return isSame(to, contentOf(known)) ? undefined : write(db, known, to);
}

/** The old board with the takes made since. */
function contentFrom(db: ReadDb, known: Board, then: Board): BoardContent {
  const past = contentOf(then);
  return { ...past, shots: preservingTakes(known.shots, past.shots, table.removedShotsById(db, known.projectId)) };
}

/** The number of changed shots that exist on both sides. */
function shotsChanged(known: readonly Shot[], to: readonly Shot[]): number {
  const before = new Map(known.map((shot) => [shot.id, shot]));
  return to.filter((shot) => before.has(shot.id) && !isSame(shot, before.get(shot.id))).length;
}

/** Whether the board itself, such as its cast, or the order of its shots differs. */
const isBoardChanged = (known: BoardContent, to: BoardContent): boolean =>
  !isSame(wideOf(known), wideOf(to)) || !sameOrder(known.shots, to.shots);

function comparedProjects(db: ReadDb): { gone: RestoredItem[]; back: RestoredItem[]; renamed: number } {
  const pasts = new Map(table.readPastProjects(db).map((past) => [past.id, past]));
  const [gone, back]: [RestoredItem[], RestoredItem[]] = [[], []];
  let renamed = 0;
  for (const { id, name, removedAt } of table.readAllProjects(db)) {
    const past = pasts.get(id);
    const wasThere = past?.removedAt === null;
    if (removedAt === null && !wasThere) gone.push({ type: 'project', id, title: name });
    if (removedAt !== null && wasThere) back.push({ type: 'project', id, title: past.name });
    if (removedAt === null && wasThere && name !== past.name) renamed += 1;
  }
  return { gone, back, renamed };
}

function shotsOnlyIn(one: Board, other: Board): RestoredItem[] {
  const there = new Set(other.shots.map(({ id }) => id));
  return one.shots
    .filter(({ id }) => !there.has(id))
    .map((shot) => ({ type: 'shot', id: shot.id, title: shotTitle(shot) }));
}
