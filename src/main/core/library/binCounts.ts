import type { Emptied, KeptReason } from '../../../shared/library/assetMarks.ts';
import type { BinnedRow } from './emptiedTable.ts';
import type { NamedContent } from './namedContent.ts';

/**
 * How many items go and stay, as the bin lists them: a frame that went there with its clip is none of its own where it goes or stays with
 * that. Rows come in the order of their numbers, a clip before its frame.
 */
export class BinCounts {
  /** How many go. */
  items = 0;
  private readonly reasons = new Map<KeptReason, Set<number>>();
  private readonly seen = new Set<string>();
  private readonly kept = new Set<string>();

  /** Whether it stays. It is counted, as what stays or as what goes. */
  keeps(row: BinnedRow, named: NamedContent): boolean {
    const reason = named.reasonOf(row);
    const clip = row.is_along === 1 ? row.parent_id : null;
    const isWith = (some: ReadonlySet<string>) => clip !== null && some.has(clip);
    if (reason === undefined) this.items += isWith(this.seen) ? 0 : 1;
    else if (!isWith(this.kept)) this.reasons.set(reason, (this.reasons.get(reason) ?? new Set()).add(row.seq));
    this.seen.add(row.id);
    if (reason !== undefined) this.kept.add(row.id);
    return reason !== undefined;
  }

  keptItems(): Emptied['kept'] {
    return [...this.reasons].map(([reason, { size }]) => ({ reason, count: size }));
  }
}
