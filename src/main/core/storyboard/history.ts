import type { Shot } from '../../../shared/board.ts';
import { oneFieldOf } from '../../../shared/boardChanges.ts';
import { type Change, changed, same, type Way, wordsOfChange } from './boardSteps.ts';

/** Steps beyond this are forgotten, the oldest first. */
const MOST_STEPS = 200;

interface Step extends Change {
  /** The one field of one shot that it is about; the next edit of it belongs to this step. */
  field: string | undefined;
}

/** What undoing or redoing would come to now. */
export interface Prospect {
  shots: Shot[];
  words: string;
  /** Steps that leave the stack: those on top came to nothing, since what they made has takes by now. */
  steps: number;
}

/** The steps of one board, in memory: a restart begins a new one. */
export class BoardHistory {
  private readonly stacks: Record<Way, Step[]> = { undo: [], redo: [] };
  private isSealed = false;

  /** The user saved a board. Edits of one field of one shot, one after the other, are one step. */
  record(from: readonly Shot[], saved: readonly Shot[]): void {
    const to = shared(from, saved);
    if (same(from, to)) return;
    const field = oneFieldOf(from, to);
    const last = this.stacks.undo.at(-1);
    if (last && field !== undefined && last.field === field && !this.isSealed) last.to = to;
    else this.stacks.undo.push({ from: last ? shared(last.to, from) : from, to, field });
    const top = this.stacks.undo.at(-1);
    if (top && same(top.from, top.to)) this.stacks.undo.pop();
    this.stacks.undo.splice(0, this.stacks.undo.length - MOST_STEPS);
    this.stacks.redo = [];
    this.isSealed = false;
  }

  /** From now on an edit is a step of its own. */
  seal(): void {
    this.isSealed = true;
  }

  look(way: Way, now: readonly Shot[], held: ReadonlyMap<string, Shot>): Prospect | undefined {
    const stack = this.stacks[way];
    for (let at = stack.length - 1; at >= 0; at--) {
      const step = stack[at];
      if (!step) return undefined;
      const shots = changed(now, way === 'undo' ? { from: step.to, to: step.from } : step, way, held);
      if (!same(shots, now)) return { shots, words: wordsOfChange(step), steps: stack.length - at };
    }
    return undefined;
  }

  /** What was looked at has been done. */
  done(way: Way, { steps }: Prospect): void {
    const [step] = this.stacks[way].splice(-steps);
    if (step) this.stacks[way === 'undo' ? 'redo' : 'undo'].push(step);
    this.seal();
  }
}

/** Shots that are as they were are the same objects, so that a hundred steps of a large board take little room. */
function shared(known: readonly Shot[], shots: readonly Shot[]): Shot[] {
  const old = new Map(known.map((shot) => [shot.id, shot]));
  return shots.map((shot) => {
    const before = old.get(shot.id);
    return before && same(before, shot) ? before : shot;
  });
}
