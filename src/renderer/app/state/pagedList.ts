import type { Result, StudioError } from '../../client/index.ts';

/** A row of a list: the id of its object. The object itself is in the cache. */
export interface Line {
  id: string;
  /** Its place in the queue, if it waits. */
  place?: number | undefined;
}

/** A page of a list, and facts about the whole list. */
export interface Page<Whole> {
  lines: readonly Line[];
  /** Undefined if it was not counted: the old total stays. */
  total: number | undefined;
  whole?: Whole | undefined;
  /** Whether there are more than `total`. */
  isMore?: boolean | undefined;
}

export interface ListPort<Whole> {
  /** `isFirst`: the first reading since a change, which also asks for the facts about the whole list. */
  read(offset: number, limit: number, isFirst: boolean): Promise<Result<Page<Whole>>>;
  /** Whether the cache has the object; a dropped one is read again when it comes into view. */
  isKnown(id: string): boolean;
  /** Keeps objects cached until the returned function is called. */
  hold(ids: readonly string[]): () => void;
}

export interface ListState<Whole> {
  /** Whether something has been read. */
  isRead: boolean;
  total: number;
  /** Whether there are more than `total`. */
  isMore: boolean;
  whole: Whole | undefined;
  error: StudioError | undefined;
}

/** Rows per reading: such a page is far below the largest message between processes. */
export const PAGE_LINES = 100;

interface Known {
  lines: readonly Line[];
  /** The turn of its reading. */
  turn: number;
}

/**
 * A list of any length, read by index. Only pages in view are read: again after a change, and again if the cache has dropped their objects.
 * Pages out of view stay old until they are seen. Whatever the order of answers, a page shows the one requested last.
 */
export class PagedList<Whole> {
  private readonly port: ListPort<Whole>;
  private readonly listeners = new Set<() => void>();
  private readonly pages = new Map<number, Known>();
  /** Pages being read, each with the turn it is read for. */
  private readonly reading = new Map<number, number>();
  private readonly holds = new Map<number, { lines: readonly Line[]; release: () => void }>();
  /** Grows with every change; pages of earlier turns are old. */
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

  /** A new object whenever anything in the list changes. */
  readonly state = (): ListState<Whole> => this.shown;

  /** Starts to read, and to keep what is in view. */
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

  /** Whether this index was read since the last change; otherwise another item may be there now. */
  isNew(index: number): boolean {
    return this.pages.get(Math.floor(index / PAGE_LINES))?.turn === this.turn;
  }

  /** The index of an item, as far as read; pages of several turns may contain it. */
  indexOf(id: string): number | undefined {
    for (const [page, { lines }] of [...this.pages].sort(([, one], [, other]) => other.turn - one.turn)) {
      const index = lines.findIndex((line) => line.id === id);
      if (index >= 0) return page * PAGE_LINES + index;
    }
    return undefined;
  }

  /** The rows from the top up to the first unread one. */
  top(): Line[] {
    const top: Line[] = [];
    for (let page = 0; ; page++) {
      const lines = this.pages.get(page)?.lines ?? [];
      top.push(...lines);
      if (lines.length < PAGE_LINES) return top;
    }
  }

  /** Sets the rows in view, `to` excluded. */
  readonly see = (from: number, to: number): void => {
    this.range = { from, to };
    this.load();
  };

  /** Called when something may have changed. */
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

  /** Held objects cannot have been dropped; others may have been before they come into view again. */
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
      // After a failed first reading, the next one asks for the totals.
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
    // The list may have become shorter or longer than the view.
    this.load();
  }

  /** Holds objects in view and releases the others. */
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
