import type { Rectangle } from 'electron';

/** The part of the title bar that must be visible so that a window can be moved. */
const MIN_VISIBLE_TITLE_BAR = { width: 100, height: 30 };

/**
 * Where a window that was at `bounds` fits on the screen that shows most of it: no larger than the screen's `area`, with its title bar in
 * reach. Null if its screen is gone.
 */
export function fitOnScreen(bounds: Rectangle, area: Rectangle): Rectangle | null {
  const [right, bottom] = [area.x + area.width, area.y + area.height];
  const isSeen =
    bounds.x < right && bounds.x + bounds.width > area.x && bounds.y < bottom && bounds.y + bounds.height > area.y;
  if (!isSeen) return null;
  const width = Math.min(bounds.width, area.width);
  const height = Math.min(bounds.height, area.height);
  const x = within(bounds.x, area.x + MIN_VISIBLE_TITLE_BAR.width - width, right - MIN_VISIBLE_TITLE_BAR.width);
  const y = within(bounds.y, area.y, bottom - MIN_VISIBLE_TITLE_BAR.height);
  return { x, y, width, height };
}

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));
