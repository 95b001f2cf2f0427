import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { BillEntry, Change, ChatRecord, ImageTask, KeyRecord, MediaRecord, VideoOperation } from './records.ts';

/** Finished work and keys older than this are dropped when the journal is next opened; the bill never is. */
const KEEP_MS = 7 * 24 * 3600 * 1000;

/**
 * The sandbox's state: tables in memory over one append-only journal of JSON lines. `commit` returns once the line is on disk, so what a
 * caller was told (accepted, billed) survives a power cut. Opening drops a half-written last line.
 */
export class State {
  readonly videos = new Map<string, VideoOperation>();
  readonly images = new Map<string, ImageTask>();
  readonly chats = new Map<string, ChatRecord>();
  readonly media = new Map<string, MediaRecord>();
  readonly keys = new Map<string, KeyRecord>();
  bill: BillEntry[] = [];
  readonly folder: string;
  #journal: number | null;

  constructor(folder: string, now: number) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'journal.jsonl');
    for (const line of readLines(path)) this.#apply(line);
    this.#forget(now);
    this.#rewrite(path);
    this.#journal = openSync(path, 'a');
  }

  /** Applies a change and makes it durable: all of it survives, or none. Throws if it cannot be written. */
  commit(change: Change): void {
    if (this.#journal === null) return;
    const { size } = fstatSync(this.#journal);
    try {
      writeFileSync(this.#journal, `${JSON.stringify(change)}\n`);
      fsyncSync(this.#journal);
    } catch (error) {
      // Removes the half-written line: the next change would be appended to it, and neither could be read.
      ftruncateSync(this.#journal, size);
      throw error;
    }
    this.#apply(change);
  }

  close(): void {
    if (this.#journal !== null) closeSync(this.#journal);
    this.#journal = null;
  }

  #apply(change: Change): void {
    for (const row of change.videos ?? []) this.videos.set(row.id, row);
    for (const row of change.images ?? []) this.images.set(row.id, row);
    for (const row of change.chats ?? []) this.chats.set(row.id, row);
    for (const row of change.media ?? []) this.media.set(row.id, row);
    for (const row of change.keys ?? []) this.keys.set(row.id, row);
    this.bill.push(...(change.bill ?? []));
    if (change.unbill) this.bill = this.bill.filter((entry) => !change.unbill?.includes(entry.id));
  }

  #forget(now: number): void {
    const old = (at: number) => at < now - KEEP_MS;
    for (const row of this.videos.values())
      if (row.state !== 'running' && old(row.createdAt)) this.videos.delete(row.id);
    for (const row of this.images.values())
      if (row.state !== 'running' && old(row.createdAt)) this.images.delete(row.id);
    for (const row of this.chats.values()) if (old(row.createdAt)) this.chats.delete(row.id);
    for (const row of this.keys.values()) if (old(row.at)) this.keys.delete(row.id);
  }

  /** Writes the tables to a new journal, then renames it. On a full disk the old journal stays, with the dropped records in it. */
  #rewrite(path: string): void {
    const all: Change = {
      videos: [...this.videos.values()],
      images: [...this.images.values()],
      chats: [...this.chats.values()],
      media: [...this.media.values()],
      keys: [...this.keys.values()],
      bill: this.bill,
    };
    const part = `${path}.part`;
    try {
      writeFileSync(part, `${JSON.stringify(all)}\n`, { flush: true });
      renameSync(part, path);
    } catch (error) {
      rmSync(part, { force: true });
      if (!isFull(error)) throw error;
      dropHalfLine(path);
    }
  }
}

const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1);

function dropHalfLine(path: string): void {
  if (existsSync(path)) truncateSync(path, Buffer.byteLength(wholeLines(readFileSync(path, 'utf8'))));
}

const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(String((error as NodeJS.ErrnoException).code));

function readLines(path: string): Change[] {
  // A named pipe would block the read for ever.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error(`${path} is not a file`);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  return wholeLines(text)
    .split('\n')
    .flatMap((line) => {
      try {
        return line ? [JSON.parse(line) as Change] : [];
      } catch {
        return [];
      }
    });
}
