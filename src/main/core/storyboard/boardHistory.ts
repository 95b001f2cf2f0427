import type { Shot } from '../../../shared/board.ts';
import { oneFieldOf } from '../../../shared/boardChanges.ts';
import { applyChange, type BoardChange, type Deed, type Direction, describeChange, isSame } from './boardChange.ts';

/** The oldest steps beyond this number are dropped. */
const MAX_STEPS = 200;

interface Step extends BoardChange {
  /** The one field of one shot that was edited; the next edit of it is merged into this step. */
  field: string | undefined;
}

/** The result of the next undo or redo. */
export interface StepPreview {
  shots: Shot[];
  deed: Deed;
  /** Steps that leave the stack: those on top have no effect any more, since their shots have takes by now. */
  steps: number;
}

/** The undo steps of one board, in memory: a restart begins with none. */
export class BoardHistory {
  private readonly stacks: Record<Direction, Step[]> = { undo: [], redo: [] };
  private isSealed = false;

  /** The user saved a board. Consecutive edits of one field of one shot are one step. */
  record(from: readonly Shot[], saved: readonly Shot[]): void {
    const to = sharingUnchanged(from, saved);
    if (isSame(from, to)) return;
    const field = oneFieldOf(from, to);
    const last = this.stacks.undo.at(-1);
    if (last && field !== undefined && last.field === field && !this.isSealed) last.to = to;
    else this.stacks.undo.push({ from: last ? sharingUnchanged(last.to, from) : from, to, field });
    const top = this.stacks.undo.at(-1);
    if (top && isSame(top.from, top.to)) this.stacks.undo.pop();
    this.stacks.undo.splice(0, this.stacks.undo.length - MAX_STEPS);
    this.stacks.redo = [];
    this.isSealed = false;
  }

  /** Makes the next edit a separate step. */
  seal(): void {
    this.isSealed = true;
  }

  preview(direction: Direction, now: readonly Shot[], removed: ReadonlyMap<string, Shot>): StepPreview | undefined {
    const stack = this.stacks[direction];
    for (let at = stack.length - 1; at >= 0; at--) {
      const step = stack[at];
      if (!step) return undefined;
      const shots = applyChange(
        now,
        direction === 'undo' ? { from: step.to, to: step.from } : step,
        direction,
        removed,
      );
      if (!isSame(shots, now)) return { shots, deed: describeChange(step), steps: stack.length - at };
    }
    return undefined;
  }

  /** The previewed step was carried out. */
  commit(direction: Direction, { steps }: StepPreview): void {
    const [step] = this.stacks[direction].splice(-steps);
    if (step) this.stacks[direction === 'undo' ? 'redo' : 'undo'].push(step);
    this.seal();
  }
}

/** Reuses the objects of unchanged shots, so that a hundred steps of a large board take little memory. */
function sharingUnchanged(known: readonly Shot[], shots: readonly Shot[]): Shot[] {
  const old = new Map(known.map((shot) => [shot.id, shot]));
  return shots.map((shot) => {
    const before = old.get(shot.id);
    return before && isSame(before, shot) ? before : shot;
  });
}
