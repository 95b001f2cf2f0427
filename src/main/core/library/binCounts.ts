import type { Emptied, KeptReason } from '../../../shared/assetMarks.ts';
import type { BinnedRow } from './emptiedTable.ts';
import type { NamedContent } from './namedContent.ts';

/** How many items these are, as the bin lists them: a frame that came with its clip is none of its own. */
export const itemsIn = (rows: readonly BinnedRow[]): number => rows.filter((row) => row.is_along === 0).length;

/** What stays, and why. */
export class Kept {
  private readonly reasons = new Map<KeptReason, Set<number>>();
  private readonly ids = new Set<string>();

  keeps(row: BinnedRow, named: NamedContent): boolean {
    const reason = named.reasonOf(row);
    if (reason === undefined) return false;
    this.ids.add(row.id);
    // A frame that stays with its clip is counted with it.
    const isWithClip = row.is_along === 1 && row.parent_id !== null && this.ids.has(row.parent_id);
    if (!isWithClip) this.reasons.set(reason, (this.reasons.get(reason) ?? new Set()).add(row.seq));
    return true;
  }

  counts(): Emptied['kept'] {
    return [...this.reasons].map(([reason, { size }]) => ({ reason, count: size }));
  }
}
