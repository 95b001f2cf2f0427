import type { Rectangle } from 'electron';

/** So much of its title bar must be on the screen for a window to be taken hold of. */
const GRIP = { width: 100, height: 30 };

/**
 * Where a window that was at `bounds` opens on the screen that shows most of it: no larger than the screen's `area`, and with its title
 * bar within reach. Null where the screen that it was on is gone.
 */
export function placeOn(bounds: Rectangle, area: Rectangle): Rectangle | null {
  const [right, bottom] = [area.x + area.width, area.y + area.height];
  const isSeen =
    bounds.x < right && bounds.x + bounds.width > area.x && bounds.y < bottom && bounds.y + bounds.height > area.y;
  if (!isSeen) return null;
  const width = Math.min(bounds.width, area.width);
  const height = Math.min(bounds.height, area.height);
  const x = within(bounds.x, area.x + GRIP.width - width, right - GRIP.width);
  const y = within(bounds.y, area.y, bottom - GRIP.height);
  return { x, y, width, height };
}

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));
