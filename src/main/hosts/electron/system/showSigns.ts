import { app, type BrowserWindow, nativeImage } from 'electron';
import type { Studio } from '../../../core/studio.ts';
import { discBitmap, type Signs, type Work, WorkMeter } from './signs.ts';

const SIDE = 16;
const COLOURS = { running: [120, 150, 200], doubt: [230, 160, 40] } as const;

/** Shows progress and the number of unconfirmed jobs on the Dock or the taskbar. */
export function showSigns(studio: Studio, window: () => BrowserWindow | undefined): { refresh(): void } {
  const meter = new WorkMeter();
  let signs: Signs | undefined;
  let shownIn: BrowserWindow | undefined;
  const show = (next: Signs) => {
    const current = window();
    // The queue changes often, the signs seldom.
    if (current === shownIn && JSON.stringify(next) === JSON.stringify(signs)) return;
    signs = next;
    shownIn = current;
    if (process.platform !== 'win32') app.setBadgeCount(next.count);
    if (!current || current.isDestroyed()) return;
    current.setProgressBar(next.progress, { mode: next.mode });
    if (process.platform === 'win32') current.setOverlayIcon(overlayOf(next), next.label);
  };
  studio.subscribe((event) => {
    if (event.type === 'queue.changed') show(meter.signsOf(event.status));
  });
  void studio.call('queue.status', {}).then((answer) => answer.ok && show(meter.signsOf(answer.data as Work)));
  return { refresh: () => signs && show({ ...signs }) };
}

const overlayOf = ({ kind }: Signs) =>
  kind === 'none' ? null : nativeImage.createFromBitmap(discBitmap(SIDE, COLOURS[kind]), { width: SIDE, height: SIDE });
