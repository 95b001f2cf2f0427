import type { Result, StudioError } from '../../client/index.ts';

/** One line of a list: which thing stands there. The thing itself is in the cache that events patch. */
export interface Line {
  id: string;
  /** Its place in the queue, where it waits. */
  place?: number | undefined;
}

/** A page of a list, and what the studio says of the whole of it. */
export interface Page<Whole> {
  lines: readonly Line[];
  /** Undefined where it was not counted: it stays what it was. */
  total: number | undefined;
  whole?: Whole | undefined;
  /** There are more than were counted. */
  isMore?: boolean | undefined;
}

export interface ListPort<Whole> {
  /** `isFirst`: the first reading since something changed; what is worked out for the whole list is asked for with it. */
  read(offset: number, limit: number, isFirst: boolean): Promise<Result<Page<Whole>>>;
  /** Whether the cache has the thing: what it has forgotten is read again when it comes into view. */
  isKnown(id: string): boolean;
  /** Keeps things in the cache until the returned function is called. */
  hold(ids: readonly string[]): () => void;
}

export interface ListState<Whole> {
  /** Something has been read. */
  isRead: boolean;
  total: number;
  /** There are more than `total`. */
  isMore: boolean;
  whole: Whole | undefined;
  error: StudioError | undefined;
}

/** Lines read at a time: a page of them stays far below the largest message between processes. */
export const PAGE_LINES = 100;

interface Known {
  lines: readonly Line[];
  /** The turn in which it was read. */
  turn: number;
}

/**
 * A list of any length, read by place: only the pages in view are read, again after a change, and again where the cache has forgotten
 * what stands on them. Pages out of view stay as they were until they are seen. Whatever the order in which answers come, a page shows
 * the last that was asked for.
 */
export class PagedList<Whole> {
  private readonly port: ListPort<Whole>;
  private readonly listeners = new Set<() => void>();
  private readonly pages = new Map<number, Known>();
  /** Pages that are being read, each with the turn it is read for. */
  private readonly reading = new Map<number, number>();
  private readonly holds = new Map<number, { lines: readonly Line[]; release: () => void }>();
  /** Grows with every change; a page that was read in an earlier one is old. */
  private turn = 1;
  private wholeTurn = 0;
  private asked = 0;
  private answered = 0;
  private wholeAnswered = 0;
  private range = { from: 0, to: PAGE_LINES };
  private isOpen = false;
  private shown: ListState<Whole> = {
    isRead: false,
    total: 0,
    isMore: false,
    whole: undefined,
    error: undefined,
  };

  constructor(port: ListPort<Whole>) {
    this.port = port;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Another object whenever anything of the list has changed. */
  readonly state = (): ListState<Whole> => this.shown;

  /** Begins to read, and to keep what is in view. */
  open(): void {
    this.isOpen = true;
    this.turn += 1;
    this.load();
  }

  close(): void {
    this.isOpen = false;
    for (const { release } of this.holds.values()) release();
    this.holds.clear();
  }

  at(index: number): Line | undefined {
    return this.pages.get(Math.floor(index / PAGE_LINES))?.lines[index % PAGE_LINES];
  }

  /** Whether what stands at a place was read since the last change: else another thing may stand there now. */
  isNew(index: number): boolean {
    return this.pages.get(Math.floor(index / PAGE_LINES))?.turn === this.turn;
  }

  /** Where a thing stands, as far as has been read; pages of several turns may have it. */
  indexOf(id: string): number | undefined {
    for (const [page, { lines }] of [...this.pages].sort(([, one], [, other]) => other.turn - one.turn)) {
      const index = lines.findIndex((line) => line.id === id);
      if (index >= 0) return page * PAGE_LINES + index;
    }
    return undefined;
  }

  /** The lines from the top, up to the first that has not been read. */
  top(): Line[] {
    const top: Line[] = [];
    for (let page = 0; ; page++) {
      const lines = this.pages.get(page)?.lines ?? [];
      top.push(...lines);
      if (lines.length < PAGE_LINES) return top;
    }
  }

  /** These lines are in view, the last one not included. */
  readonly see = (from: number, to: number): void => {
    this.range = { from, to };
    this.load();
  };

  /** Something may have changed. */
  readonly refresh = (): void => {
    this.turn += 1;
    this.load();
  };

  private pagesInView(): number[] {
    const first = Math.max(0, Math.floor(this.range.from / PAGE_LINES));
    const last = Math.max(first, Math.ceil(this.range.to / PAGE_LINES) - 1);
    const end = this.shown.isRead ? Math.max(0, Math.ceil(this.shown.total / PAGE_LINES) - 1) : last;
    const [from, to] = [Math.min(first, end), Math.min(last, end)];
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  }

  private load(): void {
    if (!this.isOpen) return;
    const inView = this.pagesInView();
    const old = inView.filter((page) => !this.isFresh(page) && this.reading.get(page) !== this.turn);
    this.keep(inView);
    for (const page of old) void this.read(page);
  }

  /** What is held cannot have been forgotten; what comes into view again may have been. */
  private isFresh(page: number): boolean {
    const known = this.pages.get(page);
    return known?.turn === this.turn && (this.holds.has(page) || known.lines.every(({ id }) => this.port.isKnown(id)));
  }

  private async read(page: number): Promise<void> {
    const { turn } = this;
    const isFirst = this.wholeTurn !== turn;
    const own = ++this.asked;
    this.reading.set(page, turn);
    this.wholeTurn = turn;
    const answer = await this.port.read(page * PAGE_LINES, PAGE_LINES, isFirst);
    if (this.reading.get(page) === turn) this.reading.delete(page);
    if (answer.ok) this.take(page, turn, own, answer.data);
    else {
      // A failed first reading: the next one asks for the totals.
      if (isFirst && this.wholeTurn === turn) this.wholeTurn = 0;
      this.notify({ error: answer.error });
    }
  }

  private take(page: number, turn: number, own: number, { lines, total, whole, isMore = false }: Page<Whole>): void {
    if (turn >= (this.pages.get(page)?.turn ?? 0)) this.pages.set(page, { lines, turn });
    const change: Partial<ListState<Whole>> = { error: undefined };
    if (total !== undefined && own > this.answered) {
      this.answered = own;
      change.total = total;
      change.isMore = isMore;
      for (const other of [...this.pages.keys()])
        if (other > 0 && other * PAGE_LINES >= total) this.pages.delete(other);
    }
    if (whole !== undefined && own > this.wholeAnswered) {
      this.wholeAnswered = own;
      change.whole = whole;
    }
    this.notify({ ...change, isRead: true });
    if (this.isOpen) this.keep(this.pagesInView());
    // The list may have become shorter or longer than what is in view.
    this.load();
  }

  /** Holds what is in view, and lets go of what no longer is. */
  private keep(inView: readonly number[]): void {
    for (const [page, { release, lines }] of this.holds) {
      if (inView.includes(page) && this.pages.get(page)?.lines === lines) continue;
      release();
      this.holds.delete(page);
    }
    for (const page of inView) {
      const lines = this.pages.get(page)?.lines;
      if (lines && !this.holds.has(page))
        this.holds.set(page, { lines, release: this.port.hold(lines.map(({ id }) => id)) });
    }
  }

  private notify(change: Partial<ListState<Whole>>): void {
    this.shown = { ...this.shown, ...change };
    for (const listener of this.listeners) listener();
  }
}
