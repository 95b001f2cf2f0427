import type { QueueStatus } from '../../../../shared/contract/events.ts';
import { t } from '../../../../shared/text/texts.ts';

/** Progress and count for the Dock or the taskbar. */
export interface Signs {
  /** Progress (0 to 1) since the queue was last empty; -1: no bar. */
  progress: number;
  mode: 'normal' | 'paused';
  /** Unconfirmed jobs; without any, the number of running jobs. */
  count: number;
  /** A description of the number, for screen readers and the overlay on Windows. */
  label: string;
  kind: 'none' | 'running' | 'doubt';
}

/** The part of the queue's status that the signs depend on. */
export type Work = Pick<QueueStatus, 'running' | 'waiting' | 'paused'> &
  Record<'doubt' | 'doubtElsewhere', { count: number }>;

/** Remembers the longest queue since it was last empty: the bar fills as it gets shorter. */
export class WorkMeter {
  private most = 0;

  signsOf({ running, waiting, paused, doubt, doubtElsewhere }: Work): Signs {
    const open = running + waiting;
    this.most = open === 0 ? 0 : Math.max(this.most, open);
    const doubts = doubt.count + doubtElsewhere.count;
    // Queued jobs alone, such as for an overnight run, are no progress.
    const progress = running === 0 ? -1 : (this.most - open) / this.most;
    const mode = paused ? 'paused' : 'normal';
    if (doubts > 0) return { progress, mode, count: doubts, label: t`${doubts} unconfirmed`, kind: 'doubt' };
    if (running > 0) return { progress, mode, count: running, label: `${running} running`, kind: 'running' };
    return { progress, mode, count: 0, label: '', kind: 'none' };
  }
}

/** The overlay on the Windows taskbar: a disc of `side` pixels, premultiplied BGRA. */
export function discBitmap(side: number, [red, green, blue]: readonly [number, number, number]): Buffer {
  const bitmap = Buffer.alloc(side * side * 4);
  const centre = (side - 1) / 2;
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const cover = Math.max(0, Math.min(1, side / 2 - Math.hypot(x - centre, y - centre)));
      bitmap.set([blue * cover, green * cover, red * cover, 255 * cover].map(Math.round), (y * side + x) * 4);
    }
  }
  return bitmap;
}
