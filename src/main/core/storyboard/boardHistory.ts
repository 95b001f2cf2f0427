import { applyChange, type BoardChange, type Direction } from '../../../shared/board/applyChange.ts';
import { type BoardContent, type BoardSettings, type Shot, wideOf } from '../../../shared/board/board.ts';
import { isSame, keysOf, oneFieldOf } from '../../../shared/board/boardChanges.ts';
import type { ReadDb } from '../store/index.ts';
import { describeChange } from './boardChange.ts';
import { namedInDocument } from './boardReferences.ts';

/** Older steps are dropped. */
const MAX_STEPS = 200;

interface Step extends BoardChange {
  /** The edited field; its next edit is merged into this step. */
  field: string | undefined;
}

export interface StepPreview {
  content: BoardContent;
  name: string;
  /** The number of steps that leave the stack. Those on top may have no effect any more, because their shots have takes by now. */
  steps: number;
}

/** The undo steps of one board, in memory only. */
export class BoardHistory {
  private readonly stacks: Record<Direction, Step[]> = { undo: [], redo: [] };
  private isSealed = false;
  private names: ReadonlySet<string> | undefined;

  /** Records a save of the user's. Consecutive edits of one field are one step. */
  record(from: BoardContent, saved: BoardContent): void {
    const to = sharingUnchanged(from, saved);
    this.names = undefined;
    if (isSameContent(from, to)) return;
    const field = oneFieldOf(from, to);
    const last = this.stacks.undo.at(-1);
    if (last && field !== undefined && last.field === field && !this.isSealed) last.to = to;
    else this.stacks.undo.push({ from: last ? sharingUnchanged(last.to, from) : from, to, field });
    const top = this.stacks.undo.at(-1);
    if (top && isSameContent(top.from, top.to)) this.stacks.undo.pop();
    this.stacks.undo.splice(0, this.stacks.undo.length - MAX_STEPS);
    this.stacks.redo = [];
    this.isSealed = false;
  }

  /** Makes the next edit a separate step. */
  seal(): void {
    this.isSealed = true;
  }

  preview(direction: Direction, now: BoardContent, removed: ReadonlyMap<string, Shot>): StepPreview | undefined {
    const stack = this.stacks[direction];
    for (let at = stack.length - 1; at >= 0; at--) {
      const step = stack[at];
      if (!step) return undefined;
      const content = applyChange(
        now,
        direction === 'undo' ? { from: step.to, to: step.from } : step,
        direction,
        removed,
      );
      if (!isSameContent(content, now)) return { content, name: describeChange(step), steps: stack.length - at };
    }
    return undefined;
  }

  /** The ids in its steps, any of which may be restored. */
  named(db: ReadDb): ReadonlySet<string> {
    this.names ??= namedInDocument(
      db,
      [...this.stacks.undo, ...this.stacks.redo].flatMap(({ from, to }) => [from, to]),
    );
    return this.names;
  }

  /** The previewed step was carried out. */
  commit(direction: Direction, { steps }: StepPreview): void {
    const [step] = this.stacks[direction].splice(-steps);
    if (step) this.stacks[direction === 'undo' ? 'redo' : 'undo'].push(step);
    this.seal();
  }
}

const isSameContent = (a: BoardContent, b: BoardContent): boolean =>
  isSame(a.shots, b.shots) && isSameWide(wideOf(a), wideOf(b));

function isSameWide(a: BoardSettings, b: BoardSettings): boolean {
  return (keysOf(a, b) as (keyof BoardSettings)[]).every((key) => isSame(a[key], b[key]));
}

/** Reuses unchanged objects, so that a hundred steps of a large board need little memory. */
function sharingUnchanged(known: BoardContent, content: BoardContent): BoardContent {
  const old = new Map(known.shots.map((shot) => [shot.id, shot]));
  const shots = content.shots.map((shot) => {
    const before = old.get(shot.id);
    return before && isSame(before, shot) ? before : shot;
  });
  return { ...(isSameWide(wideOf(known), wideOf(content)) ? known : content), shots };
}
