import type { Emptied, KeptReason } from '../../../../shared/library/assetMarks.ts';
import type { ReadDb, Store } from '../../store/index.ts';
import type { BinnedRow } from './emptiedTable.ts';

/** A module whose documents name assets and jobs: what is named stays, whatever is in the bin. */
export interface NamingModule {
  reason: KeptReason;
  /** The ids of assets and jobs that its documents name; of those with these ids alone where `changed` is given. */
  namedIn?(db: ReadDb, changed?: readonly string[]): string[];
  /** The table whose rows are those documents. */
  documents?: 'boards' | 'conversations' | 'jobs';
  /** Ids that are named in memory alone. */
  namedInMemory?(): Iterable<string>;
  /** Hashes of files that are used where they lie. */
  filesInUse?(): Iterable<string>;
  /** Likewise, where that has to be looked up on the disk. */
  filesLinked?(): Promise<readonly string[]>;
}

/** Documents that are read again in one turn. */
const CHANGED_AT_ONCE = 50;

/** What every module names. It is read in another thread; what changes meanwhile is added before each use, so that nothing is missed. */
export class NamedContent {
  private readonly store: Store;
  private readonly modules: readonly NamingModule[];
  private readonly changed = new Map<NamingModule, Set<string>>();
  private readonly ids = new Map<NamingModule, Set<string>>();
  private readonly hashes = new Map<NamingModule, Set<string>>();

  constructor(store: Store, modules: readonly NamingModule[]) {
    this.store = store;
    this.modules = modules;
    for (const module of modules) {
      if (!module.documents) continue;
      store.onRevised(module.documents, (ids) => {
        const changed = this.changed.get(module);
        for (const id of ids) changed?.add(id);
      });
    }
  }

  /** Reads all anew; {@link end} follows. */
  async begin(): Promise<void> {
    for (const module of this.modules) {
      this.changed.set(module, new Set());
      const { namedIn } = module;
      this.ids.set(module, new Set(namedIn ? await this.store.readAway((db) => namedIn(db)) : []));
      this.hashes.set(module, new Set((await module.filesLinked?.()) ?? []));
    }
  }

  end(): void {
    for (const known of [this.changed, this.ids, this.hashes]) known.clear();
  }

  /** Adds what was changed since; true while more is left for another turn. To be judged by, it must have answered false in the same turn. */
  catchUp(): boolean {
    let isMore = false;
    for (const [module, changed] of this.changed) {
      const some = [...changed].slice(0, CHANGED_AT_ONCE);
      for (const id of some) changed.delete(id);
      const ids = this.ids.get(module);
      for (const id of some.length > 0 ? (module.namedIn?.(this.store.read, some) ?? []) : []) ids?.add(id);
      for (const id of module.namedInMemory?.() ?? []) ids?.add(id);
      for (const hash of module.filesInUse?.() ?? []) this.hashes.get(module)?.add(hash);
      isMore ||= changed.size > 0;
    }
    return isMore;
  }

  /** Why it stays; undefined if nothing names it, the job that made it, or what it was taken from. */
  reasonOf({ id, job_id, parent_id, role, sha256 }: BinnedRow): KeptReason | undefined {
    return this.modules.find((module) => {
      const ids = this.ids.get(module);
      const takenFrom = role === 'source' ? null : parent_id;
      if ([id, job_id, takenFrom].some((one) => one !== null && ids?.has(one))) return true;
      return sha256 !== '' && this.hashes.get(module)?.has(sha256);
    })?.reason;
  }
}

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
