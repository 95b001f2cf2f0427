import fs from 'node:fs';
import { formatBytes } from '../../../shared/bytes.ts';
import type { StudioEvent } from '../../../shared/events.ts';
import { t } from '../../../shared/texts.ts';
import type { LibraryPlace } from './place.ts';

export interface RoomDeps {
  place: LibraryPlace;
  emit(event: StudioEvent): void;
  /** Free bytes on the disk of a folder; the file system is asked if not given. */
  freeBytes?(folder: string): number;
  /** In bytes: below the floor nothing new is sent or downloaded, below the other the user is warned. 0 for none. */
  limits?(): { floorBytes: number; warnBytes: number };
}

const NO_LIMITS = { floorBytes: 0, warnBytes: 0 };
/** A disk is asked at most so often: work that waits asks again and again. */
const ASKED_FOR_MS = 1_000;

/** The room on the library's disk, and whether there is a library to store in. */
export class Room {
  private readonly deps: RoomDeps;
  private told: string | undefined;
  private warned = false;
  private asked: { at: number; free: number } | undefined;

  constructor(deps: RoomDeps) {
    this.deps = deps;
  }

  /** On the disk of the library; of the data folder's while the library is not there. */
  freeBytes(): number {
    const { place } = this.deps;
    const folder = place.fault() === undefined ? place.home : place.usual;
    return (this.deps.freeBytes ?? freeBytesOf)(folder);
  }

  /**
   * Why nothing can be stored now, as a sentence: new work that makes files waits, and so do downloads. The user is told once for each
   * reason, and once when it goes on.
   */
  waits(now: number): string | undefined {
    const why = this.deps.place.fault() ?? this.belowFloor(now);
    if (why !== this.told) {
      if (why === undefined) this.tell('info', t`The library can be written again. Work and downloads go on.`);
      else this.tell('error', why);
    }
    this.told = why;
    return why;
  }

  private belowFloor(now: number): string | undefined {
    const { floorBytes, warnBytes } = this.deps.limits?.() ?? NO_LIMITS;
    if (floorBytes === 0 && warnBytes === 0) return undefined;
    const isFresh = this.asked && now >= this.asked.at && now < this.asked.at + ASKED_FOR_MS;
    if (!isFresh) this.asked = { at: now, free: this.freeBytes() };
    const free = this.asked?.free ?? 0;
    this.warn(free < warnBytes, free);
    if (free >= floorBytes) return undefined;
    return t`${formatBytes(free)} are free on the library's disk, less than its floor of ${formatBytes(floorBytes)}. Nothing new is sent and results wait at the gateway: make room, or lower the floor under Settings, Library folder.`;
  }

  private warn(isLow: boolean, free: number): void {
    if (isLow && !this.warned) {
      const text = t`${formatBytes(free)} are left on the library's disk. See Settings, Library folder, for what takes the room.`;
      this.deps.emit({ type: 'notice', level: 'info', text });
    }
    this.warned = isLow;
  }

  private tell(level: 'info' | 'error', text: string): void {
    this.deps.emit({ type: 'notice', level, text, about: 'library folder' });
  }
}

export function freeBytesOf(folder: string): number {
  const disk = fs.statfsSync(folder);
  return disk.bavail * disk.bsize;
}
