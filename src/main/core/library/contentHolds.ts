/** A file, by its content. */
interface HeldFile {
  readonly sha256: string;
}

/**
 * Content that is stored and named by no row yet. Files are shared by their hash: what is deleted meanwhile must not take such a file with
 * it. A download needs no hold: its metadata says what it stored until its row is written.
 */
export class ContentHolds {
  private readonly files = new Set<HeldFile>();
  private last: Promise<unknown> = Promise.resolve();

  hold(file: HeldFile): void {
    this.files.add(file);
  }

  /** Its row is written, or never will be. */
  release(file: HeldFile): void {
    this.files.delete(file);
  }

  /** Writes its row, after which it is held no longer. */
  recorded<T>(file: HeldFile, write: () => T): T {
    try {
      return write();
    } finally {
      this.release(file);
    }
  }

  /** Files come to their place and go from it one after the other: nothing comes between the last look at who needs a file and its end. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = this.last.then(work);
    this.last = run.catch(() => undefined);
    return run;
  }

  has(sha256: string): boolean {
    return [...this.files].some((file) => file.sha256 === sha256);
  }
}
